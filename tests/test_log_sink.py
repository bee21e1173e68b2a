"""The sink ``rdf-patch-log``: change rows are appended to a patch log, each patch once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple

import pytest
from conftest import jvm_warnings
from frames import local_frame
from fuseki_server import FusekiServer
from log_histories import History, state
from pyspark.errors import IllegalArgumentException
from pyspark.sql import DataFrame, SparkSession
from jvm_environment import spark_environment

import jellybridge
from jellybridge import CHANGES_SCHEMA, ChangeRow, JellybridgeError, PatchLog, write_patch

pytestmark = pytest.mark.settings


@pytest.fixture(scope="module", params=["folder", "server"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where logs are made: a folder, or a server's address."""
    folder = tmp_path_factory.mktemp("logs")
    if request.param == "folder":
        yield str(folder)
        return
    with FusekiServer(module=True, log=folder.parent / "said", logs=folder) as server:
        yield server.url.replace("/ds", "/$/patch-logs")


@pytest.fixture
def address(place: str, request: pytest.FixtureRequest) -> str:
    name = f"{place}/log-{abs(hash(request.node.name))}"
    PatchLog.create(name).close()
    return name


def statement(patch: int, row: int, name: str, op: str = "A") -> ChangeRow:
    return ChangeRow(patch, None, row, op, f"<urn:{name}>", "<urn:p>", '"o"')


def header(patch: int, row: int, name: str, number: int) -> ChangeRow:
    return ChangeRow(patch, None, row, "H", name=name, value=f"<urn:uuid:{uuid(number)}>")


def uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def save(spark: SparkSession, rows: List[ChangeRow], address: str, **options: Any) -> None:
    frame = local_frame(spark, rows, CHANGES_SCHEMA)
    frame.write.format("rdf-patch-log").mode("append").options(**options).save(address)


def subjects(spark: SparkSession, address: str) -> List[List[str]]:
    """The subjects of what each patch adds, in their order."""
    rows = spark.read.format("rdf-patch-log").load(address).where("op = 'A'").orderBy("patch", "row").collect()
    versions: dict[int, List[str]] = {}
    for row in rows:
        versions.setdefault(row.patch, []).append(row.subject[5:-1])
    assert list(versions) == list(range(1, len(versions) + 1))
    return list(versions.values())


def ids(address: str) -> List[Tuple[Optional[str], Optional[str]]]:
    with PatchLog.open(address) as log:
        return [(entry.id, entry.prev) for entry in log.entries()]


# --- batch


def test_a_patch_is_appended_for_each_number_in_their_order(spark: SparkSession, address: str) -> None:
    rows = [statement(7, 1, "c"), statement(3, 2, "b"), statement(7, 0, "b2"), statement(3, 0, "a")]
    frame = local_frame(spark, rows, CHANGES_SCHEMA).repartition(4, "subject")
    frame.write.format("rdf-patch-log").mode("append").save(address)
    assert subjects(spark, address) == [["a", "b"], ["b2", "c"]]
    save(spark, [statement(0, 0, "d")], address)
    assert subjects(spark, address) == [["a", "b"], ["b2", "c"], ["d"]]
    chain = ids(address)
    assert [prev for _, prev in chain] == [None, *(one for one, _ in chain[:-1])]


def test_what_a_patch_says_of_its_place_counts(spark: SparkSession, address: str) -> None:
    save(spark, [header(0, 0, "id", 1), statement(0, 1, "a"), header(1, 0, "id", 2), header(1, 1, "prev", 1),
                 statement(1, 2, "b")], address)
    assert ids(address) == [(uuid(1), None), (uuid(2), uuid(1))]
    with pytest.raises(JellybridgeError, match=f"the patch follows patch {uuid(1)}, but the log's head is patch {uuid(2)}"):
        save(spark, [header(0, 0, "id", 3), header(0, 1, "prev", 1), statement(0, 2, "c")], address)
    with pytest.raises(JellybridgeError, match="with other rows or after another patch"):
        save(spark, [header(0, 0, "id", 1), statement(0, 1, "another")], address)
    # What is there is not appended again, and what follows it goes on behind.
    save(spark, [header(0, 0, "id", 1), statement(0, 1, "a"), header(1, 0, "id", 4), statement(1, 1, "d")], address)
    assert [each for each, _ in ids(address)] == [uuid(1), uuid(2), uuid(4)]


