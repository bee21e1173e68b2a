"""apply_changes, the inverse of diff."""

from __future__ import annotations

from pathlib import Path
from typing import List

import pytest
from frames import local_frame
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from log_histories import GRAPHS, OBJECTS, SUBJECTS, History, Quad, quads, state
from pyspark.errors import SparkRuntimeException
from pyspark.sql import SparkSession

from jellybridge import CHANGES_SCHEMA, QUADS_SCHEMA, ChangeRow, apply_changes, changes, diff

pytestmark = pytest.mark.settings

QUAD = st.tuples(st.sampled_from(SUBJECTS), st.just("<urn:p>"), st.sampled_from(OBJECTS), st.sampled_from(GRAPHS))


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(old=st.lists(QUAD, max_size=8), new=st.lists(QUAD, max_size=8))
def test_a_difference_that_is_applied_makes_the_new_of_the_old(spark: SparkSession, old: List[Quad], new: List[Quad]) -> None:
    before, after = (local_frame(spark, each, QUADS_SCHEMA) for each in (old, new))
    assert state(apply_changes(before, diff(before, after))) == set(new)


def test_a_difference_of_releases_makes_one_of_the_other(spark: SparkSession, shared_dir: Path) -> None:
    folder = shared_dir / "data" / "schemaorg"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    old, new = (spark.read.format("nquads").load(str(folder / f"{name}.nt.gz")) for name in ("9.0", "28.1"))
    made = apply_changes(old.drop("graph"), diff(old, new))
    assert diff(made, new).where("op in ('A', 'D')").count() == 0


@pytest.mark.parametrize("seed", range(3))
def test_changes_come_to_what_a_model_says(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    made = History(tmp_path, seed)
    rows = spark.read.format("rdf-patch-log").load(str(made.folder))
    assert state(apply_changes(spark.createDataFrame([], QUADS_SCHEMA), rows)) == made.states[-1]
    there = local_frame(spark, sorted(made.states[4], key=str), QUADS_SCHEMA)
    assert state(apply_changes(there, rows.where("patch > 4"))) == made.states[-1]


def test_the_last_operation_on_a_quad_counts_and_repeated_quads_are_one(spark: SparkSession) -> None:
    def row(number: int, op: str, name: str) -> ChangeRow:
        return ChangeRow(0, None, number, op, f"<urn:{name}>", "<urn:p>", '"o"')

    there = local_frame(spark, [("<urn:a>", "<urn:p>", '"o"', None)] * 2, QUADS_SCHEMA)
    rows = [row(0, "D", "a"), row(1, "A", "b"), row(2, "A", "a"), row(3, "D", "b")]
    assert quads(apply_changes(there, local_frame(spark, rows, CHANGES_SCHEMA))) == [("<urn:a>", "<urn:p>", '"o"', None)]


@pytest.mark.parametrize("rows, says", [
    ([ChangeRow(0, None, 1, "A", "<urn:a>", "<urn:p>", '"o"'), ChangeRow(0, None, 1, "D", "<urn:b>", "<urn:p>", '"o"')],
     "patch 0, row 1: two rows have this place; .* jellybridge.number_patches"),
    ([ChangeRow(0, None, 1, "I", "<urn:a>", "<urn:p>", '"o"')], "patch 0, row 1: a row has op I; it must be one of H, TX"),
    ([ChangeRow(0, None, 1, "A", "<urn:a>", "<urn:p>", '"o"'), ChangeRow(0, None, 2, "TA")],
     "patch 0, row 2: an aborted transaction has no tx; number transactions in tx"),
])
def test_rows_whose_order_is_not_known_are_refused(spark: SparkSession, rows: List[ChangeRow], says: str) -> None:
    there, refused = spark.createDataFrame([], QUADS_SCHEMA), local_frame(spark, rows, CHANGES_SCHEMA)
    for frame in (apply_changes(there, refused), changes.invert(refused)):
        with pytest.raises(SparkRuntimeException, match=says):
            frame.collect()


def test_columns_that_quads_do_not_have_are_refused(spark: SparkSession) -> None:
    rows = spark.createDataFrame([], CHANGES_SCHEMA)
    with pytest.raises(ValueError, match="quads has the columns .*: apply_changes takes"):
        apply_changes(rows, rows)
    with pytest.raises(ValueError, match="column op is missing: apply_changes needs"):
        apply_changes(spark.createDataFrame([], QUADS_SCHEMA), rows.drop("op"))


def test_columns_count_in_any_case_and_their_numbers_are_numbers(spark: SparkSession) -> None:
    there, added = spark.createDataFrame([], QUADS_SCHEMA), ("<urn:a>", "<urn:p>", '"o"', "<urn:g>")
    rows = local_frame(spark, [ChangeRow(0, 0, 0, "A", *added), ChangeRow(1, 1, 1, "A", "<urn:b>", "<urn:p>", '"o"'),
                               ChangeRow(1, 1, 2, "TA")], CHANGES_SCHEMA)
    spelled = rows.toDF(*map(str.upper, rows.columns))
    assert quads(apply_changes(there, spelled)) == [added]
    for column in ("patch", "tx", "row"):
        with pytest.raises(ValueError, match=rf"column '{column}' is of type string; .* as col\('{column}'\).cast\('bigint'\)"):
            apply_changes(there, rows.withColumn(column, rows[column].cast("string")))
    with pytest.raises(ValueError, match="column 'GRAPH' comes twice; leave one out"):
        apply_changes(there, rows.selectExpr("*", "graph AS GRAPH"))
