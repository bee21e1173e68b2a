"""The story of a thing: what a log says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from log_histories import History
from pyspark.sql import SparkSession

from jellybridge import CHANGES_SCHEMA, PatchLog, history

pytestmark = pytest.mark.settings


@pytest.mark.parametrize("seed", range(2))
def test_a_history_is_what_committed_transactions_said_in_their_order(
    spark: SparkSession, tmp_path: Path, seed: int
) -> None:
    made = History(tmp_path, seed)
    said = [(version, op, quad) for version, operations in enumerate(made.said) for op, quad in operations]
    found = made.log.history(spark, subject="_:b0").collect()
    assert [(row.version, row.op, tuple(row[3:])) for row in found] == [each for each in said if each[2][0] == "_:b0"]
    assert {row.version: row.time and row.time.timestamp() for row in found} == {
        version: None if made.minutes[version] is None else 1767225600 + 60 * made.minutes[version]
        for version in {each[0] for each in said if each[2][0] == "_:b0"}
    }
    for quad in {quad for _, _, quad in said[:5]}:
        of_quad = made.log.history(spark, quad=quad).collect()
        assert [(row.version, row.op) for row in of_quad] == [each[:2] for each in said if each[2] == quad]


def test_a_history_needs_one_thing(spark: SparkSession) -> None:
    rows = spark.createDataFrame([], CHANGES_SCHEMA)
    for wrong in ({}, {"subject": "<urn:s>", "quad": ("<urn:s>", "<urn:p>", '"o"')}, {"quad": ("<urn:s>",)}, {"quad": "<s>"}):
        with pytest.raises(ValueError, match="quad"):
            history(rows, **wrong)  # type: ignore[arg-type]
    assert history(rows, subject="<urn:s>").columns == [
        "version", "time", "op", "subject", "predicate", "object", "graph"]


def test_a_log_says_what_it_has_when_its_first_version_was_pruned(spark: SparkSession, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        for number in (1, 2, 3):
            (tmp_path / "patch.rdfp").write_text(f'TX .\nA <urn:s> <urn:p> "{number}" .\nTC .\n')
            log.append(tmp_path / "patch.rdfp")
        log.checkpoint(2, progress=False)
        log.prune(before=2)
        said = [row.object for row in log.history(spark, subject="<urn:s>").orderBy("version").collect()]
    assert said == ['"2"', '"3"']
