"""The environment of processes in which tests start Spark."""

from __future__ import annotations

import os
import sys
from typing import Dict

#: Sessions of tests are short: their JVMs start faster with the first compiler alone.
SUBMIT_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def spark_environment(**more: str) -> Dict[str, str]:
    """As this process's, without what a session of this one has put there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    return {**kept, "PYSPARK_PYTHON": sys.executable, "SPARK_SUBMIT_OPTS": SUBMIT_OPTIONS, **more}
