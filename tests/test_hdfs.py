"""Patch logs on HDFS: a namenode and a datanode in a process of their own, Spark, and a dataset that follows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Iterator, List

import pytest
from fuseki_server import java
from jvm_environment import SHORT
from pyspark.sql import SparkSession

from jellybridge import CHANGES_SCHEMA, ChangeRow, Dataset, JellybridgeError, LogConflictError, PatchLog, write_patch

pytestmark = pytest.mark.full("hdfs")

CLASS_PATH = Path(__file__).resolve().parent.parent / "build" / "classpaths" / "hdfs.txt"
SECONDS = 240


@pytest.fixture(scope="module")
def hdfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a namenode."""
    folder = tmp_path_factory.mktemp("hdfs")
    details = folder / "details.json"
    with (folder / "said").open("wb") as said:
        cluster = subprocess.Popen(
            [java(5), "-Xmx512m", *SHORT, "-cp", CLASS_PATH.read_text(), "org.apache.hadoop.test.MiniDFSClusterManager",
             "-D", f"hdfs.minidfs.basedir={folder}", "-datanodes", "1", "-format", "-writeDetails", str(details)],
            stdout=said, stderr=said,
        )
    try:
        end = time.monotonic() + SECONDS
        while not (details.is_file() and details.read_text().endswith("}")):
            assert cluster.poll() is None and time.monotonic() < end, (folder / "said").read_text()[-4000:]
            time.sleep(0.1)
        yield f"hdfs://localhost:{json.loads(details.read_text())['namenode_port']}"
    finally:
        cluster.kill()
        cluster.wait()


def statement(patch: int, name: str) -> ChangeRow:
    return ChangeRow(patch, None, 0, "A", f"<urn:{name}>", "<urn:p>", '"o"')


def save(spark: SparkSession, names: List[str], address: str) -> None:
    rows = [statement(patch, name) for patch, name in enumerate(names)]
    spark.createDataFrame(rows, CHANGES_SCHEMA).write.format("rdf-patch-log").mode("append").save(address)


def test_what_spark_appends_spark_reads_in_many_tasks_and_as_of_a_version(spark: SparkSession, hdfs: str) -> None:
    address = f"{hdfs}/by spark"
    with PatchLog.create(address) as log:
        save(spark, ["a", "b", "c", "d"], address)
        read = spark.read.format("rdf-patch-log").option("patchesPerPartition", 1).load(address)
        assert read.rdd.getNumPartitions() == 4
        added = read.where("op = 'A'").select("patch", "subject").collect()
        assert sorted(map(tuple, added)) == [(1, "<urn:a>"), (2, "<urn:b>"), (3, "<urn:c>"), (4, "<urn:d>")]
        assert log.head.version == 4
        assert {row.subject for row in log.as_of(spark, version=2).collect()} == {"<urn:a>", "<urn:b>"}


def test_a_stream_goes_from_one_log_to_another_and_each_patch_is_there_once(
    spark: SparkSession, hdfs: str, tmp_path: Path
) -> None:
    source, target = f"{hdfs}/source", f"{hdfs}/target"
    PatchLog.create(source).close()
    PatchLog.create(target).close()
    for names in (["a", "b", "c"], ["d", "e"]):
        save(spark, names, source)
        for _ in range(2):
            spark.readStream.format("rdf-patch-log").option("maxPatchesPerTrigger", 2).load(source).writeStream.format(
                "rdf-patch-log"
            ).option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True).start(
                target
            ).awaitTermination(SECONDS)
    with PatchLog.open(source) as one, PatchLog.open(target) as other:
        ids = [(entry.version, entry.id, entry.prev) for entry in one.entries()]
        assert len(ids) == 5
        assert ids == [(entry.version, entry.id, entry.prev) for entry in other.entries()]