def test_a_numbered_batch_comes_once_whatever_came_after_it(spark: SparkSession, address: str) -> None:
    batch = [statement(0, 0, "a"), statement(1, 0, "b")]
    save(spark, batch, address, txnAppId="app", txnVersion=4)
    save(spark, [statement(0, 0, "c")], address, txnAppId="app", txnVersion=5)
    save(spark, batch, address, txnAppId="app", txnVersion=4)
    save(spark, batch[:1], address, txnAppId="another", txnVersion=4)
    assert subjects(spark, address) == [["a"], ["b"], ["c"], ["a"]]
    with pytest.raises(JellybridgeError, match="give this one an id of its own"):
        save(spark, [statement(0, 0, "other")], address, txnAppId="app", txnVersion=4)


def test_one_patch_that_is_made_anew_under_its_number_is_skipped(spark: SparkSession, address: str) -> None:
    save(spark, [statement(0, 0, "a")], address, txnAppId="app", txnVersion=4)
    with jvm_warnings(spark) as warnings:
        save(spark, [statement(0, 0, "other")], address, txnAppId="app", txnVersion=4)
    assert subjects(spark, address) == [["a"]]
    assert "batch 4 of 'app' is version 1 already, with other rows; nothing is appended" in warnings()


def test_no_rows_append_nothing(spark: SparkSession, address: str) -> None:
    save(spark, [], address)
    assert ids(address) == []


def test_what_nobody_could_apply_is_refused_and_the_patches_before_it_stay(spark: SparkSession, address: str) -> None:
    with pytest.raises(JellybridgeError):
        save(spark, [statement(0, 0, "a"), ChangeRow(1, None, 0, "H", name="id", value='"no uuid"'),
                     statement(1, 1, "b")], address)
    assert subjects(spark, address) == [["a"]]


@pytest.mark.parametrize("options, says", [
    ({"txnAppId": "x"}, "go together"), ({"stagingDirs": "x"}, "did you mean 'stagingDir'"), ({"timeout": 5}, "no server"),
])
def test_a_wrong_option_is_refused_by_name(spark: SparkSession, tmp_path: Path, options: Any, says: str) -> None:
    PatchLog.create(tmp_path / "log").close()
    with pytest.raises(Exception, match=says):
        save(spark, [statement(0, 0, "a")], str(tmp_path / "log"), **options)


def test_columns_that_have_no_order_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    PatchLog.create(tmp_path / "log").close()
    frame = local_frame(spark, [statement(0, 0, "a")], CHANGES_SCHEMA).drop("row")
    with pytest.raises(Exception, match="no column 'row'"):
        frame.write.format("rdf-patch-log").mode("append").save(str(tmp_path / "log"))
    with pytest.raises(Exception, match="is no patch log"):
        save(spark, [statement(0, 0, "a")], str(tmp_path / "nothing"))
    with pytest.raises(IllegalArgumentException, match="nothing is no patch log: .* create one by"):
        spark.read.format("rdf-patch-log").load(str(tmp_path / "nothing")).count()
    with pytest.raises(Exception, match="read it without a schema"):
        spark.read.schema("op STRING, row BIGINT").format("rdf-patch-log").load(str(tmp_path / "log")).collect()


def test_a_log_that_is_written_has_all_kinds_of_rows_as_they_were(spark: SparkSession, tmp_path: Path) -> None:
    made = History(tmp_path, 3)
    rows = spark.read.format("rdf-patch-log").load(str(made.folder))
    PatchLog.create(tmp_path / "copy").close()
    rows.write.format("rdf-patch-log").mode("append").save(str(tmp_path / "copy"))
    copy = spark.read.format("rdf-patch-log").load(str(tmp_path / "copy"))
    # The chain is of the log that a patch is in.
    rows, copy = (each.where("name IS NULL OR name <> 'chain'") for each in (rows, copy))
    assert copy.exceptAll(rows).count() == rows.exceptAll(copy).count() == 0
    assert state(spark.read.format("rdf-dataset").load(str(tmp_path / "copy"))) == made.states[-1]


# --- rows that have their order


def in_partitions(spark: SparkSession, rows: List[ChangeRow], partitions: int) -> DataFrame:
    return spark.createDataFrame(spark.sparkContext.parallelize(map(tuple, rows), partitions), CHANGES_SCHEMA)


