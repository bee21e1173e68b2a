"""Files that Spark reads in parts, joined files, and filters that are pushed down to the decoder."""

from functools import reduce
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest
from conftest import spark_settings
from jellybridge import PatchFormatError, read_patch, write_patch
from jvm_environment import COMPILED, INTERPRETED
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.settings

COLUMNS = ["patch", "tx", "row", "op", "subject", "predicate", "object", "graph", "name", "value"]


def rows(first: int, patches: int) -> List[Dict[str, Any]]:
    """Patches of 50 rows: a header, a transaction with a prefix and 46 statements."""
    made: List[Dict[str, Any]] = []
    for patch in range(first, first + patches):
        cells: List[Any] = [("H", None, None, None, None, "id", f"<urn:patch:{patch}>"), ("TX",) + (None,) * 6]
        cells.append(("PA", None, None, None, "<http://g/0>" if patch % 2 else None, "ex", "<http://example.org/>"))
        for i in range(46):
            graph = None if i % 3 == 0 else f"<http://g/{i % 5}>"
            cells.append(
                ("D" if i % 7 == 0 else "A", f"<http://s/{patch}/{i // 4}>", f"<http://p/{i % 9}>", f'"{patch} {i}"@en',
                 graph, None, None)
            )
        cells.append(("TC",) + (None,) * 6)
        made += [dict(zip(COLUMNS[3:], row), patch=patch) for row in cells]
    return made


@pytest.fixture
def small_splits(spark: SparkSession) -> Iterator[None]:
    yield from splits(spark, 2000)


@pytest.fixture
def one_split(spark: SparkSession) -> Iterator[None]:
    yield from splits(spark, 1 << 30)


def splits(spark: SparkSession, size: int) -> Iterator[None]:
    settings = {"spark.sql.files.maxPartitionBytes": str(size), "spark.sql.files.openCostInBytes": "0",
                "spark.sql.files.minPartitionNum": "1"}
    with spark_settings(spark, settings):
        yield


def written(path: Path, first: int = 0, patches: int = 40, **options: Any) -> Path:
    write_patch(path, rows(first, patches), restart_bytes=options.pop("restart_bytes", 1000), frame_rows=20, **options)
    return path


def load(spark: SparkSession, path: Path, **options: Any) -> DataFrame:
    return spark.read.format("jelly-patch").options(**options).load(str(path))


def collected(frame: DataFrame) -> List[tuple]:
    return [tuple(row) for row in frame.orderBy("row").collect()]


@pytest.mark.usefixtures("stops_at_damage")
def test_a_file_is_read_in_parts_with_right_numbers(spark: SparkSession, tmp_path: Path, small_splits: None) -> None:
    file = written(tmp_path / "many.jellyp")
    frame = load(spark, file)
    used = frame.rdd.mapPartitions(lambda part: [sum(1 for _ in part)]).collect()
    assert sum(1 for count in used if count) > 5
    with read_patch(file) as whole:
        expected = [tuple(row) for row in whole]
    assert len(expected) == 2000
    assert collected(frame) == expected
    assert frame.count() == 2000


