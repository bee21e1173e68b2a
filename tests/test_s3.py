"""Patch logs in a bucket: a server of S3, which loses answers, and a Spark with Hadoop's client of it, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

import s3_job
from jvm_environment import spark_environment
from s3_server import S3Server

pytestmark = pytest.mark.full("s3")

CLASS_PATH = Path(__file__).resolve().parent.parent / "build" / "classpaths" / "s3.txt"
SECONDS = 600


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dict[str, Any]]:
    """What the job found."""
    folder = tmp_path_factory.mktemp("s3")
    server = S3Server(folder / "server")
    try:
        server.call("PUT", "/bucket")
        environment = spark_environment(
            S3_JARS=CLASS_PATH.read_text().strip().replace(os.pathsep, ","), S3_SETTINGS=json.dumps(server.hadoop()),
            S3_SERVER=server.url,
        )
        done = subprocess.run([sys.executable, s3_job.__file__, str(folder)], env=environment, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
        yield json.loads(done.stdout.splitlines()[-1])
    finally:
        server.close()


def test_what_spark_appends_spark_reads_in_many_tasks_and_as_of_a_version(said: Dict[str, Any]) -> None:
    assert said["tasks"] == 4
    assert said["read"] == [[1, "<urn:a>"], [2, "<urn:b>"], [3, "<urn:c>"], [4, "<urn:d>"]]
    assert said["as_of"] == ["<urn:a>", "<urn:b>"]


def test_a_stream_goes_from_one_log_to_another_and_each_patch_is_there_once(said: Dict[str, Any]) -> None:
    assert said["source"] == said["target"] and len(said["source"]) == 5


def test_a_dataset_follows(said: Dict[str, Any]) -> None:
    assert said["followed"] == [[2, 2], [1, 3], [0, 3]]


def test_an_append_whose_answer_is_lost_is_in_once(said: Dict[str, Any]) -> None:
    assert said["lost"] == [1, 2, 2]


def test_of_writers_at_once_each_has_all_of_its_patches_in(said: Dict[str, Any]) -> None:
    assert said["writers"] == sorted(f"<urn:{writer}-{number}>" for writer in range(3) for number in range(3))


@pytest.mark.parametrize("case, words", [
    ("none", "no patch log"), ("there", "open it"), ("bucket", "bucket does not exist"), ("s3", "write s3a://"),
    ("gs", "client of gs is not here"), ("forgetful", "conditional writes"), ("conflict", "head"),
])
def test_an_error_says_where_and_what(said: Dict[str, Any], case: str, words: str) -> None:
    assert words in said["errors"][case], said["errors"][case]
    assert "a secret" not in said["errors"][case]