def transactions() -> List[ChangeRow]:
    """Five patches, with transactions that are kept and aborted, and statements beside them."""
    rows: List[ChangeRow] = []
    for patch in range(5):
        kinds = ["H", *("TX", "A", "A", "TC") * (patch % 3), "TX", "PA", "D", "TA", "A"]
        for number, op in enumerate(kinds):
            place = (2 * patch + 1, None, 3 * number)
            if op == "H":
                rows.append(header(place[0], place[2], "id", patch + 1))
            elif op == "PA":
                rows.append(ChangeRow(*place, "PA", name="p", value="<urn:p:>"))
            elif op in "AD":
                rows.append(statement(place[0], place[2], f"{patch}-{number}", op))
            else:
                rows.append(ChangeRow(*place, op))
    return rows


def without_stamps(spark: SparkSession, log: Path) -> List[Any]:
    """The rows but for the headers that each log has of its own, without their numbers."""
    rows = spark.read.format("rdf-patch-log").load(str(log)).where("op <> 'H' or name not in ('time', 'chain')")
    return [tuple(row)[:2] + tuple(row)[3:] for row in rows.orderBy("patch", "row").collect()]


def test_pieces_make_the_patches_that_one_task_makes_wherever_they_are_cut(spark: SparkSession, tmp_path: Path) -> None:
    rows = transactions()
    PatchLog.create(tmp_path / "one").close()
    save(spark, rows, str(tmp_path / "one"))
    expected = without_stamps(spark, tmp_path / "one")
    assert len(expected) == len(rows) + 4  # each but the first follows another
    for partitions in (*range(1, 12), len(rows), 3 * len(rows)):
        log = tmp_path / f"log-{partitions}"
        PatchLog.create(log).close()
        in_partitions(spark, rows, partitions).write.format("rdf-patch-log").option("inOrder", True).mode("append").save(str(log))
        assert without_stamps(spark, log) == expected, partitions


def test_a_difference_in_ranges_is_one_patch(spark: SparkSession, address: str) -> None:
    old = spark.range(4000).selectExpr("concat('<urn:', id, '>') subject", "'<urn:p>' predicate", "'\"o\"' object",
                                       "if(id % 2 = 0, '<urn:g>', null) graph")
    new = old.where("subject > '<urn:2'").unionByName(old.selectExpr("subject", "predicate", "'\"n\"' object", "graph"))
    changes = jellybridge.diff(old, new, partitions=6, id=f"<urn:uuid:{uuid(1)}>")
    assert changes.rdd.getNumPartitions() == 6
    one = jellybridge.diff(old, new, id=f"<urn:uuid:{uuid(1)}>")
    terms = ["op", "subject", "predicate", "object", "graph", "name", "value"]
    assert changes.select(terms).collect() == one.select(terms).collect()
    places = [row.row for row in changes.collect()]
    assert places == sorted(set(places))
    # Again, as Spark does that does not know that it was taken.
    for _ in range(2):
        changes.write.format("rdf-patch-log").option("inOrder", True).mode("append").save(address)
    assert ids(address) == [(uuid(1), None)]
    there = spark.read.format("rdf-patch-log").load(address).where("op <> 'H'").orderBy("row").select(terms).collect()
    assert there == one.where("op <> 'H'").orderBy("row").select(terms).collect()


def test_a_log_is_copied_by_many_tasks(spark: SparkSession, tmp_path: Path) -> None:
    made = History(tmp_path, 5)
    rows = spark.read.format("rdf-patch-log").option("patchesPerPartition", 2).load(str(made.folder))
    assert rows.rdd.getNumPartitions() > 2
    PatchLog.create(tmp_path / "copy").close()
    rows.write.format("rdf-patch-log").option("inOrder", True).mode("append").save(str(tmp_path / "copy"))
    assert ids(str(tmp_path / "copy")) == ids(str(made.folder))
    assert state(spark.read.format("rdf-dataset").load(str(tmp_path / "copy"))) == made.states[-1]


def test_rows_that_have_no_order_are_refused_and_nothing_is_there(spark: SparkSession, address: str) -> None:
    rows = transactions()

    def refused(given: List[ChangeRow], partitions: int, says: str) -> None:
        with pytest.raises(JellybridgeError, match=says):
            in_partitions(spark, given, partitions).write.format("rdf-patch-log").option("inOrder", True).mode(
                "append").save(address)
        assert ids(address) == []

    half = len(rows) // 2
    refused([*rows[half:], *rows[:half]], 2, "the rows of the partitions are not in order: patch 1, row 0 comes in one after")
    refused([*rows[: half + 1], *rows[half:]], len(rows) + 1, "are not in order")
    refused(rows[::-1], 1, "rows are out of order")
    refused([*rows[:4], rows[2]], 1, "rows are out of order")