def test_the_parts_of_joined_files_are_the_joined_file(spark: SparkSession, tmp_path: Path, small_splits: None) -> None:
    first, second = written(tmp_path / "a.jellyp"), written(tmp_path / "b.jellyp", 40, 5)
    joined = tmp_path / "joined.jellyp"
    joined.write_bytes(first.read_bytes() + second.read_bytes())
    found = collected(load(spark, joined))
    with read_patch(first) as one, read_patch(second) as other:
        terms = [tuple(row)[3:] for row in one] + [tuple(row)[3:] for row in other]
    assert [row[3:] for row in found] == terms
    assert [row[2] for row in found] == list(range(2250))
    assert [row[0] for row in found] == [number // 50 for number in range(2250)]


@pytest.mark.parametrize("order", ["aa", "aba", "abba"])
def test_the_parts_of_a_file_that_was_joined_more_than_once_are_all_of_it(
    spark: SparkSession, tmp_path: Path, small_splits: None, order: str
) -> None:
    files = {"a": written(tmp_path / "a.jellyp"), "b": written(tmp_path / "b.jellyp", 40, 5)}
    joined = tmp_path / "joined.jellyp"
    joined.write_bytes(b"".join(files[name].read_bytes() for name in order))
    with read_patch(joined) as whole:
        expected = [tuple(row) for row in whole]
    assert len(expected) == sum({"a": 2000, "b": 250}[name] for name in order)
    assert collected(load(spark, joined)) == expected


@pytest.mark.usefixtures("stops_at_damage")
def test_a_foreign_file_joined_behind_is_refused(spark: SparkSession, tmp_path: Path, small_splits: None) -> None:
    ours, foreign = written(tmp_path / "a.jellyp"), written(tmp_path / "b.jellyp", 40, 5, restart_bytes=0)
    joined = tmp_path / "joined.jellyp"
    joined.write_bytes(ours.read_bytes() + foreign.read_bytes())
    with pytest.raises(PatchFormatError) as caught:
        load(spark, joined).collect()
    assert caught.value.rule == "restart"


@pytest.mark.usefixtures("stops_at_damage")
def test_rows_are_counted_by_restart_points(spark: SparkSession, tmp_path: Path, one_split: None) -> None:
    long = [dict(zip(COLUMNS[3:], ("A", "<urn:s>", "<urn:p>", f'"{n} {"x" * 4000}"', None, None, None)), patch=0) for n in range(2000)]
    many = tmp_path / "folder=a" / "many.jellyp"
    many.parent.mkdir()
    write_patch(many, long, restart_bytes=100_000)
    whole = bytearray(many.read_bytes())
    assert len(whole) > 7_000_000
    whole[1_000_000] ^= 1  # in a part that is not read to count
    many.write_bytes(whole)
    assert load(spark, tmp_path).count() == 2000
    assert load(spark, tmp_path).groupBy("folder").count().collect() == [("a", 2000)]
    for checked in (load(spark, tmp_path).where("op = 'A'"), load(spark, tmp_path).selectExpr("max(object)"),
                    load(spark, tmp_path, strict=True)):
        with pytest.raises(Exception, match="checksum"):
            checked.count() if checked.columns != ["max(object)"] else checked.collect()


@pytest.mark.usefixtures("stops_at_damage")
def test_a_file_that_was_cut_off_fails(spark: SparkSession, tmp_path: Path, small_splits: None) -> None:
    whole = written(tmp_path / "whole.jellyp").read_bytes()
    for length in (len(whole) - 1, len(whole) // 2, len(whole) // 3):
        file = tmp_path / f"{length}.jellyp"
        file.write_bytes(whole[:length])
        with pytest.raises(PatchFormatError):
            load(spark, file).collect()


def test_jelly_files_are_read_in_parts(spark: SparkSession, tmp_path: Path, small_splits: None) -> None:
    file = written(tmp_path / "many.jellyp")
    statements = load(spark, file).where("op in ('A', 'D')").orderBy("row").select(*COLUMNS[4:8])
    statements.coalesce(1).write.format("jelly").options(restartBytes=1000, frameRows=20).save(str(tmp_path / "out"))
    frame = spark.read.format("jelly").load(str(tmp_path / "out"))
    used = frame.rdd.mapPartitions(lambda part: [sum(1 for _ in part)]).collect()
    assert sum(1 for count in used if count) > 5
    assert sorted(map(repr, frame.select(*COLUMNS[4:8]).collect())) == sorted(map(repr, statements.collect()))
    assert frame.where("frame = 3").count() > 0


FILTERS = [
    "op = 'A'",
    "op != 'A'",
    "op in ('TX', 'TC', 'H')",
    "predicate = '<http://p/3>'",
    "predicate != '<http://p/3>'",
    "predicate in ('<http://p/3>', '<http://p/4>') and op = 'D'",
    "predicate is null",
    "predicate is not null and graph is null",
    "predicate like '<http://p/%'",
    "not predicate like '<http://p/3%'",
    "graph = '<http://g/1>'",
    "graph <=> '<http://g/1>' or op = 'PA'",
    "not (graph <=> '<http://g/1>')",
    "graph is null or predicate = '<http://p/1>'",
    "graph not in ('<http://g/1>', '<http://g/2>')",
    "op = 'A' and (predicate = '<http://p/1>' or upper(graph) = '<HTTP://G/4>')",
    "object like '%7\"@en' and op = 'A'",
    "value is not null",
    "subject = '<http://s/3/1>' and predicate = '<http://p/5>'",
]


def test_filters_let_the_same_rows_through_as_without_pushing(spark: SparkSession, tmp_path: Path, small_splits: None) -> None:
    file = written(tmp_path / "many.jellyp", patches=12)
    plain = load(spark, file).localCheckpoint()
    columns = len(plain.columns)
    # One query for all: which conditions each row meets.
    met = plain.orderBy("row").selectExpr("*", *FILTERS).collect()
    expected = {condition: [tuple(row[:columns]) for row in met if row[columns + n]] for n, condition in enumerate(FILTERS)}
    assert all(0 < len(rows) < 2000 for rows in expected.values())
    for queries in (COMPILED, INTERPRETED):
        with spark_settings(spark, queries):
            # One query for all: each of its branches is pushed by itself.
            branches = [load(spark, file).where(condition).withColumn("n", F.lit(n)) for n, condition in enumerate(FILTERS)]
            found = sorted(reduce(DataFrame.union, branches).collect(), key=lambda row: row.row)
            counts = dict(reduce(DataFrame.union, (branch.select("n") for branch in branches)).groupBy("n").count().collect())
            for n, condition in enumerate(FILTERS):
                assert [tuple(row[:columns]) for row in found if row.n == n] == expected[condition], condition
                assert counts[n] == len(expected[condition]), condition


def test_filters_of_jelly_and_of_text(spark: SparkSession, tmp_path: Path, small_splits: None) -> None:
    file = written(tmp_path / "many.jellyp")
    statements = load(spark, file).where("op in ('A', 'D')").select(*COLUMNS[4:8])
    statements.write.format("jelly").save(str(tmp_path / "jelly"))
    load(spark, file).coalesce(1).write.format("rdf-patch").save(str(tmp_path / "text"))
    conditions = ("predicate = '<http://p/3>' and graph is null", "graph = '<http://g/1>'", "predicate != '<http://p/3>'")
    for condition in conditions:
        expected = statements.where(condition).count()
        assert spark.read.format("jelly").load(str(tmp_path / "jelly")).where(condition).count() == expected > 0
        text = spark.read.format("rdf-patch").load(str(tmp_path / "text"))
        assert text.where(condition).where("op in ('A', 'D')").count() == expected


def test_columns_of_the_folder_come_beside_those_of_the_file(spark: SparkSession, tmp_path: Path) -> None:
    for day in ("2026-11-20", "2026-11-21"):
        (tmp_path / f"day={day}").mkdir()
        written(tmp_path / f"day={day}" / "log.jellyp", patches=2)
    for queries in (COMPILED, INTERPRETED):
        with spark_settings(spark, queries):
            found = load(spark, tmp_path).where("op = 'H'").select("day", "value", "_metadata.file_name").collect()
        assert sorted((str(row.day), row.value, row.file_name) for row in found) == [
            (day, f"<urn:patch:{patch}>", "log.jellyp") for day in ("2026-11-20", "2026-11-21") for patch in (0, 1)
        ]
