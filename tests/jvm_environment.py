"""Options and environment of the JVMs that tests start."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Dict, List

#: Processes of tests are short: their JVMs start faster with the first compiler alone.
#: That compiler's usual 48 MB of code fill up in a long session, and Java then goes on without a compiler.
#: They keep temporary files where this process does; Java by itself knows no TMPDIR.
#: And the rows of their bulk loads are few.
SHORT = ["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseSerialGC", "-Djellybridge.bulk-load-rows=5000",
         f"-Djava.io.tmpdir={tempfile.gettempdir()}"]

#: Queries of tests are short as well: Spark takes longer to compile code for one than to interpret it.
INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
#: Spark compiles code for queries, as users have it.
COMPILED = {"spark.sql.codegen.wholeStage": "true", "spark.sql.codegen.factoryMode": "FALLBACK"}


def class_archive(name: str) -> Path:
    """Where the archive of classes is that :mod:`class_archives` makes, for ``spark`` or ``fuseki``."""
    return Path(__file__).resolve().parent.parent / "build" / "cache" / f"tests-{name}.jsa"


def short_jvm(name: str) -> List[str]:
    """Options of a JVM that runs Spark or Fuseki for a short time."""
    archive = class_archive(name)
    return SHORT if not archive.is_file() else [*SHORT, f"-XX:SharedArchiveFile={archive}", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]


def short_driver() -> List[str]:
    """Options of the JVM of a Spark driver. Spark refuses settings of its own among the options of executors, which get them from it."""
    return [*short_jvm("spark"), *(f"-D{name}={value}" for name, value in INTERPRETED.items())]


def spark_environment(*options: str, **more: str) -> Dict[str, str]:
    """As this process's, without what a session of this one has put there; with more options of the JVM and more variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    return {**kept, "PYSPARK_PYTHON": sys.executable, "SPARK_SUBMIT_OPTS": " ".join([*short_driver(), *options]), **more}
