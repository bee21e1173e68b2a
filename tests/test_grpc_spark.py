"""Patch logs over gRPC in Spark: from a dataset that is captured to another one that is equal, through the server."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any, Iterator, List

import pytest
from grpc_server import Served
from pyspark.sql import SparkSession

import jellybridge
from jellybridge import Dataset, JellybridgeError, PatchLog


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    for name in ("changes", "copy"):
        PatchLog.create(tmp_path / name).close()
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    server = Served(tmp_path, f"""[server]
listen = 127.0.0.1:{port}
poll_seconds = 0.05
[topic changes]
log = changes
[topic copy]
log = copy
[topic store]
dataset = mem:
""")
    yield server
    server.kill()


def lines(dataset: Dataset, file: Path) -> List[str]:
    dataset.dump(file)
    return sorted(file.read_text().splitlines())


def stream(spark: SparkSession, address: str, format: str, target: Any, folder: Path, name: str) -> None:
    """All that the log has now goes to a target, a patch a micro-batch."""
    query = (
        spark.readStream.format("rdf-patch-log").option("maxPatchesPerTrigger", 1).load(address)
        .writeStream.format(format).option("target" if format == "jena" else "path", str(target))
        .option("checkpointLocation", str(folder / name)).trigger(availableNow=True).start()
    )
    try:
        query.processAllAvailable()
    finally:
        query.stop()


def test_what_is_captured_and_published_comes_through_spark_into_another_dataset_also_when_the_server_is_killed(
    spark: SparkSession, served: Served, tmp_path: Path
) -> None:
    changes, copy = f"{served.url}/changes", f"{served.url}/copy"
    twin = f"tdb2:{tmp_path / 'twin'}"
    with Dataset.open("mem:", spark=spark) as source, PatchLog.open(changes) as log:
        for turn in range(4):
            with source.capture(tmp_path / f"{turn}.jellyp", position=None):
                source.update(f'INSERT DATA {{ <urn:s{turn}> <urn:p> {turn}, "x"@en, _:b . <urn:t> <urn:p> {turn} }}')
                source.update(f"DELETE WHERE {{ <urn:s{turn - 1}> <urn:p> ?o }}")
            head = log.append(tmp_path / f"{turn}.jellyp")[-1]
            if turn == 2:
                served.kill()
                served.start()
            if turn % 2 == 1:
                stream(spark, changes, "jena", twin, tmp_path, "to-twin")
                stream(spark, changes, "rdf-patch-log", copy, tmp_path, "to-copy")
        stream(spark, changes, "jena", twin, tmp_path, "to-twin")
        stream(spark, changes, "rdf-patch-log", copy, tmp_path, "to-copy")
        assert head.version > 4
        expected = lines(source, tmp_path / "source.nq")
        assert len(expected) > 2
        with Dataset.open(twin, spark=spark) as made:
            assert lines(made, tmp_path / "twin.nq") == expected
        with Dataset.open("mem:", spark=spark) as follower:
            assert follower.sync(copy).patches == head.version, "each patch is in the copy once"
            assert lines(follower, tmp_path / "follower.nq") == expected
        with PatchLog.open(copy) as there:
            assert [entry.id for entry in there.entries()] == [entry.id for entry in log.entries()]
        rows = spark.read.format("rdf-patch-log").option("patchesPerPartition", 3).load(changes)
        assert rows.where("op = 'TC'").count() == head.version


def test_a_topic_that_is_no_log_and_a_server_that_is_gone_are_said(spark: SparkSession, served: Served) -> None:
    with pytest.raises(JellybridgeError, match="FAILED_PRECONDITION: the topic store is a dataset; patches are of a log"):
        PatchLog.open(f"{served.url}/store").head
    with pytest.raises(Exception, match="NOT_FOUND: there is no topic 'nothing' here"):
        spark.read.format("rdf-patch-log").load(f"{served.url}/nothing").count()
    served.kill()
    with pytest.raises(jellybridge.UnreachableError, match="is the server running"):
        PatchLog.open(f"{served.url}/changes", options={"attempts": 1}).head
