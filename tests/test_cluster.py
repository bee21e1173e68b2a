"""Two real executor JVMs, with the jar brought in both ways."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import List

import jellybridge
import pytest
from jvm_environment import short_jvm, spark_environment

pytestmark = pytest.mark.full("cluster")

JOB = Path(__file__).with_name("cluster_job.py")


def run(command: List[str]) -> None:
    done = subprocess.run(command, env=spark_environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "cluster job done" in done.stdout, done.stdout[-4000:] + done.stderr[-8000:]


def test_the_jar_in_spark_jars_reaches_the_executors() -> None:
    run([sys.executable, str(JOB), "spark.jars"])


def test_the_jar_in_spark_submit_reaches_the_executors() -> None:
    submit = Path(sys.executable).with_name("spark-submit")
    options = ["--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false", "--jars", jellybridge.jar_path()]
    options += ["--conf", f"spark.executor.defaultJavaOptions={' '.join(short_jvm('spark'))}"]
    run([str(submit), *options, str(JOB)])