@pytest.mark.parametrize("partitions", [1, 2, 3, 4])
def test_a_transaction_that_does_not_end_in_its_patch_is_refused(spark: SparkSession, address: str, partitions: int) -> None:
    begun = [ChangeRow(0, None, 0, "TX"), statement(0, 1, "a"), statement(0, 2, "b")]
    for rows in (begun, [*begun, statement(1, 0, "c")], [*begun, ChangeRow(0, None, 3, "TX")], [*begun[1:], ChangeRow(0, None, 3, "TC")]):
        with pytest.raises(JellybridgeError, match="P-10[1245]|within a transaction|outside of a transaction"):
            in_partitions(spark, rows, partitions).write.format("rdf-patch-log").option("inOrder", True).mode(
                "append").save(address)
        assert ids(address) == []


def test_writers_at_once_all_append(spark: SparkSession, address: str) -> None:
    def write(writer: int) -> None:
        for batch in range(5):
            rows = [statement(patch, 0, f"{writer}-{batch}-{patch}") for patch in range(3)]
            save(spark, rows, address, txnAppId=f"writer {writer}", txnVersion=batch)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [name for [name] in subjects(spark, address)]
    assert len(found) == len(set(found)) == 45
    for writer in range(3):
        own = [name for name in found if name.startswith(f"{writer}-")]
        assert own == [f"{writer}-{batch}-{patch}" for batch in range(5) for patch in range(3)]


# --- streaming


class Stream:
    """A query from a folder of patches into a log, one file a batch."""

    def __init__(self, spark: SparkSession, folder: Path, address: str) -> None:
        self.spark, self.patches, self.state, self.address = spark, folder / "patches", folder / "checkpoint", address
        self.patches.mkdir()
        self.files = 0

    def add(self, *rows: ChangeRow) -> None:
        write_patch(self.patches / f"{self.files:06}.jellyp", rows)
        os.utime(self.patches / f"{self.files:06}.jellyp", (self.files, self.files))
        self.files += 1

    def run(self) -> None:
        changes = self.spark.readStream.format("jelly-patch").schema(CHANGES_SCHEMA).option("maxFilesPerTrigger", 1)
        changes.load(str(self.patches)).writeStream.format("rdf-patch-log").option(
            "checkpointLocation", str(self.state)).trigger(availableNow=True).start(self.address).awaitTermination()

    def forget_last_commit(self) -> None:
        """As if Spark had been killed after the log had the batch, and before it noted this itself."""
        last = max(int(file.name) for file in (self.state / "commits").iterdir() if file.name.isdigit())
        for name in (str(last), f".{last}.crc"):
            (self.state / "commits" / name).unlink(missing_ok=True)


def test_a_query_goes_on_where_it_stopped(spark: SparkSession, tmp_path: Path, address: str) -> None:
    stream = Stream(spark, tmp_path, address)
    stream.add(statement(0, 0, "a"), statement(1, 0, "b"))
    stream.add(statement(0, 0, "c"))
    stream.run()
    stream.add(statement(0, 0, "d"))
    stream.run()
    stream.run()
    assert subjects(spark, address) == [["a"], ["b"], ["c"], ["d"]]


def test_a_batch_that_spark_runs_again_is_in_the_log_once(spark: SparkSession, tmp_path: Path, address: str) -> None:
    stream = Stream(spark, tmp_path, address)
    stream.add(statement(0, 0, "a"), statement(1, 0, "b"))
    stream.run()
    # Another writer comes in between, so that the batch is not the last thing in the log.
    save(spark, [statement(0, 0, "x")], address)
    stream.forget_last_commit()
    stream.add(statement(0, 0, "c"))
    stream.run()
    assert subjects(spark, address) == [["a"], ["b"], ["x"], ["c"]]


