"""The file format ``jelly-patch`` in Spark: what is written is read back, and what can't be is refused by name."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
from checksums import renewed
from conftest import spark_settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import CHANGES_SCHEMA, ChangeRow, PatchFormatError, TextFormatError

pytestmark = pytest.mark.settings

IRIS = ["<http://example.org/a>", "<http://example.org/b#c>", "<urn:x>", "<http://exämple/%20>"]
OBJECTS = IRIS + [
    '""', '"a\\u0000b"', '"chrząszcz"@pl', '"x"@ar--rtl', '"12"^^<http://www.w3.org/2001/XMLSchema#integer>', "_:b1"
]


def transaction(patch: int, start: int, tx: int, changes: List[ChangeRow], end: str = "TC") -> List[ChangeRow]:
    """The changes within TX and TC, numbered on from ``start``."""
    inner = [ChangeRow(op="TX"), *changes, ChangeRow(op=end)]
    return [change._replace(patch=patch, tx=tx, row=start + i) for i, change in enumerate(inner)]


def random_rows(seed: int, patches: int = 3, quads: bool = True) -> List[ChangeRow]:
    pick = random.Random(seed)
    rows: List[ChangeRow] = []
    for patch in range(patches):
        changes = [
            ChangeRow(
                op=pick.choice("AD"),
                subject=pick.choice(IRIS + ["_:s"]),
                predicate=pick.choice(IRIS),
                object=pick.choice(OBJECTS),
                graph=pick.choice([None, "<urn:g>", "_:g"]) if quads else None,
            )
            for _ in range(pick.randrange(20))
        ]
        rows.append(ChangeRow(patch=patch, row=len(rows), op="H", name="id", value=f"<urn:id:{patch}>"))
        rows += transaction(patch, len(rows), patch, changes, pick.choice(["TC", "TA"]))
        rows.append(ChangeRow(patch=patch, row=len(rows), op="PA", name="ex", value="<http://example.org/>"))
        rows.append(ChangeRow(patch=patch, row=len(rows), op="PD", name="ex"))
    return rows


def frame(spark: SparkSession, rows: List[ChangeRow]) -> DataFrame:
    return spark.createDataFrame([tuple(row) for row in rows], CHANGES_SCHEMA)


def write(df: DataFrame, path: Path, **options: Any) -> Path:
    writer = df.transform(jellybridge.in_order).write.format("jelly-patch")
    for name, value in options.items():
        writer = writer.option(name, value)
    writer.save(str(path))
    return path


def read(spark: SparkSession, path: Path, **options: Any) -> DataFrame:
    return spark.read.format("jelly-patch").options(**{k: str(v).lower() for k, v in options.items()}).load(str(path))


def rows_of(df: DataFrame) -> List[ChangeRow]:
    return [ChangeRow(*row) for row in df.orderBy("row").collect()]


def only_file(folder: Path) -> Path:
    (file,) = folder.glob("*.jellyp")
    return file


def broken(spark: SparkSession, folder: Path, cut: Optional[int] = None) -> Path:
    """A file of two transactions, whose second is damaged (or which is cut so many bytes before its end)."""
    rows = transaction(0, 0, 0, [ChangeRow(op="A", subject=IRIS[0], predicate=IRIS[1], object='"first"')])
    rows += transaction(
        0, 3, 1, [ChangeRow(op="A", subject=IRIS[0], predicate=IRIS[1], object=f'"second {i}"') for i in range(5)]
    )
    source = only_file(write(frame(spark, rows), folder / "source"))
    bytes_ = source.read_bytes()
    target = folder / "broken.jellyp"
    if cut is None:
        at = bytes_.index(b"second 3")
        target.write_bytes(renewed(bytes_[:at] + b"\xff" + bytes_[at + 1 :]))
    else:
        target.write_bytes(bytes_[:-cut])
    return target


@pytest.mark.parametrize("stream_type", ["PUNCTUATED", "FRAME", "FLAT"])
@pytest.mark.parametrize("statement_type", ["QUADS", "TRIPLES"])
def test_what_is_written_is_read_back(spark: SparkSession, tmp_path: Path, stream_type: str, statement_type: str) -> None:
    for seed, tables in enumerate([(8, 0, 1), (8, 1, 2), (4000, 150, 32)]):
        rows = random_rows(seed, 1 if stream_type == "FLAT" else 3, statement_type == "QUADS")
        folder = write(
            frame(spark, rows),
            tmp_path / str(seed),
            streamType=stream_type,
            statementType=statement_type,
            maxNameTableSize=tables[0],
            maxPrefixTableSize=tables[1],
            maxDatatypeTableSize=tables[2],
            **({} if stream_type == "FRAME" else {"frameRows": 1 + seed}),
        )
        assert rows_of(read(spark, folder, strict=True)) == rows


def test_one_bare_frame_is_written_and_read(spark: SparkSession, tmp_path: Path) -> None:
    rows = random_rows(7, patches=1)
    folder = write(frame(spark, rows), tmp_path / "bare", delimited=False)
    assert only_file(folder).read_bytes()[0] == 0x0A
    assert rows_of(read(spark, folder)) == rows


def test_only_op_and_the_columns_it_needs_are_required(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.createDataFrame(
        [("A", "<urn:s>", "<urn:p>", '"o"')], "op STRING, subject STRING, predicate STRING, object STRING"
    )
    df.coalesce(1).write.format("jelly-patch").save(str(tmp_path / "few"))
    (row,) = rows_of(read(spark, tmp_path / "few"))
    assert row == ChangeRow(0, None, 0, "A", "<urn:s>", "<urn:p>", '"o"')


def test_terms_come_back_in_canonical_form(spark: SparkSession, tmp_path: Path) -> None:
    rows = transaction(
        0,
        0,
        0,
        [
            ChangeRow(op="A", subject="<urn:\\u0041>", predicate="<urn:p>", object='"x"@EN-gb'),
            ChangeRow(
                op="A", subject="<urn:s>", predicate="<urn:p>", object='"x"^^<http://www.w3.org/2001/XMLSchema#string>'
            ),
            ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='<< <urn:a> <urn:b> "\\u0009" >>'),
        ],
    )
    folder = write(frame(spark, rows), tmp_path / "canonical", rdfStar=True)
    found = [(row.subject, row.object) for row in rows_of(read(spark, folder)) if row.op == "A"]
    assert found == [
        ("<urn:A>", '"x"@en-gb'),
        ("<urn:s>", '"x"'),
        ("<urn:s>", '<<( <urn:a> <urn:b> "\\t" )>>'),
    ]


@pytest.mark.parametrize("columns", [["op"], ["object"], ["graph", "row"], ["value", "name", "op", "patch", "tx"]])
def test_a_column_that_is_not_used_is_left_out_of_the_rows_not_of_the_decoding(
    spark: SparkSession, tmp_path: Path, columns: List[str]
) -> None:
    rows = random_rows(3)
    folder = write(frame(spark, rows), tmp_path / "pruned")
    expected = [tuple(getattr(row, column) for column in columns) for row in rows]
    pruned = read(spark, folder).select(*columns)
    assert "ReadSchema: struct<" + ",".join(sorted_schema(columns)) in plan(pruned)
    assert sorted(map(repr, map(tuple, pruned.collect()))) == sorted(map(repr, expected))
    assert read(spark, folder).count() == len(rows)


def sorted_schema(columns: List[str]) -> List[str]:
    order = [field.split()[0] for field in CHANGES_SCHEMA.split(", ")]
    types = {field.split()[0]: field.split()[1].lower() for field in CHANGES_SCHEMA.split(", ")}
    return [f"{column}:{types[column]}" for column in order if column in columns]


def plan(df: DataFrame) -> str:
    return str(df._jdf.queryExecution().executedPlan().toString())


def test_a_schema_may_leave_columns_out_but_has_no_others(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(1)), tmp_path / "schema")
    reader = spark.read.format("jelly-patch")
    assert reader.schema("op STRING, row BIGINT").load(str(folder)).columns == ["op", "row"]
    with pytest.raises(Exception, match="unknown column 'verb'; the columns of change rows are patch, tx, row, op"):
        reader.schema("verb STRING").load(str(folder)).collect()
    with pytest.raises(Exception, match="column 'row' is of type string; change rows have it as bigint"):
        reader.schema("row STRING").load(str(folder)).collect()


@pytest.mark.usefixtures("stops_at_damage")
def test_a_broken_file_fails_with_rule_file_frame_row_and_offset(spark: SparkSession, tmp_path: Path) -> None:
    file = broken(spark, tmp_path)
    for action in (
        lambda: read(spark, file).collect(),
        lambda: read(spark, file).select("object").where("op = 'A'").collect(),
        lambda: read(spark, file, mode="FAILFAST").collect(),
        lambda: read(spark, file, strict=True).count(),
        lambda: read(spark, file, strict=True).select("op").where("op = 'TX'").collect(),
    ):
        with pytest.raises(PatchFormatError) as caught:
            action()
        error = caught.value
        assert error.rule == "P-125"
        assert error.file is not None and error.file.endswith("broken.jellyp")
        assert (error.frame, error.offset) == (0, file.read_bytes().index(b"\xffecond 3"))
        assert error.row > 5
        assert "not UTF-8" in error.found
        assert "\n" not in str(error)


@pytest.mark.usefixtures("stops_at_damage")
def test_what_only_shows_in_making_a_term_goes_unnoticed_where_no_term_is_made(spark: SparkSession, tmp_path: Path) -> None:
    file = broken(spark, tmp_path)
    assert read(spark, file).count() == read(spark, file).select("op").where("op is not null").count() > 3


@pytest.mark.usefixtures("stops_at_damage")
def test_a_file_that_is_cut_anywhere_fails(spark: SparkSession, tmp_path: Path) -> None:
    for cut in (1, 3, 20):
        with pytest.raises(PatchFormatError):
            read(spark, broken(spark, tmp_path / str(cut), cut)).collect()


def test_under_ignore_corrupt_files_the_whole_transactions_before_the_fault_are_kept(
    spark: SparkSession, tmp_path: Path
) -> None:
    file = broken(spark, tmp_path)
    assert [row.op for row in rows_of(read(spark, file, ignoreCorruptFiles=True))] == ["TX", "A", "TC"]
    with spark_settings(spark, {"spark.sql.files.ignoreCorruptFiles": "true"}):
        assert [row.op for row in rows_of(read(spark, file))] == ["TX", "A", "TC"]


@pytest.mark.usefixtures("stops_at_damage")
def test_limits_are_options(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(1)), tmp_path / "large", maxNameTableSize=5000)
    with pytest.raises(PatchFormatError, match="P-126.*maxNameTableSize=5000.*limit of 4096.*raise maxNameTableSize"):
        read(spark, folder).collect()
    assert read(spark, folder, maxNameTableSize=5000).count() > 0
    with pytest.raises(PatchFormatError, match="above the limit of 10"):
        read(spark, folder, maxNameTableSize=5000, maxFrameBytes=10).collect()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"strct": "true"}, "unknown option 'strct' of jelly-patch"),
        ({"strict": "yes"}, "option 'strict' of jelly-patch is 'yes'; it takes true or false"),
        ({"mode": "PERMISSIVE"}, "option 'mode' of jelly-patch is 'PERMISSIVE'; it takes FAILFAST only"),
        ({"maxNesting": "0"}, "option 'maxNesting' of jelly-patch is '0'; it takes a whole number of at least 1"),
    ],
)
def test_options_of_reading_are_checked_by_name(
    spark: SparkSession, tmp_path: Path, options: Dict[str, str], message: str
) -> None:
    folder = write(frame(spark, random_rows(1)), tmp_path / "options")
    with pytest.raises(Exception, match=message):
        spark.read.format("jelly-patch").options(**options).load(str(folder)).collect()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"streamtyp": "FLAT"}, "unknown option 'streamtyp' of jelly-patch"),
        ({"streamType": "flatt"}, "it takes one of .FRAME, FLAT, PUNCTUATED"),
        ({"statementType": "GRAPHS"}, "it takes one of .TRIPLES, QUADS"),
        (
            {"maxNameTableSize": "7"},
            "option 'maxNameTableSize' of jelly-patch is '7'; it takes a whole number of at least 8",
        ),
        ({"frameRows": "0"}, "option 'frameRows'"),
        ({"frameRows": "5", "delimited": "false"}, "frameRows does not go with delimited=false"),
        ({"frameRows": "5", "streamType": "FRAME"}, "frameRows does not go with streamType=FRAME"),
    ],
)
def test_options_of_writing_are_checked_by_name(
    spark: SparkSession, tmp_path: Path, options: Dict[str, str], message: str
) -> None:
    with pytest.raises(Exception, match=message):
        write(frame(spark, random_rows(1)), tmp_path / "options", **options)


@pytest.mark.parametrize(
    "rows, options, message",
    [
        (random_rows(1), {"streamType": "FLAT"}, "P-16"),
        (random_rows(1), {"delimited": "false"}, "P-02"),
        (random_rows(1), {"statementType": "TRIPLES"}, "P-33"),
        ([ChangeRow(row=0, op="TX")], {}, "P-105"),
        ([ChangeRow(row=0, op="TC")], {}, "P-101"),
        ([ChangeRow(row=0, op="A", subject="<urn:s>", predicate="<urn:p>")], {}, "P-71.*no object"),
        (
            [ChangeRow(row=0, op="A", subject='"s"', predicate="<urn:p>", object='"o"')], {},
            "P-44.*generalizedStatements=true",
        ),
        ([ChangeRow(row=0, op="H", name="k", value="<<( _:a <urn:p> _:b )>>")], {}, "P-46.*rdfStar=true"),
    ],
)
def test_rows_that_the_format_has_no_place_for_are_refused_by_rule(
    spark: SparkSession, tmp_path: Path, rows: List[ChangeRow], options: Dict[str, str], message: str
) -> None:
    with pytest.raises(PatchFormatError, match=message):
        write(frame(spark, rows), tmp_path / "refused", **options)
    assert not list((tmp_path / "refused").glob("*.jellyp")), "nothing half-written stays behind"


@pytest.mark.parametrize(
    "rows, message",
    [
        ([ChangeRow(row=0, op="X")], 'a row has op "X"; it must be one of'),
        ([ChangeRow(row=0, op="PA", value="<urn:n>")], "a row with op PA has no name"),
        ([ChangeRow(row=0, op="TX"), ChangeRow(row=0, op="TX")], "two rows have patch 0, row 0; sort by patch and row"),
    ],
)
def test_rows_that_are_no_change_rows_are_refused(
    spark: SparkSession, tmp_path: Path, rows: List[ChangeRow], message: str
) -> None:
    place = f"file:{tmp_path / 'refused'}, patch 0, row {rows[-1].row}"
    with pytest.raises(TextFormatError, match=f"^.change rows. {place}: .*{message}.*$"):
        write(frame(spark, rows), tmp_path / "refused")


def test_a_name_that_is_not_utf8_is_refused_with_its_row(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame(spark, [ChangeRow(row=0, op="H", value='"v"')]).withColumn("name", F.expr("CAST(X'E9' AS STRING)"))
    with pytest.raises(PatchFormatError, match="P-125.*refused, patch 0, row 0: bytes that are not UTF-8"):
        write(rows, tmp_path / "refused")


@pytest.mark.parametrize("format", ["jelly-patch", "rdf-patch"])
def test_a_row_without_its_patch_is_refused(spark: SparkSession, tmp_path: Path, format: str) -> None:
    rows = spark.sql("SELECT CAST(p AS BIGINT) AS patch, 'TX' AS op FROM VALUES (0), (NULL) AS t(p)").coalesce(1)
    with pytest.raises(TextFormatError, match="^.change rows. file:.*refused, row 1 .counted from 0.: a row has null in patch"):
        rows.write.format(format).save(str(tmp_path / "refused"))
    alone = spark.sql("SELECT 'H' AS op, 'id' AS name, '<urn:1>' AS value")
    alone.write.format(format).save(str(tmp_path / "alone"))
    assert [row.patch for row in spark.read.format(format).load(str(tmp_path / "alone")).collect()] == [0]


def test_rows_that_come_out_of_order_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    rows = [ChangeRow(patch=1, row=1, op="TX"), ChangeRow(patch=1, row=2, op="TC"), ChangeRow(patch=0, row=0, op="TX")]
    with pytest.raises(Exception, match="rows are out of order: patch 0, row 0 after patch 1, row 2; sort by patch and row"):
        frame(spark, rows).coalesce(1).write.format("jelly-patch").save(str(tmp_path / "unordered"))


@pytest.mark.parametrize("format", ["jelly-patch", "rdf-patch"])
@pytest.mark.parametrize("number, says", [(None, "has null in row"), (-1, "has -1 in row; count from 0")])
def test_a_row_without_its_number_is_refused(
    spark: SparkSession, tmp_path: Path, format: str, number: Optional[int], says: str
) -> None:
    rows = frame(spark, random_rows(3, patches=1)).withColumn("row", F.expr("CASE WHEN row = 3 THEN NULL ELSE row END"))
    rows = rows.withColumn("row", F.coalesce("row", F.lit(number)))
    with pytest.raises(TextFormatError, match=f"^.change rows. file:.*refused, patch 0, row .*{says}"):
        rows.transform(jellybridge.in_order).write.format(format).save(str(tmp_path / "refused"))


@pytest.mark.parametrize("format", ["jelly-patch", "rdf-patch"])
@pytest.mark.parametrize(
    "rows, place, says",
    [
        (transaction(7, 40, 0, [ChangeRow(op="A", subject='"s"', predicate="<urn:p>", object='"o"')]), "row 41", "literal"),
        (transaction(7, 40, 0, [ChangeRow(op="A", subject="zzz", predicate="<urn:p>", object='"o"')]), "row 41", "zzz"),
        (transaction(7, 40, 0, [], end="TX"), "row 41", "transaction"),
        ([ChangeRow(patch=7, row=40, op="TX")], "row 40", "within a transaction"),
        ([ChangeRow(patch=6, row=40, op="TX"), ChangeRow(patch=7, row=41, op="TX")], "row 41", "within a transaction"),
    ],
)
def test_a_refused_row_is_named_by_its_place_in_the_data(
    spark: SparkSession, tmp_path: Path, format: str, rows: List[ChangeRow], place: str, says: str
) -> None:
    with pytest.raises((PatchFormatError, TextFormatError), match=says) as raised:
        frame(spark, rows).transform(jellybridge.in_order).write.format(format).save(str(tmp_path / "out"))
    assert raised.value.file in [f"file:{tmp_path / 'out'}, {where}patch 7, {place}" for where in ("", "after ")]
    assert str(raised.value).endswith(f"{raised.value.file}: {raised.value.found}; {raised.value.advice}")
    assert raised.value.offset == -1 and "byte" not in str(raised.value).split(": ")[0]


def days(spark: SparkSession) -> DataFrame:
    """Many patches, in no order, whose days are text, of which some are missing and one is empty, and numbers."""
    rows = spark.range(7000).selectExpr(
        "id div 100 AS patch", "id AS row", "CASE id % 100 WHEN 0 THEN 'TX' WHEN 99 THEN 'TC' ELSE 'A' END AS op",
        "'<urn:s>' AS subject", "'<urn:p>' AS predicate", "concat('\"', id, '\"') AS object",
        "CASE (id div 100) % 7 WHEN 3 THEN NULL WHEN 4 THEN '' ELSE concat('long-name-of-', (id div 100) % 7) END AS text",
        "(id div 100) % 7 AS number", "CAST((id div 100) % 7 AS INT) AS small",
    )
    return rows.orderBy(F.rand(7)).localCheckpoint()


@pytest.mark.parametrize("columns", [["text"], ["number"], ["small", "text"], ["patch"]])
def test_folders_of_a_partitioned_log_hold_whole_patches_in_order(
    spark: SparkSession, tmp_path: Path, columns: List[str]
) -> None:
    others = {"text", "number", "small"} - set(columns)
    rows = days(spark).drop(*others)
    log = tmp_path / "log"
    rows.transform(jellybridge.in_order, *columns).write.partitionBy(*columns).format("jelly-patch").save(str(log))
    found = read(spark, log).where("op = 'A'").select("object", *(c for c in columns if c != "patch"))
    expected = rows.withColumn("text", F.nullif("text", F.lit(""))) if "text" in columns else rows
    assert found.exceptAll(expected.where("op = 'A'").select(*found.columns)).count() == 0
    assert found.count() == 70 * 98


def test_a_partitioned_write_that_is_not_in_order_says_how_it_comes_to_be(spark: SparkSession, tmp_path: Path) -> None:
    rows = days(spark).drop("text", "number")
    with pytest.raises(TextFormatError, match=r"file:.*small=0, patch .*out of order.*in_order\(df, 'small'\)"):
        rows.transform(jellybridge.in_order).write.partitionBy("small").format("jelly-patch").save(str(tmp_path / "log"))
    halves = frame(spark, random_rows(2)).withColumn("half", F.col("row") % 2)
    with pytest.raises(PatchFormatError, match="P-10.*keep the rows of a patch in one folder"):
        halves.transform(jellybridge.in_order, "half").write.partitionBy("half").format("jelly-patch").save(
            str(tmp_path / "halves")
        )
    with pytest.raises(ValueError, match="there is no column day to partition by; the columns are patch, tx"):
        frame(spark, random_rows(2)).transform(jellybridge.in_order, "day")


@pytest.mark.parametrize("format", ["jelly-patch", "rdf-patch"])
def test_spark_may_not_cut_files_by_rows_and_ranges_of_patches_do_instead(
    spark: SparkSession, tmp_path: Path, format: str
) -> None:
    says = f"^maxRecordsPerFile is 4: Spark would cut a patch of {format} in two; .*repartitionByRange"
    rows = random_rows(2, patches=9)
    writer = frame(spark, rows).transform(jellybridge.in_order).write.format(format)
    with pytest.raises(Exception, match=says):
        writer.option("maxrecordsperfile", 4).save(str(tmp_path / "option"))
    with spark_settings(spark, {"spark.sql.files.maxRecordsPerFile": "4"}):
        with pytest.raises(Exception, match=says):
            frame(spark, rows).transform(jellybridge.in_order).write.format(format).save(str(tmp_path / "setting"))
        ranges = frame(spark, rows).repartitionByRange(3, "patch").sortWithinPartitions("patch", "row")
        ranges.write.format(format).option("maxRecordsPerFile", 0).save(str(tmp_path / "ranges"))
    files = sorted((tmp_path / "ranges").glob("part-*"))
    assert len(files) == 3
    found = [row for file in files for row in rows_of(spark.read.format(format).load(str(file)))]
    assert [row._replace(patch=0, tx=0, row=0) for row in found] == [row._replace(patch=0, tx=0, row=0) for row in rows]


@pytest.mark.parametrize("format", ["jelly-patch", "rdf-patch"])
def test_a_column_of_another_type_is_refused_with_the_cast_that_helps(
    spark: SparkSession, tmp_path: Path, format: str
) -> None:
    rows = frame(spark, random_rows(2, patches=1))
    for column, type, right in (("patch", "int", "bigint"), ("graph", "void", "string"), ("op", "double", "string")):
        other = rows.withColumn(column, F.lit(None).cast(type) if type != "int" else F.lit(0))
        says = f"column '{column}' is of type {type}; change rows have it as {right}: cast it, as col.'{column}'..cast"
        with pytest.raises(Exception, match=says):
            other.transform(jellybridge.in_order).write.format(format).save(str(tmp_path / column))
    with pytest.raises(Exception, match="column 'patch' is of type int; .*cast it"):
        spark.read.format(format).schema("patch INT").load(str(tmp_path)).collect()


def test_several_files_are_read_each_with_its_own_numbers(spark: SparkSession, tmp_path: Path) -> None:
    for part in range(3):
        write(frame(spark, random_rows(part)), tmp_path / f"part={part}")
    found = read(spark, tmp_path)
    for part in range(3):
        rows = found.where(F.col("part") == part).drop("part")
        assert rows_of(rows) == random_rows(part)
        assert rows.select("_metadata.file_name").distinct().count() == 1


def test_sql_reads_and_writes_the_format(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(4)), tmp_path / "sql")
    counted = spark.sql(f"SELECT count(*) FROM `jelly-patch`.`{folder}`").first()
    assert counted is not None and counted[0] == len(random_rows(4))


def test_the_options_of_a_table_serve_its_reads_and_its_writes(spark: SparkSession, tmp_path: Path) -> None:
    rows = [row._replace(graph=None) for row in random_rows(6, patches=1)]
    frame(spark, rows).transform(jellybridge.in_order).createOrReplaceTempView("rows")
    spark.sql(
        f"CREATE TABLE changes ({CHANGES_SCHEMA}) USING `jelly-patch` LOCATION '{tmp_path / 'table'}' "
        "OPTIONS (strict true, streamType 'FLAT', statementType 'TRIPLES', maxNameTableSize 8, maxPrefixTableSize 0)"
    )
    try:
        spark.sql("INSERT INTO changes SELECT * FROM rows")
        assert rows_of(spark.table("changes")) == rows
    finally:
        spark.sql("DROP TABLE changes")


def test_streams_read_and_write_the_format(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for i in range(3):
        shutil.copy(only_file(write(frame(spark, random_rows(i)), tmp_path / f"w{i}")), source / f"{i}.jellyp")
    target = tmp_path / "target"

    def run() -> None:
        stream = spark.readStream.format("jelly-patch").schema(CHANGES_SCHEMA).option("maxFilesPerTrigger", 1)
        query = (
            stream.load(str(source))
            .writeStream.format("jelly-patch")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start(str(target))
        )
        query.awaitTermination()

    run()
    assert len(list(target.glob("*.jellyp"))) == 3
    run()
    assert read(spark, target).count() == sum(len(random_rows(i)) for i in range(3)), "a restart reads nothing twice"
    shutil.copy(source / "0.jellyp", source / "3.jellyp")
    run()
    assert read(spark, target).count() == sum(len(random_rows(i)) for i in (0, 1, 2, 0))


def test_a_limit_closes_the_file_early(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(5)), tmp_path / "limit")
    assert len(read(spark, folder).limit(2).collect()) == 2
