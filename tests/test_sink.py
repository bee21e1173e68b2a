"""The sink ``jena``: batches of change rows, each in one transaction of a dataset, and each once."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional
from unittest.mock import MagicMock

import pytest
from conftest import jvm_warnings
from frames import local_frame
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StreamingQuery

import jellybridge
from fuseki_server import FusekiServer
from jellybridge import (
    CHANGES_SCHEMA, ChangeRow, Dataset, JellybridgeError, PatchFormatError, PatchLog, TextFormatError, write_patch,
)

pytestmark = pytest.mark.settings

# What a query fails with; where a function of foreachBatch failed, Spark puts its own error around ours.
REFUSED = (JellybridgeError, StreamingQueryException)
SYNC_GRAPH = "<urn:jellybridge:sync>"


def statement(row: int, op: str, name: str, patch: int = 0, tx: Optional[int] = None) -> ChangeRow:
    return ChangeRow(patch, tx, row, op, f"<urn:{name}>", "<urn:p>", '"o"')


def quads(target: str) -> List[Any]:
    """Subjects of what the dataset holds, beside the position of whoever writes to it."""
    with Dataset.open(target) as dataset:
        found = dataset.query("SELECT ?s { ?s ?p ?o } ORDER BY ?s")
        return [row["s"] for row in found]


def positions(target: str) -> List[Any]:
    with Dataset.open(target, positions=True) as dataset:
        return [row["o"] for row in dataset.query(f"SELECT ?o {{ GRAPH {SYNC_GRAPH} {{ ?s ?p ?o }} }}")]


def number(position: int) -> str:
    return f'"{position}"^^<http://www.w3.org/2001/XMLSchema#long>'


@pytest.fixture
def target(tmp_path: Path) -> str:
    return f"tdb2:{tmp_path / 'tdb2'}"


@pytest.fixture
def staging(tmp_path: Path) -> Iterator[Path]:
    """A folder for staging, which has to be empty when the test is over."""
    folder = tmp_path / "staging"
    folder.mkdir()
    yield folder
    # A task that Spark has stopped may still be at it, and then takes away what it made.
    end = time.monotonic() + 30
    while list(folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.05)
    assert list(folder.iterdir()) == []


def write(rows: DataFrame, target: str, staging: Path, **options: Any) -> None:
    rows.write.format("jena").mode("append").options(target=target, stagingDir=str(staging), **options).save()


# --- batch


def test_rows_arrive_in_their_order_whatever_sparks(spark: SparkSession, target: str, staging: Path) -> None:
    rows = [statement(n, "AD"[n % 2], "same") for n in range(199)] + [statement(0, "A", "b", patch=1)]
    shuffled = local_frame(spark, rows, CHANGES_SCHEMA).repartition(9, "row").sortWithinPartitions("op")
    write(shuffled, target, staging)
    assert quads(target) == ["<urn:b>", "<urn:same>"]


@pytest.mark.parametrize("partitions", [1, 2, 7, 40])
def test_rows_in_order_are_staged_in_pieces(spark: SparkSession, target: str, staging: Path, partitions: int) -> None:
    rows = [ChangeRow(0, row=0, op="TX"), *(statement(n, "A", f"{n:02}") for n in range(1, 30)), statement(30, "D", "07"),
            ChangeRow(0, row=31, op="TC"), statement(0, "D", "29", patch=1)]
    pieces = spark.createDataFrame(spark.sparkContext.parallelize(map(tuple, rows), partitions), CHANGES_SCHEMA)
    write(pieces, target, staging, inOrder=True)
    assert quads(target) == [f"<urn:{n:02}>" for n in range(1, 29) if n != 7]
    if partitions > 1:
        turned = spark.createDataFrame(spark.sparkContext.parallelize(map(tuple, rows[20:] + rows[:20]), 3), CHANGES_SCHEMA)
        with pytest.raises(JellybridgeError, match="not in order|out of order"):
            write(turned, target, staging, inOrder=True)
        assert len(quads(target)) == 27


def test_a_batch_is_one_transaction(spark: SparkSession, target: str, staging: Path) -> None:
    good = local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA)
    write(good, target, staging)
    # Not legal in any dataset, and found only when the patch before it was read.
    bad = ChangeRow(1, row=0, op="A", subject='"literal"', predicate="<urn:p>", object='"o"')
    with pytest.raises(PatchFormatError):
        write(local_frame(spark, [statement(0, "A", "b"), bad], CHANGES_SCHEMA), target, staging)
    assert quads(target) == ["<urn:a>"]


def test_an_aborted_block_undoes_itself_alone(spark: SparkSession, target: str, staging: Path) -> None:
    rows = [
        ChangeRow(row=0, op="TX"), statement(1, "A", "a"), ChangeRow(row=2, op="TA"),
        ChangeRow(row=3, op="TX"), statement(4, "A", "b"), ChangeRow(row=5, op="TC"),
    ]
    write(local_frame(spark, rows, CHANGES_SCHEMA), target, staging)
    assert quads(target) == ["<urn:b>"]


def test_a_numbered_batch_comes_once(spark: SparkSession, target: str, staging: Path) -> None:
    def batch(name: str) -> DataFrame:
        return local_frame(spark, [statement(0, "A", name)], CHANGES_SCHEMA)

    write(batch("a"), target, staging, txnAppId="my app", txnVersion=4)
    write(batch("b"), target, staging, txnAppId="my app", txnVersion=4)
    with jvm_warnings(spark) as warnings:
        write(batch("c"), target, staging, txnAppId="my app", txnVersion=3)
    assert "batch 3 of <urn:jellybridge:query:my+app> is not applied, since the dataset has batch 4 of it" in warnings()
    assert quads(target) == ["<urn:a>"] and positions(target) == [number(4)]
    write(batch("d"), target, staging, txnAppId="my app", txnVersion=9)
    write(batch("e"), target, staging, txnAppId="another", txnVersion=0)
    assert quads(target) == ["<urn:a>", "<urn:d>", "<urn:e>"]
    assert sorted(positions(target)) == [number(0), number(9)]


def by_save(rows: DataFrame, target: str) -> None:
    rows.write.format("jena").mode("append").options(target=target, txnAppId="app", txnVersion=0).save()


def by_function(rows: DataFrame, target: str) -> None:
    jellybridge.apply_batch(target, app_id="app")(rows, 0)


@pytest.mark.parametrize("first", [by_save, by_function])
def test_a_first_batch_of_many_rows_is_bulk_loaded_once(
    spark: SparkSession, target: str, staging: Path, tmp_path: Path, first: Callable[[DataFrame, str], None]
) -> None:
    rows = spark.range(5_000).selectExpr(
        "id AS row", "'A' AS op", "concat('<urn:', id, '>') AS subject", "'<urn:p>' AS predicate", "'\"o\"' AS object"
    )
    first(rows, target)
    assert (tmp_path / "tdb2" / "Data-0002").is_dir()
    with Dataset.open(target) as dataset:
        assert len(dataset) == 5_000
        dataset.update("DELETE WHERE { <urn:0> ?p ?o }")
    first(rows, target)
    with Dataset.open(target) as dataset:
        assert len(dataset) == 4_999
    write(local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA), target, staging, txnAppId="app", txnVersion=1)
    assert positions(target) == [number(1)]


def test_batches_without_a_number_all_come(spark: SparkSession, target: str, staging: Path) -> None:
    for name in ("a", "b"):
        write(local_frame(spark, [statement(0, "A", name)], CHANGES_SCHEMA), target, staging)
    assert quads(target) == ["<urn:a>", "<urn:b>"]
    assert len(positions(target)) == 1


def test_no_rows_change_nothing(spark: SparkSession, target: str, staging: Path) -> None:
    write(spark.createDataFrame([], CHANGES_SCHEMA), target, staging)
    assert quads(target) == [] and positions(target) == []
    # The number is kept, by which the next batch is known to follow.
    write(spark.createDataFrame([], CHANGES_SCHEMA).coalesce(1), target, staging, txnAppId="app", txnVersion=1)
    assert quads(target) == [] and positions(target) == [number(1)]


@pytest.mark.parametrize(
    "rows, says",
    [
        ([statement(0, "A", "a"), ChangeRow(row=1, op="TC")], "row 1"),
        ([statement(0, "A", "a"), ChangeRow(row=1, op="TX")], "P-105"),
    ],
)
def test_rows_that_are_no_patch_are_an_error_with_their_place(
    spark: SparkSession, target: str, staging: Path, rows: List[ChangeRow], says: str
) -> None:
    with pytest.raises(PatchFormatError, match=says):
        write(local_frame(spark, rows, CHANGES_SCHEMA), target, staging)
    assert quads(target) == []


def test_rows_without_a_place_are_refused(spark: SparkSession, target: str, staging: Path) -> None:
    two = [statement(1, "A", "a"), statement(1, "D", "a")]
    with pytest.raises(TextFormatError, match="two rows have patch 0, row 1"):
        write(local_frame(spark, two, CHANGES_SCHEMA), target, staging)
    with pytest.raises(TextFormatError, match="null in row"):
        write(spark.sql("SELECT 'TX' AS op, CAST(NULL AS BIGINT) AS row"), target, staging)
    with pytest.raises(Exception, match="no column 'row'"):
        write(spark.sql("SELECT 'TX' AS op"), target, staging)
    with pytest.raises(Exception, match="no column 'op'"):
        write(spark.sql("SELECT 1L AS row"), target, staging)
    with pytest.raises(Exception, match="unknown column 'x'"):
        write(spark.sql("SELECT 'TX' AS op, 1L AS row, 1 AS x"), target, staging)
    with pytest.raises(Exception, match="column 'op' comes twice"):
        write(spark.sql("SELECT 'TX' AS op, 'TC' AS op, 1L AS row"), target, staging)


def test_rows_that_are_no_change_rows_are_an_error_of_one_line_with_their_place(
    spark: SparkSession, target: str, staging: Path
) -> None:
    rows = [statement(0, "A", "a", patch=7), ChangeRow(7, row=1, op="X")]
    with pytest.raises(TextFormatError, match='^.change rows. patch 7, row 1: a row has op "X"; .*$'):
        write(local_frame(spark, rows, CHANGES_SCHEMA), target, staging)
    assert quads(target) == []


WRONG_OPTIONS = pytest.mark.parametrize(
    "options, says",
    [
        ({"target": "mem:"}, "'mem:' is none"),
        ({"target": "tdb2:"}, "'tdb2:' is none"),
        ({}, "'target' is missing"),
        ({"targets": "tdb2:x"}, "unknown option 'targets' of jena"),
        ({"target": "tdb2:x", "txnAppId": "a"}, "go together"),
        ({"target": "tdb2:x", "user": "me"}, "is of no server"),
        ({"target": "http://localhost:1/ds", "attempts": "0"}, "attempts"),
        ({"target": "http://localhost:1/ds", "password": "secret"}, "'password' goes with the option 'user'"),
        ({"target": "tdb2:x", "txnAppId": "a", "txnVersion": "-1"}, "option 'txnVersion' of jena is '-1'; it takes a whole number of at least 0"),
        ({"target": "tdb2:x", "txnConsecutive": "true"}, "'txnConsecutive' goes with 'txnAppId'"),
        ({"target": "tdb2:x", "checkChain": "no"}, "'checkChain' of jena is 'no'"),
    ],
)


@WRONG_OPTIONS
def test_wrong_options_are_refused(spark: SparkSession, options: Any, says: str) -> None:
    rows = local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA)
    with pytest.raises(Exception, match=says):
        rows.write.format("jena").mode("append").options(**options).save()


@WRONG_OPTIONS
def test_wrong_options_of_a_stream_are_refused_when_it_starts(
    spark: SparkSession, tmp_path: Path, options: Any, says: str
) -> None:
    rows = spark.readStream.format("rate").load().selectExpr("value AS row", "'TX' AS op")
    with pytest.raises(Exception, match=says):
        rows.writeStream.format("jena").option("checkpointLocation", str(tmp_path)).options(**options).start()


def test_wrong_columns_of_a_stream_are_refused_when_it_starts(spark: SparkSession, target: str, tmp_path: Path) -> None:
    rates = spark.readStream.format("rate").load()
    for columns, says in (
        (["value AS row"], "no column 'op'"),
        (["'TX' AS op"], "no column 'row'"),
        (["value AS row", "'TX' AS op", "1 AS x"], "unknown column 'x'"),
    ):
        stream = rates.selectExpr(*columns).writeStream.format("jena").option("target", target)
        with pytest.raises(Exception, match=says):
            stream.option("checkpointLocation", str(tmp_path / "state")).start()


def test_a_path_is_refused(spark: SparkSession, target: str, tmp_path: Path) -> None:
    rows = local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA)
    stream = spark.readStream.format("rate").load().selectExpr("value AS row", "'TX' AS op").writeStream.format("jena")
    stream = stream.option("checkpointLocation", str(tmp_path / "state"))
    for options in ({}, {"target": target}):
        with pytest.raises(Exception, match="a path is given.*'target'"):
            rows.write.format("jena").mode("append").options(**options).save(target)
        with pytest.raises(Exception, match="a path is given.*'target'"):
            stream.options(**options).start(target)


def test_what_is_there_is_not_overwritten(spark: SparkSession, target: str) -> None:
    rows = local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA)
    for mode in ("overwrite", "errorifexists"):
        with pytest.raises(Exception, match="(?i)mode|truncate|overwrite"):
            rows.write.format("jena").mode(mode).option("target", target).save()


def test_a_dataset_that_is_open_is_a_clear_error(spark: SparkSession, target: str, staging: Path) -> None:
    with Dataset.open(target):
        with pytest.raises(JellybridgeError, match="^the batch was not applied: .*open in this process already.*$"):
            write(local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA), target, staging)


@pytest.fixture(params=["as it comes", "with our module"])
def fuseki(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FusekiServer]:
    with FusekiServer(module="module" in request.param, log=tmp_path / "fuseki.log") as server:
        yield server


def test_a_fuseki_gets_each_batch_once(spark: SparkSession, fuseki: FusekiServer, staging: Path, tmp_path: Path) -> None:
    first = local_frame(spark, [statement(0, "A", "a"), statement(1, "A", "b"), statement(2, "D", "b")], CHANGES_SCHEMA)
    write(first, fuseki.url, staging, txnAppId="app", txnVersion=0)
    second = local_frame(spark, [statement(0, "D", "a")], CHANGES_SCHEMA)
    write(second, fuseki.url, staging, txnAppId="app", txnVersion=1)
    write(first, fuseki.url, staging, txnAppId="app", txnVersion=0)
    assert quads(fuseki.url) == [] and positions(fuseki.url) == [number(1)]

    stream = Stream(spark, by_format, tmp_path, fuseki.url)
    stream.add(statement(0, "A", "c"))
    stream.run()
    with Dataset.open(fuseki.url) as dataset:
        dataset.update("DELETE DATA { <urn:c> <urn:p> 'o' }")
    stream.forget_last_commit()
    stream.add(statement(0, "A", "d"))
    stream.run()
    assert quads(fuseki.url) == ["<urn:d>"]

    stream.target = fuseki.url + "2"
    with pytest.raises(JellybridgeError, match="/ds2"):  # there is no such dataset
        stream.add(statement(0, "A", "e"))
        stream.run()


def test_a_fuseki_keeps_how_far_the_chain_of_patches_came(spark: SparkSession, fuseki: FusekiServer, tmp_path: Path) -> None:
    stream = Stream(spark, by_format, tmp_path, fuseki.url)
    stream.add(*chained(1))
    stream.run()
    stream.add()  # a batch without rows
    stream.add(*chained(2, 1))
    stream.run()
    stream.add(*chained(4, 3))
    with pytest.raises(JellybridgeError, match="the patch <urn:id:4> follows <urn:id:3> .* came last is <urn:id:2>"):
        stream.run()
    assert quads(fuseki.url) == ["<urn:1>", "<urn:2>"]


def test_a_fuseki_that_is_down_fails_the_batch_with_one_line(spark: SparkSession, tmp_path: Path, staging: Path) -> None:
    rows = local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA)
    with FusekiServer(module=False, log=tmp_path / "fuseki.log") as server:
        pass
    says = f"^the batch was not applied: {server.url}/query: no connection; is the server running.*$"
    with pytest.raises(JellybridgeError, match=says) as failed:
        write(rows, server.url, staging, attempts=2, connectTimeout=1)
    assert "\n" not in str(failed.value) and failed.value.java == "io.jellybridge.spark.staging.BatchFailedException"

    stream = Stream(spark, by_format, tmp_path, server.url)
    stream.add(statement(0, "A", "a"))
    with pytest.raises(JellybridgeError, match=says):
        stream.run()


# --- streaming

Start = Callable[[DataFrame, str, Path], StreamingQuery]


def by_format(changes: DataFrame, target: str, state: Path) -> StreamingQuery:
    stream = changes.writeStream.format("jena").option("target", target)
    return stream.option("checkpointLocation", str(state)).trigger(availableNow=True).start()


def by_foreach_batch(changes: DataFrame, target: str, state: Path) -> StreamingQuery:
    stream = changes.writeStream.foreachBatch(jellybridge.apply_batch(target))
    return stream.option("checkpointLocation", str(state)).trigger(availableNow=True).start()


def chained(number: int, prev: Optional[int] = None, *changes: ChangeRow, base: str = "urn:id:") -> List[ChangeRow]:
    """A patch with headers."""
    prevs = [] if prev is None else [ChangeRow(row=1, op="H", name="prev", value=f"<{base}{prev}>")]
    headers = [ChangeRow(row=0, op="H", name="id", value=f"<{base}{number}>"), *prevs]
    return [*headers, *(changes or [statement(2, "A", str(number))])]


class Stream:
    """A query over a folder of patches, one file a batch, which can be made to forget that it committed."""

    def __init__(self, spark: SparkSession, start: Start, folder: Path, target: Optional[str] = None) -> None:
        self.spark, self.start = spark, start
        self.log, self.state = folder / "log", folder / "state"
        self.target = target or f"tdb2:{folder / 'tdb2'}"
        self.log.mkdir()
        self.files = 0

    def add(self, *rows: ChangeRow) -> None:
        write_patch(self.log / f"{self.files:06}.jellyp", rows)
        self.files += 1

    def run(self) -> None:
        changes = self.spark.readStream.format("jelly-patch").schema(CHANGES_SCHEMA)
        query = self.start(changes.option("maxFilesPerTrigger", 1).load(str(self.log)), self.target, self.state)
        query.awaitTermination()

    def forget_last_commit(self) -> None:
        """As if Spark had been killed after the dataset committed, and before it noted this itself."""
        last = max(int(file.name) for file in (self.state / "commits").iterdir() if file.name.isdigit())
        for name in (str(last), f".{last}.crc"):
            (self.state / "commits" / name).unlink(missing_ok=True)

    def staged(self) -> List[Path]:
        return list((self.state / "jellybridge-staging").rglob("*.jellyp"))


@pytest.fixture(params=[by_format, by_foreach_batch])
def stream(spark: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> Stream:
    return Stream(spark, request.param, tmp_path)


def test_a_query_goes_on_where_it_stopped(stream: Stream) -> None:
    stream.add(statement(0, "A", "a"))
    stream.add(statement(0, "D", "a"), statement(1, "A", "b"))
    stream.run()
    assert quads(stream.target) == ["<urn:b>"] and positions(stream.target) == [number(1)]
    stream.add(statement(0, "A", "c"))
    stream.run()
    assert quads(stream.target) == ["<urn:b>", "<urn:c>"] and positions(stream.target) == [number(2)]
    assert stream.staged() == []


def test_a_batch_that_spark_runs_again_is_skipped(stream: Stream) -> None:
    stream.add(statement(0, "A", "a"))
    stream.run()
    # Were the batch applied twice, this would come back.
    with Dataset.open(stream.target) as dataset:
        dataset.update("DELETE DATA { <urn:a> <urn:p> 'o' }")
    stream.forget_last_commit()
    stream.add(statement(0, "A", "b"))
    stream.run()
    assert quads(stream.target) == ["<urn:b>"] and positions(stream.target) == [number(1)]


def test_a_batch_that_failed_is_applied_in_the_next_run(stream: Stream) -> None:
    stream.add(statement(0, "A", "a"))
    with Dataset.open(stream.target):
        with pytest.raises(Exception, match="open in this process already"):
            stream.run()
    assert quads(stream.target) == [] and stream.staged() == []
    stream.run()
    assert quads(stream.target) == ["<urn:a>"]


def test_what_a_killed_run_staged_is_removed(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, by_format, tmp_path)
    stream.add(statement(0, "A", "a"))
    stream.run()
    query = json.loads((stream.state / "metadata").read_text())["id"]
    staging = spark.conf.get("spark.jellybridge.stagingDir", (stream.state / "jellybridge-staging").as_uri())
    left = Path(str(staging).removeprefix("file://")) / f"jellybridge-{query}" / "epoch-0-task-0.jellyp"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half a patch")
    stream.add(statement(0, "A", "b"))
    stream.run()
    assert quads(stream.target) == ["<urn:a>", "<urn:b>"] and not left.parent.exists()


def test_two_queries_into_one_dataset_have_numbers_of_their_own(spark: SparkSession, tmp_path: Path) -> None:
    stream = Stream(spark, by_format, tmp_path)
    stream.add(statement(0, "A", "a"))
    stream.run()
    stream.state = tmp_path / "another"
    stream.add(statement(0, "A", "b"))
    stream.run()
    assert quads(stream.target) == ["<urn:a>", "<urn:b>"]
    assert sorted(positions(stream.target)) == [number(0), number(1)]


def test_a_checkpoint_of_another_dataset_is_refused_with_both_numbers(stream: Stream, tmp_path: Path) -> None:
    stream.add(statement(0, "A", "a"))
    stream.add(statement(0, "A", "b"))
    stream.run()
    stream.add(statement(0, "A", "c"))
    right, stream.target = stream.target, f"tdb2:{tmp_path / 'another'}"
    says = "(?s)this is batch 2, and the dataset has no batch of <urn:.*>: .* the target to .* new checkpoint"
    for _ in range(2):
        with pytest.raises(REFUSED, match=says):
            stream.run()
    assert quads(stream.target) == [] and positions(stream.target) == []
    stream.target = right
    stream.run()
    assert quads(right) == ["<urn:a>", "<urn:b>", "<urn:c>"]


def test_a_dataset_that_went_back_is_refused_with_both_numbers(stream: Stream, tmp_path: Path) -> None:
    stream.add(statement(0, "A", "a"))
    stream.run()
    shutil.copytree(tmp_path / "tdb2", tmp_path / "backup")
    stream.add(statement(0, "A", "b"))
    stream.run()
    stream.target = f"tdb2:{tmp_path / 'backup'}"
    stream.add(statement(0, "A", "c"))
    with pytest.raises(REFUSED, match="(?s)this is batch 2, and the dataset has batch 0 of"):
        stream.run()
    assert quads(stream.target) == ["<urn:a>"]


def test_a_checkpoint_that_went_back_is_refused_with_both_numbers(stream: Stream, tmp_path: Path) -> None:
    stream.add(statement(0, "A", "a"))
    stream.run()
    shutil.copytree(stream.state, tmp_path / "backup")
    for name in "bc":
        stream.add(statement(0, "A", name))
    stream.run()
    shutil.rmtree(stream.state)
    shutil.copytree(tmp_path / "backup", stream.state)
    stream.add(statement(0, "A", "d"))
    with pytest.raises(REFUSED, match="(?s)this is batch 1, and the dataset has batch 2 of .* the checkpoint is older"):
        stream.run()
    assert quads(stream.target) == ["<urn:a>", "<urn:b>", "<urn:c>"]


def test_batches_without_rows_count(stream: Stream) -> None:
    start = stream.start
    stream.start = lambda changes, target, state: start(changes.where("object IS NULL"), target, state)
    stream.add(statement(0, "A", "a"))
    stream.run()
    assert positions(stream.target) == [number(0)]
    stream.add(statement(0, "A", "b"))
    stream.start = start
    stream.run()
    assert quads(stream.target) == ["<urn:b>"] and positions(stream.target) == [number(1)]


@pytest.mark.parametrize(
    "order, applied, says",
    [
        # PatchChainTest has these and more.
        pytest.param([2, 1, 3], [2], "the patch <urn:id:1> comes after <urn:id:2>, which follows it", marks=pytest.mark.full("long")),
        ([1, 3, 2], [1], "the patch <urn:id:3> follows <urn:id:2> by its header prev, and what came last is <urn:id:1>"),
        pytest.param([3, 1, 2], [1, 3], "the patch <urn:id:2> comes after <urn:id:3>, which follows it", marks=pytest.mark.full("long")),
        pytest.param([3, 2, 1], [3], "the patch <urn:id:2> comes after <urn:id:3>, which follows it", marks=pytest.mark.full("long")),
        ([1, 2, 1], [1, 2], "the patch <urn:id:1> comes again, after <urn:id:2>"),
    ],
)
def test_patches_that_the_files_times_bring_out_of_order_are_refused_by_name(
    stream: Stream, order: List[int], applied: List[int], says: str
) -> None:
    for place, which in enumerate(order):
        # Their names are in order; what Spark goes by is the time.
        file = stream.log / f"{which}{'' if order.index(which) == place else '-again'}.jellyp"
        write_patch(file, chained(which, None if which == 1 else which - 1))
        os.utime(file, (1e9 + place, 1e9 + place))
    for _ in range(2):
        with pytest.raises(REFUSED, match=f"(?s){says}.*rdf-patch-log.*checkChain"):
            stream.run()
    assert quads(stream.target) == [f"<urn:{which}>" for which in applied]


def test_patches_that_come_out_of_order_from_one_start_to_the_next_are_refused_by_name(stream: Stream) -> None:
    stream.add(*chained(1))
    stream.run()
    stream.add(statement(0, "A", "without"))  # has no headers
    stream.run()
    stream.add(*chained(2, 1))
    stream.run()
    stream.add(*chained(4, 3))
    with pytest.raises(REFUSED, match="(?s)the patch <urn:id:4> follows <urn:id:3> .* came last is <urn:id:2>"):
        stream.run()
    assert quads(stream.target) == ["<urn:1>", "<urn:2>", "<urn:without>"]


def test_a_stream_that_was_refused_goes_on_as_a_patch_log(spark: SparkSession, tmp_path: Path) -> None:
    base = "urn:uuid:00000000-0000-0000-0000-00000000000"
    stream = Stream(spark, by_format, tmp_path)
    patches = [
        chained(1, None, statement(2, "A", "q"), base=base),
        chained(2, 1, statement(2, "A", "r"), statement(3, "D", "q"), base=base),
        chained(3, 2, statement(2, "A", "q"), statement(3, "D", "r"), base=base),
    ]
    for place, which in enumerate([0, 2, 1]):
        file = stream.log / f"{which}.jellyp"
        write_patch(file, patches[which])
        os.utime(file, (1e9 + place, 1e9 + place))
    with pytest.raises(JellybridgeError, match=f"the patch <{base}3> follows <{base}2> .*format rdf-patch-log"):
        stream.run()

    with PatchLog.create(tmp_path / "patch-log") as log:
        for file in sorted(stream.log.glob("*.jellyp")):
            log.append(file)
    changes = spark.readStream.format("rdf-patch-log").option("maxPatchesPerTrigger", 1).load(str(tmp_path / "patch-log"))
    query = by_format(changes, stream.target, tmp_path / "another")
    query.awaitTermination()
    assert quads(stream.target) == ["<urn:q>"]
    progress = query.lastProgress
    assert progress["sources"][0]["description"] == f"rdf-patch-log {tmp_path / 'patch-log'}"
    assert progress["sink"]["description"] == f"jena {stream.target}"


@pytest.mark.parametrize("check", [True, False])
def test_a_patch_log_whose_bad_patches_are_left_out_needs_no_check_of_the_chain(
    spark: SparkSession, tmp_path: Path, target: str, check: bool
) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        for name in "abc":
            write_patch(tmp_path / "one.jellyp", [statement(0, "A", name)])
            log.append(tmp_path / "one.jellyp")
    (tmp_path / "log" / f"{2:020}.jellyp").write_bytes(b"damaged")
    changes = spark.readStream.format("rdf-patch-log").option("onError", "quarantine")
    changes = changes.option("quarantinePath", str(tmp_path / "aside")).load(str(tmp_path / "log"))
    start = changes.writeStream.format("jena").option("target", target).option("checkChain", check)
    start = start.option("checkpointLocation", str(tmp_path / "state")).trigger(availableNow=True).start
    if check:
        with pytest.raises(JellybridgeError, match="or one is missing.*patches are left out on purpose.*checkChain"):
            start().awaitTermination()
        assert quads(target) == []
    else:
        start().awaitTermination()
        assert quads(target) == ["<urn:a>", "<urn:c>"]


def test_logs_that_a_stream_joins_and_messages_that_come_twice_are_taken(stream: Stream) -> None:
    for patch in (chained(1), chained(11), chained(11), chained(2, 1), chained(12, 11), chained(12, 11), chained(3, 2)):
        stream.add(*patch)
        stream.run()
    assert quads(stream.target) == ["<urn:1>", "<urn:11>", "<urn:12>", "<urn:2>", "<urn:3>"]


def test_patches_with_ids_alone_are_taken(spark: SparkSession, target: str, staging: Path) -> None:
    for batch in range(3):
        rows = [row._replace(patch=n) for n in range(20) for row in chained(100 * batch + n)]
        write(local_frame(spark, rows, CHANGES_SCHEMA), target, staging, txnAppId="app", txnVersion=batch)
    assert len(quads(target)) == 60
    assert len(positions(target)[0]) < 200


def test_the_chain_of_a_batch_is_checked_unless_told_otherwise(spark: SparkSession, target: str, staging: Path) -> None:
    rows = [row._replace(patch=n) for n, patch in enumerate([chained(1), chained(3, 2), chained(2, 1)]) for row in patch]
    with pytest.raises(JellybridgeError, match="the patch <urn:id:3> follows <urn:id:2>"):
        write(local_frame(spark, rows, CHANGES_SCHEMA), target, staging)
    assert quads(target) == []
    write(local_frame(spark, rows, CHANGES_SCHEMA), target, staging, checkChain=False)
    assert quads(target) == ["<urn:1>", "<urn:2>", "<urn:3>"]


def test_a_first_batch_of_two_files_says_how_to_go_on_and_does(spark: SparkSession, tmp_path: Path, target: str) -> None:
    stream = Stream(spark, by_format, tmp_path, target)
    stream.add(statement(0, "A", "a"), statement(1, "A", "b"))
    stream.add(statement(0, "D", "a"))
    files = spark.readStream.format("jelly-patch").schema(CHANGES_SCHEMA)
    says = "two rows have patch 0, row 0; .*numbers of their own.* goes on from its checkpoint; another maxFilesPerTrigger"
    for trigger in ({}, {"maxFilesPerTrigger": 1}):  # the second does not help: the checkpoint keeps what the batch holds
        with pytest.raises(TextFormatError, match=says):
            by_format(files.options(**trigger).load(str(stream.log)), target, stream.state).awaitTermination()
    assert quads(target) == []

    numbered = files.load(str(stream.log)).withColumn(
        "patch", F.regexp_extract("_metadata.file_name", "[0-9]+", 0).cast("bigint")
    )
    by_format(numbered, target, stream.state).awaitTermination()
    assert quads(target) == ["<urn:b>"]

    stream.state, stream.target = tmp_path / "another", f"tdb2:{tmp_path / 'another tdb2'}"
    stream.run()
    assert quads(stream.target) == ["<urn:b>"]


def test_queries_into_one_tdb2_database_wait_for_each_other(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    streams = []
    for name, target in (("one", tmp_path / "tdb2"), ("two", tmp_path / "link" / "tdb2"), ("three", tmp_path / "tdb2")):
        (tmp_path / name).mkdir()
        stream = Stream(spark, by_format, tmp_path / name, f"tdb2:{target}")
        for n in range(4):
            stream.add(statement(0, "A", f"{name}{n}"))
        streams.append(stream)
    errors: List[BaseException] = []

    def run(stream: Stream) -> None:
        try:
            stream.run()
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=run, args=(stream,)) for stream in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(quads(streams[0].target)) == 12


def test_only_appending_streams(spark: SparkSession, target: str, tmp_path: Path) -> None:
    rates = spark.readStream.format("rate").load().selectExpr("value AS row", "'TX' AS op")
    with pytest.raises(Exception, match="(?i)update|output mode"):
        query = rates.writeStream.format("jena").option("target", target).outputMode("update")
        query.option("checkpointLocation", str(tmp_path / "state")).start().awaitTermination()


def test_a_function_for_batches_checks_their_numbers_and_chain(spark: SparkSession, target: str) -> None:
    def batch(*patch: ChangeRow) -> DataFrame:
        return local_frame(spark, patch, CHANGES_SCHEMA)

    apply = jellybridge.apply_batch(target, app_id="job")
    with pytest.raises(JellybridgeError, match="batch 1, and the dataset has no batch of <urn:jellybridge:query:job>"):
        apply(batch(*chained(1)), 1)
    apply(batch(*chained(1)), 0)
    with pytest.raises(JellybridgeError, match="this is batch 2, and the dataset has batch 0"):
        apply(batch(*chained(2, 1)), 2)
    with pytest.raises(JellybridgeError, match="the patch <urn:id:3> follows <urn:id:2>"):
        apply(batch(*chained(3, 2)), 1)
    jellybridge.apply_batch(target, app_id="job", check_chain=False)(batch(*chained(3, 2)), 1)
    assert quads(target) == ["<urn:1>", "<urn:3>"]


def test_a_function_for_batches_breaks_one_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jellybridge._streaming.with_one_file_a_patch", lambda changes: changes)
    changes = MagicMock()
    writer = changes.write.format.return_value.mode.return_value
    writer.options.return_value = writer.option.return_value = writer
    writer.save.side_effect = [JellybridgeError("no connection"), None, None]
    apply = jellybridge.apply_batch("http://localhost/ds", app_id="job", options={"break_lease": True, "lease_wait": 5})
    with pytest.raises(JellybridgeError):
        apply(changes, 0)
    apply(changes, 0)
    apply(changes, 1)
    breaking = {"breakLease": "true", "leaseWait": "5"}
    assert [call.kwargs for call in writer.options.call_args_list] == [breaking, breaking, {"leaseWait": "5"}]


def test_a_batch_outside_of_a_query_needs_a_name(spark: SparkSession, target: str) -> None:
    rows = local_frame(spark, [statement(0, "A", "a")], CHANGES_SCHEMA)
    with pytest.raises(ValueError, match="app_id"):
        jellybridge.apply_batch(target)(rows, 0)
    for _ in range(2):
        jellybridge.apply_batch(target, app_id="job")(rows, 0)
    assert quads(target) == ["<urn:a>"]
