"""The story of a thing: what a log says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import spark_settings
from log_histories import DATE_TIME, History
from pyspark.errors import SparkRuntimeException
from pyspark.sql import SparkSession
from pyspark.sql.types import TimestampType

from jellybridge import CHANGES_SCHEMA, QUADS_SCHEMA, ChangeRow, PatchLog, diff, history, number_patches, write_patch

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


def test_the_times_of_versions_are_those_that_the_log_counts(spark: SparkSession, tmp_path: Path) -> None:
    second = "2024-05-01T10:00:00"
    counted = [f'"{second}Z"{DATE_TIME}', f'"{second}.25+02:00"{DATE_TIME}', f'"{second}Z"']
    others = [f'"{second}"{DATE_TIME}', f'"{second[:-3]}Z"{DATE_TIME}', '"2024-05-01"', f'"{second}Z"@en', f'"{second}Z"^^<urn:t>',
              '"0000-05-01T00:00:00Z"', '"9999-12-31T23:59:59-10:00"']
    with PatchLog.create(tmp_path / "log") as log:
        for number, time in enumerate(counted + others):
            write_patch(tmp_path / "one.jellyp", [ChangeRow(op="H", name="time", value=time),
                                                  ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')])
            log.append(tmp_path / "one.jellyp")
        times = [entry.time and entry.time.timestamp() for entry in log.entries()]
        assert [time is not None for time in times] == [True] * len(counted) + [False] * len(others)
        spark.conf.set("spark.sql.catalog.kg", "io.jellybridge.spark.catalog.JellyCatalog")
        # Where Spark's own timestamps have no zone, ours have one.
        for settings in ({}, {"spark.sql.timestampType": "TIMESTAMP_NTZ", "spark.sql.session.timeZone": "Asia/Tokyo"}):
            with spark_settings(spark, settings):
                told, versions = log.history(spark, subject="<urn:s>"), spark.sql(f"SELECT time FROM kg.`{tmp_path}/log`.versions")
                for frame in (told, versions):
                    assert frame.schema["time"].dataType == TimestampType()
                    assert [row.time and row.time.timestamp() for row in frame.collect()] == times


def test_a_history_needs_one_thing(spark: SparkSession) -> None:
    rows = spark.createDataFrame([], CHANGES_SCHEMA)
    for wrong in ({}, {"subject": "<urn:s>", "quad": ("<urn:s>", "<urn:p>", '"o"')}, {"quad": ("<urn:s>",)}, {"quad": "<s>"}):
        with pytest.raises(ValueError, match="quad"):
            history(rows, **wrong)  # type: ignore[arg-type]
    assert history(rows, subject="<urn:s>").columns == [
        "version", "time", "op", "subject", "predicate", "object", "graph"]


def test_rows_without_one_order_have_no_history(spark: SparkSession, tmp_path: Path) -> None:
    for number, op in enumerate("AD"):
        row = ChangeRow(op=op, subject="<urn:s>", predicate="<urn:p>", object='"o"')
        write_patch(tmp_path / f"{number}.jellyp", [ChangeRow(op="TX"), *[row._replace(op="A")] * number, row, ChangeRow(op="TC")])
    read = spark.read.format("jelly-patch")
    unnumbered = read.load(str(tmp_path))
    united = read.load(str(tmp_path / "0.jellyp")).unionByName(read.load(str(tmp_path / "1.jellyp")))
    for rows, says in (
        (unnumbered, "patch 0 has rows of two files"), (unnumbered.where("row <> 1 or op = 'A'"), "patch 0 has rows of two files"),
        (united, "patch 0, row 0: two rows have this place"),
    ):
        for query in (history(rows, subject="<urn:s>"), history(rows, subject="<urn:s>").where("op = 'D'")):
            with pytest.raises(SparkRuntimeException, match=f"{says}.*number_patches"):
                query.collect()
    said = history(number_patches(unnumbered), subject="<urn:s>").collect()
    assert [(row.version, row.op) for row in said] == [(0, "A"), (1, "A"), (1, "D")]


@pytest.mark.parametrize("term", ["book", "urn:a b", "_ :b", "<urn:a b>", '"open', "", 5])
def test_what_cant_be_a_term_has_no_history(spark: SparkSession, term: Any) -> None:
    rows = spark.createDataFrame([], CHANGES_SCHEMA)
    with pytest.raises(ValueError, match="subject=.*: must be an IRI such as"):
        history(rows, subject=term)
    for quad in ((term, "<urn:p>", '"o"'), ("<urn:s>", "<urn:p>", '"o"', term)):
        with pytest.raises(ValueError, match="of quad=.*: must be an IRI such as"):
            history(rows, quad=quad)
    with pytest.raises(ValueError, match="prev=.*: must be an IRI such as"):
        diff(spark.createDataFrame([], QUADS_SCHEMA), spark.createDataFrame([], QUADS_SCHEMA), prev=term)


def test_a_term_is_found_in_whatever_form_it_is_asked_for(spark: SparkSession) -> None:
    rows = spark.createDataFrame(
        [ChangeRow(0, None, 0, "A", "<urn:é>", "<urn:p>", '"o"@en-gb')], CHANGES_SCHEMA)
    assert history(rows, subject="<urn:\\u00e9>").count() == 1
    assert history(rows, subject="urn:é").count() == 1
    asked = history(rows, quad=("<urn:é>", "<urn:p>", '"\\u006f"@EN-GB'))
    assert asked.count() == 1


def test_a_log_says_what_it_has_when_its_first_version_was_pruned(spark: SparkSession, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        for number in (1, 2, 3):
            (tmp_path / "patch.rdfp").write_text(f'TX .\nA <urn:s> <urn:p> "{number}" .\nTC .\n')
            log.append(tmp_path / "patch.rdfp")
        log.checkpoint(2, progress=False)
        log.prune(before=2)
        said = [row.object for row in log.history(spark, subject="<urn:s>").orderBy("version").collect()]
    assert said == ['"2"', '"3"']