def test_a_dataset_follows(spark: SparkSession, hdfs: str) -> None:
    address = f"{hdfs}/followed"
    PatchLog.create(address).close()
    with Dataset.open("mem:") as dataset:
        for names, there in ((["a", "b"], 2), (["c"], 3), ([], 3)):
            save(spark, names, address)
            assert dataset.sync(address).patches == len(names)
            assert len(dataset.query("SELECT ?s { ?s ?p ?o }")) == there
        with pytest.raises(ValueError, match="source_options"):
            dataset.sync(address, source_options={"user": "me"})


def test_files_are_appended_once_and_fetched_and_what_needs_a_folder_says_so(
    spark: SparkSession, hdfs: str, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        write_patch(tmp_path / f"{name}.jellyp", [statement(0, name)])
    with PatchLog.create(f"{hdfs}/files") as log:
        for _ in range(2):
            log.append(tmp_path / "one.jellyp", tmp_path / "two.jellyp")
            assert log.head.version == 2
        with pytest.raises(LogConflictError):
            log.append(tmp_path / "one.jellyp", prev=next(iter(log.entries())).id)
        assert log.fetch(tmp_path / "all.jellyp").patches == 2
        for refused in (log.check, log.repair):
            with pytest.raises(JellybridgeError, match="is no folder of this machine"):
                refused()
    with pytest.raises(JellybridgeError, match="open it"):
        PatchLog.create(f"{hdfs}/files")
    with pytest.raises(JellybridgeError, match="no patch log"):
        PatchLog.open(f"{hdfs}/none")


def test_a_log_is_joined_and_pruned_and_its_states_are_read(spark: SparkSession, hdfs: str, tmp_path: Path) -> None:
    address = f"{hdfs}/states"
    with PatchLog.create(address) as log:
        for number in range(4):
            write_patch(tmp_path / "one.jellyp", [statement(0, f"s{number}")])
            log.append(tmp_path / "one.jellyp")
        assert (log.compact().after, log.checkpoint(2, progress=False).is_new) == (1, True)
        write_patch(tmp_path / "one.jellyp", [statement(0, "s4")])
        log.append(tmp_path / "one.jellyp")
        assert [log.as_of(spark, version=version).count() for version in (1, 2, 5)] == [1, 2, 5]
        assert log.state(tmp_path / "state.nq", version=4, progress=False).quads == 4
        assert log.checkpoint(4, progress=False).quads == 4
        assert log.prune(before=5).first == 5
        assert log.as_of(spark).count() == 5 and log.verify(progress=False).ok
        assert log.history(spark, subject="<urn:s4>").count() == 1
    with Dataset.open("mem:") as dataset:
        assert (dataset.sync(address).patches, len(dataset)) == (1, 5)
    with PatchLog.create(f"{hdfs}/begun", state=tmp_path / "state.nq") as log:
        assert (log.head.version, log.as_of(spark).count()) == (1, 4)
    shown = spark.read.format("rdf-patch-log").option("startingVersion", "state").load(f"{hdfs}/begun")
    assert shown.where("op = 'A'").count() == 4


def test_of_writers_at_once_each_has_all_of_its_patches_in(spark: SparkSession, hdfs: str) -> None:
    address = f"{hdfs}/writers"
    PatchLog.create(address).close()
    failed: List[BaseException] = []

    def write(writer: int) -> None:
        for number in range(3):
            while True:
                try:
                    save(spark, [f"{writer}-{number}"], address)
                    break
                except Exception as e:
                    if "LogConflict" not in str(e):
                        failed.append(e)
                        return

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(3)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    assert not failed
    rows = spark.read.format("rdf-patch-log").load(address).where("op = 'A'").select("subject").collect()
    assert sorted(row.subject for row in rows) == [f"<urn:{writer}-{number}>" for writer in range(3) for number in range(3)]


def test_without_spark_it_says_what_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jellybridge", "log", "list", "hdfs://localhost:1/log"],
        capture_output=True, text=True, env=dict(os.environ), timeout=SECONDS,
    )
    assert done.returncode != 0
    assert "start a Spark session" in done.stderr, done.stderr
