"""Following sources of patches, in a Spark driver."""

from __future__ import annotations

from pathlib import Path
from typing import List, Optional

import pytest
from contract_sync import SyncContract, counter, patch
from jellybridge import CHANGES_SCHEMA, ChangeRow, Dataset, JellybridgeError, net_effect, write_patch
from pyspark.errors import SparkRuntimeException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


@pytest.mark.usefixtures("spark")
class TestSync(SyncContract):
    pass


@pytest.fixture
def changes(spark: SparkSession, tmp_path: Path) -> DataFrame:
    rows = [row._replace(patch=number - 1) for number in range(1, 9) for row in patch(number)]
    write_patch(tmp_path / "changes.jellyp", rows)
    return spark.read.format("jelly-patch").load(str(tmp_path / "changes.jellyp"))


@pytest.mark.parametrize("net", [False, True])
def test_a_data_frame_is_followed(changes: DataFrame, net: bool) -> None:
    with Dataset.open("mem:") as dataset:
        first = dataset.sync(changes.where("patch < 5"), net_effect=net)
        assert (first.position, counter(dataset)) == ("<urn:id:5>", ['"5"'])
        assert first.patches == (1 if net else 5)
        rest = dataset.sync(changes, net_effect=net)
        assert (rest.position_before, rest.position) == ("<urn:id:5>", "<urn:id:8>")
        assert counter(dataset) == ['"8"']
        assert dataset.sync(changes, net_effect=net).patches == 0


@pytest.mark.parametrize("net", [False, True])
def test_a_data_frame_with_ids_alone_is_followed_in_the_order_of_its_patches(changes: DataFrame, net: bool) -> None:
    unchained = changes.where("name IS NULL OR name <> 'prev'")
    with Dataset.open("mem:") as dataset:
        for last in (2, 3, 5):
            assert dataset.sync(unchained.where(f"patch < {last}"), net_effect=net).position == f"<urn:id:{last}>"
            assert dataset.sync(unchained.where(f"patch < {last}"), net_effect=net).patches == 0
        assert counter(dataset) == ['"5"']
        with pytest.raises(JellybridgeError, match="the dataset is at <urn:id:5>, which is no patch of the source"):
            dataset.sync(unchained.where("patch > 5"), net_effect=net)


@pytest.mark.parametrize(("net", "columns"), [(False, "*"), (True, "*"), (False, "patch, op, subject, predicate, object, name, value")])
def test_new_rows_without_a_number_are_refused(changes: DataFrame, net: bool, columns: str) -> None:
    new = changes.where("patch = 2").withColumn("patch", F.lit(None).cast("bigint"))
    with Dataset.open("mem:") as dataset:
        dataset.sync(changes.where("patch < 2"), net_effect=net)
        with pytest.raises(JellybridgeError, match="a row has null in patch"):
            dataset.sync(changes.where("patch < 2").union(new).selectExpr(*columns.split(", ")), net_effect=net)
        assert counter(dataset) == ['"2"']


def test_a_data_frame_without_ids_is_refused(changes: DataFrame) -> None:
    with Dataset.open("mem:") as dataset, pytest.raises(JellybridgeError, match="has no id"):
        dataset.sync(changes.where("op != 'H'"))


def test_the_net_effect_on_spark(spark: SparkSession, tmp_path: Path) -> None:
    def row(op: str, **terms: str) -> dict:
        return {"op": op, **terms}

    def a(op: str, o: str) -> dict:
        return row(op, subject="<urn:s>", predicate="<urn:p>", object=o)

    write_patch(tmp_path / "log.jellyp", [
        row("H", name="id", value="<urn:1>"), row("H", name="prev", value="<urn:0>"),
        row("TX"), a("A", '"1"'), a("A", '"2"'), a("D", '"1"'), row("PA", name="x", value="<urn:x>"), row("TC"),
        row("TX"), a("D", '"2"'), a("A", '"9"'), row("TA"),
        row("TX"), a("A", '"3"'), row("PA", name="x", value="<urn:y>"), row("TC"),
        {**row("H", name="id", value="<urn:2>"), "patch": 1}, {**a("A", '"1"'), "patch": 1},
    ])
    frame = net_effect(spark.read.format("jelly-patch").load(str(tmp_path / "log.jellyp")))
    found: List[tuple] = [(r.op, r.object or r.name, r.value) for r in frame.orderBy("row").collect()]
    assert found == [
        ("H", "id", "<urn:2>"), ("H", "prev", "<urn:0>"), ("TX", None, None), ("A", '"2"', None), ("A", '"3"', None),
        ("PA", "x", "<urn:y>"), ("A", '"1"', None), ("TC", None, None),
    ]
    assert [r.row for r in frame.orderBy("row").collect()] == list(range(8))


def test_the_net_effect_leaves_out_the_transactions_of_a_patch_that_it_aborts(spark: SparkSession) -> None:
    rows = [
        # Each number of a transaction comes twice: the patches are of two files.
        ChangeRow(0, 0, 0, "TX"), ChangeRow(0, 0, 1, "A", "<urn:s>", "<urn:p>", '"1"'), ChangeRow(0, 0, 2, "TC"),
        ChangeRow(1, 0, 0, "TX"), ChangeRow(1, 0, 1, "A", "<urn:s>", "<urn:p>", '"2"'), ChangeRow(1, 0, 2, "TA"),
    ]
    frame = net_effect(spark.createDataFrame(rows, CHANGES_SCHEMA))
    assert [row.object for row in frame.where("op = 'A'").collect()] == ['"1"']


@pytest.mark.parametrize("op", ["X", "a", "", None])
def test_the_net_effect_of_a_row_with_an_unknown_op_is_an_error_with_its_place(
    spark: SparkSession, op: Optional[str]
) -> None:
    rows = [ChangeRow(7, None, 3, "A", "<urn:s>", "<urn:p>", '"1"'), (7, None, 4, op, *[None] * 6)]
    frame = net_effect(spark.createDataFrame(rows, CHANGES_SCHEMA.replace("op STRING NOT NULL", "op STRING")))
    # What a query asks for has nothing to do with the op: one of them asks all.
    for query in (frame, frame.where("op = 'A'"), frame.select("object")) if op == "X" else (frame,):
        with pytest.raises(SparkRuntimeException, match="patch 7, row 4: a row has op .*; it must be one of H, TX"):
            query.collect()


def test_the_net_effect_has_no_id_where_the_last_patch_has_none(spark: SparkSession) -> None:
    rows = [
        ChangeRow(0, None, 0, "H", name="id", value="<urn:1>"),
        ChangeRow(1, None, 0, "A", "<urn:s>", "<urn:p>", '"1"'),
    ]
    frame = net_effect(spark.createDataFrame(rows, CHANGES_SCHEMA))
    assert [row.op for row in frame.orderBy("row").collect()] == ["TX", "A", "TC"]
