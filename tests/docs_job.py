"""Runs the code of sections of a document, in the current folder. ``test_docs.py`` starts it.

With the argument ``in-process``, commands of jellybridge run in this process; a process for each took a minute and a half of ``make
test``. Otherwise each command is a process, as users have it. With ``session``, a Spark session runs from the beginning.

Each line of standard input is a section, as JSON: a list of steps, each with where it stands, its language and its text. Each line
of standard output says how it ended: JSON, ``null`` or the error. What the steps print goes to standard error, with where each step
stands before it. Sections share one Spark session, which each leaves as it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import subprocess
import sys
import traceback
from typing import Any, Dict, Iterator, List, Optional

from jellybridge import configure_spark
from jellybridge.cli import main

IN_PROCESS, SESSION = "in-process" in sys.argv, "session" in sys.argv


def run(steps: List[Dict[str, str]]) -> None:
    names: Dict[str, Any] = {"__name__": "__main__"}
    for step in steps:
        print("==", step["where"], file=sys.stderr, flush=True)
        if step["language"] == "python":
            python(step["where"], step["text"], names)
        elif step["language"] == "sql":
            for statement in filter(str.strip, step["text"].split(";")):
                names["spark"].sql(statement).collect()
        else:
            words = command(step["text"]) if IN_PROCESS else None
            if words is None:
                subprocess.run(["bash", "-o", "pipefail", "-c", step["text"]], check=True)
            elif main(words) != 0:
                raise RuntimeError(f"{step['where']}: {step['text']} failed")


def command(text: str) -> Optional[List[str]]:
    """Returns the arguments of a command of jellybridge; ``None`` if that takes a shell."""
    line = text.replace("\\\n", " ").strip()
    bare = re.sub(r"""'[^']*'|"[^"$`\\]*\"""", "", line)
    if not line.startswith("jellybridge ") or re.search(r"[|<>&;$`*?~{}\n]", bare):
        return None
    return shlex.split(line, comments=True)[1:]


def python(where: str, text: str, names: Dict[str, Any]) -> None:
    exec(compile(text, where, "exec"), names)
    if "spark" in names:
        # A streaming query goes on until it is stopped; here, until it has had all that there is.
        for query in names["spark"].streams.active:
            query.processAllAvailable()
            query.stop()


@contextlib.contextmanager
def session_as_it_was() -> Iterator[None]:
    """Takes back what a section does to the session: queries, views, settings, and the catalog that it goes by."""
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession()
    before = spark.conf.getAll if spark is not None else None
    yield
    spark = SparkSession.getActiveSession()
    if spark is None:
        return
    for query in spark.streams.active:
        query.stop()
    spark.catalog.setCurrentCatalog("spark_catalog")
    for table in spark.sql("SHOW TABLES").collect():
        spark.catalog.dropTempView(table.tableName)
    if before is not None:
        after = spark.conf.getAll
        for name in after.keys() - before.keys():
            spark.conf.unset(name)


def serve() -> None:
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # what commands and the JVM print
        if SESSION:
            from pyspark.sql import SparkSession

            configure_spark(SparkSession.builder).getOrCreate()
        for line in sys.stdin:
            error = None
            try:
                with session_as_it_was():
                    run(json.loads(line))
            except Exception:
                error = traceback.format_exc()
            print(json.dumps(error), file=answers, flush=True)


if __name__ == "__main__":
    serve()
