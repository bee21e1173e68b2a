"""Runs the code of a section of a document, in the current folder. ``test_docs.py`` calls it, or starts it as a process.

As a process, the argument is a JSON file: a list of steps, each with where it stands, its language and its text. It prints where each
step stands before it runs, and ``docs job done`` at the end.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, Mapping, Optional


def run(steps: Iterable[Mapping[str, str]], environment: Optional[Mapping[str, str]] = None) -> None:
    """Runs the steps, whose Python shares its names; commands get the environment, or this process's."""
    names: Dict[str, Any] = {"__name__": "__main__"}
    for step in steps:
        print("==", step["where"], flush=True)
        if step["language"] == "python":
            python(step["where"], step["text"], names)
        elif step["language"] == "sql":
            for statement in filter(str.strip, step["text"].split(";")):
                names["spark"].sql(statement).collect()
        else:
            subprocess.run(["bash", "-c", step["text"]], check=True, env=environment)


def python(where: str, text: str, names: Dict[str, Any]) -> None:
    exec(compile(text, where, "exec"), names)
    if "spark" in names:
        # A streaming query goes on until it is stopped; here, until it has had all that there is.
        for query in names["spark"].streams.active:
            query.processAllAvailable()
            query.stop()


if __name__ == "__main__":
    run(json.loads(Path(sys.argv[1]).read_text()))
    print("docs job done", flush=True)
