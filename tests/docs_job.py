"""Runs the code of one section of a document, in the folder where it is started: ``test_docs.py`` runs it.

The argument is a JSON file: a list of steps, each with where it stands, its language and its text. Python's steps share their
names. Prints where each step stands before it runs, and ``docs job done`` at the end.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict


def main() -> None:
    names: Dict[str, Any] = {"__name__": "__main__"}
    for step in json.loads(Path(sys.argv[1]).read_text()):
        print("==", step["where"], flush=True)
        {"python": python, "sql": sql, "console": console}[step["language"]](step["where"], step["text"], names)
    print("docs job done", flush=True)


def python(where: str, text: str, names: Dict[str, Any]) -> None:
    exec(compile(text, where, "exec"), names)
    if "spark" in names:
        # A streaming query goes on until it is stopped; here, until it has had all that there is.
        for query in names["spark"].streams.active:
            query.processAllAvailable()
            query.stop()


def sql(where: str, text: str, names: Dict[str, Any]) -> None:
    for statement in filter(str.strip, text.split(";")):
        names["spark"].sql(statement).collect()


def console(where: str, text: str, names: Dict[str, Any]) -> None:
    subprocess.run(["bash", "-c", text], check=True)


if __name__ == "__main__":
    main()