def test_an_older_checkpoint_appends_nothing_again(spark: SparkSession, tmp_path: Path, address: str) -> None:
    source = str(tmp_path / "source")
    PatchLog.create(source).close()

    def run(checkpoint: str, size: int) -> None:
        rows = spark.readStream.format("rdf-patch-log").option("maxPatchesPerTrigger", size).load(source).where("op = 'A'")
        rows.writeStream.format("rdf-patch-log").option("checkpointLocation", str(tmp_path / checkpoint)).trigger(
            availableNow=True).start(address).awaitTermination()

    save(spark, [statement(0, 0, "a")], source)
    run("checkpoint", 1)
    for copy in ("of other batches", "of the same batches", "of smaller batches"):
        shutil.copytree(tmp_path / "checkpoint", tmp_path / copy)
    save(spark, [statement(0, 0, "b"), statement(1, 0, "c")], source)
    run("checkpoint", 1)
    with pytest.raises(Exception, match="this is batch 1 of the query .* has batch 2 already: the checkpoint is older than the log"):
        run("of other batches", 2)
    run("of the same batches", 1)
    assert subjects(spark, address) == [["a"], ["b"], ["c"]]
    # The query goes on with all new patches in one batch, in a log of its own.
    address = str(tmp_path / "another")
    PatchLog.create(address).close()
    shutil.rmtree(tmp_path / "checkpoint")
    shutil.copytree(tmp_path / "of smaller batches", tmp_path / "checkpoint")
    run("checkpoint", 2)
    with pytest.raises(Exception, match="this is batch 1 of the query .* has it with more patches already: the checkpoint is older"):
        run("of smaller batches", 1)
    assert subjects(spark, address) == [["b"], ["c"]]


def test_a_batch_of_which_half_got_in_is_completed(spark: SparkSession, tmp_path: Path) -> None:
    address = str(tmp_path / "log")
    PatchLog.create(address).close()
    stream = Stream(spark, tmp_path, address)
    stream.add(statement(0, 0, "a"), statement(1, 0, "b"))
    stream.run()
    with PatchLog.open(address) as log:
        log.fetch(tmp_path / "first.jellyp", 1, 1)
        (tmp_path / "log" / "00000000000000000001.jellyp").unlink()
    with PatchLog.open(address) as log:
        log.append(tmp_path / "first.jellyp")
    stream.forget_last_commit()
    stream.run()
    assert subjects(spark, address) == [["a"], ["b"]]


def test_the_same_patch_of_two_batches_is_two(spark: SparkSession, tmp_path: Path, address: str) -> None:
    stream = Stream(spark, tmp_path, address)
    for _ in range(2):
        stream.add(statement(0, 0, "a"))
    stream.run()
    assert subjects(spark, address) == [["a"], ["a"]]


def test_a_stream_of_a_log_makes_a_copy_of_it(spark: SparkSession, tmp_path: Path, address: str) -> None:
    made = History(tmp_path, 8)
    source = spark.readStream.format("rdf-patch-log").option("maxPatchesPerTrigger", 2).load(str(made.folder))
    for _ in range(2):
        source.writeStream.format("rdf-patch-log").option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(
            availableNow=True).start(address).awaitTermination()
    assert ids(address) == ids(str(made.folder))


JOB = """
import sys
from pyspark.sql import SparkSession
import jellybridge
folder = sys.argv[1]
spark = jellybridge.configure_spark(SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    .config("spark.driver.memory", "512m").config("spark.sql.shuffle.partitions", "1")
    .config("spark.log.level", "ERROR")).getOrCreate()
source = spark.readStream.format("jelly-patch").schema(jellybridge.CHANGES_SCHEMA).option("maxFilesPerTrigger", 1)
query = source.load(folder + "/patches").writeStream.format("rdf-patch-log").option(
    "checkpointLocation", folder + "/checkpoint").trigger(availableNow=True).start(folder + "/log")
print("started", flush=True)
query.awaitTermination()
"""


@pytest.mark.full("long")
def test_a_query_that_is_killed_again_and_again_has_each_patch_in_the_log_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    PatchLog.create(tmp_path / "log").close()
    stream = Stream(spark, tmp_path, str(tmp_path / "log"))
    for file in range(20):
        stream.add(statement(0, 0, f"{file}-0"), statement(1, 0, f"{file}-1"))
    job = tmp_path / "job.py"
    job.write_text(JOB)
    kills = 0
    for _ in range(20):
        before = len(ids(str(tmp_path / "log")))
        process = subprocess.Popen([sys.executable, str(job), str(tmp_path)], stdout=subprocess.PIPE, text=True,
                                   env=spark_environment(), start_new_session=True)
        assert process.stdout is not None and process.stdout.readline() == "started\n"
        until = time.monotonic() + 60
        while process.poll() is None and len(ids(str(tmp_path / "log"))) < before + 20 and time.monotonic() < until:
            time.sleep(0.01)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
        process.stdout.close()
        if process.returncode == 0:
            break
    assert kills >= 2
    found = [name for [name] in subjects(spark, str(tmp_path / "log"))]
    assert found == [f"{file}-{patch}" for file in range(20) for patch in range(2)]
    assert json.loads((tmp_path / "checkpoint" / "metadata").read_text())["id"]
    assert jellybridge.PatchLog.open(tmp_path / "log").check() == []
