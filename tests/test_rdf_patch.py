"""The file format ``rdf-patch`` in Spark: the same change rows as ``jelly-patch``, as text."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any, Dict, List

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import CHANGES_SCHEMA, ChangeRow, TextFormatError

pytestmark = pytest.mark.settings

IRIS = ["<http://example.org/a>", "<http://example.org/b#c>", "<urn:x>", "<http://exämple/%20>"]
NODES = IRIS + ["_:b1", "_:a b>"]
OBJECTS = NODES + ['""', '"a\\u0000b"', '"chrząszcz"@pl', '"x"@ar--rtl', '"1"^^<urn:d>', '<<( _:s <urn:p> "o" )>>']
A_ROW = "A <urn:s> <urn:p> <urn:o> .\n"


def random_rows(seed: int, patches: int = 3) -> List[ChangeRow]:
    pick = random.Random(seed)
    rows: List[ChangeRow] = []

    def add(op: str, patch: int, tx: Any = None, **columns: Any) -> None:
        rows.append(ChangeRow(patch=patch, tx=tx, row=len(rows), op=op, **columns))

    for patch in range(patches):
        add("H", patch, name=pick.choice(["id", "two words"]), value=f"<urn:id:{patch}>")
        add("TX", patch, patch)
        for _ in range(pick.randrange(20)):
            add(
                pick.choice("AD"),
                patch,
                patch,
                subject=pick.choice(NODES),
                predicate=pick.choice(IRIS),
                object=pick.choice(OBJECTS),
                graph=pick.choice([None, "<urn:g>", "_:g"]),
            )
        add(pick.choice(["TC", "TA"]), patch, patch)
        add("PA", patch, name="ex", value="<http://example.org/>", graph=pick.choice([None, "<urn:g>"]))
        add("PD", patch, name="")
    return rows


def frame(spark: SparkSession, rows: List[ChangeRow]) -> DataFrame:
    return spark.createDataFrame([tuple(row) for row in rows], CHANGES_SCHEMA)


def write(df: DataFrame, path: Path, **options: Any) -> Path:
    df.transform(jellybridge.in_order).write.format("rdf-patch").options(**options).save(str(path))
    return path


def read(spark: SparkSession, path: Path, **options: Any) -> DataFrame:
    return spark.read.format("rdf-patch").options(**options).load(str(path))


def rows_of(df: DataFrame) -> List[ChangeRow]:
    return [ChangeRow(*row) for row in df.orderBy("row").collect()]


def file(folder: Path, text: str, name: str = "a.rdfp") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("compression", ["none", "gzip"])
def test_what_is_written_is_read_back(spark: SparkSession, tmp_path: Path, compression: str) -> None:
    rows = random_rows(1)
    folder = write(frame(spark, rows), tmp_path / "all", compression=compression)
    assert rows_of(read(spark, folder)) == rows
    (written,) = folder.glob("part-*")
    assert written.name.endswith(".rdfp.gz" if compression == "gzip" else ".rdfp")
    text = gzip.open(written, "rt", encoding="utf-8").read() if compression == "gzip" else written.read_text("utf-8")
    assert len(text.splitlines()) == len(rows) + 2, "a line for each row and each mark"
    assert text.count("\nZ .\n") == 2


def test_text_becomes_jelly_and_text_again(spark: SparkSession, tmp_path: Path) -> None:
    rows = random_rows(2)
    text = write(frame(spark, rows), tmp_path / "text")
    jelly = tmp_path / "jelly"
    rows_in_order = read(spark, text).transform(jellybridge.in_order)
    rows_in_order.write.format("jelly-patch").option("rdfStar", True).save(str(jelly))
    again = write(spark.read.format("jelly-patch").load(str(jelly)), tmp_path / "again")
    assert rows_of(read(spark, again)) == rows
    assert [f.read_bytes() for f in again.glob("*.rdfp")] == [f.read_bytes() for f in text.glob("*.rdfp")]


def test_one_patch_may_go_without_marks_and_two_may_not(spark: SparkSession, tmp_path: Path) -> None:
    rows = random_rows(3, patches=1)
    folder = write(frame(spark, rows), tmp_path / "one", marks="false")
    assert "Z ." not in next(folder.glob("*.rdfp")).read_text("utf-8")
    assert rows_of(read(spark, folder)) == rows
    with pytest.raises(TextFormatError, match="a second patch for a text without marks"):
        write(frame(spark, random_rows(3)), tmp_path / "two", marks="false")


@pytest.mark.usefixtures("stops_at_damage")
def test_dialects_are_read_by_option(spark: SparkSession, tmp_path: Path) -> None:
    text = file(tmp_path, "PA rdf: <urn:n> .\nPD rdf <urn:n> .\n", "bare.rdp")
    assert [(row.name, row.value) for row in rows_of(read(spark, text))] == [("rdf", "<urn:n>")] * 2
    assert read(spark, text, dialect="specification").count() == 2
    with pytest.raises(TextFormatError, match=r"bare\.rdp, line 1, column 4 .*or read with a dialect"):
        read(spark, text, dialect="jena").collect()
    old = file(tmp_path, "TB .\nA << <urn:a> <urn:b> 1 >> <urn:p> _:x .\nTC .\n", "old.trp")
    found = rows_of(read(spark, old, dialect="rdf_delta"))
    assert [row.op for row in found] == ["TX", "A", "TC"]
    assert found[1].subject == '<<( <urn:a> <urn:b> "1"^^<http://www.w3.org/2001/XMLSchema#integer> )>>'


def test_patches_are_numbered_by_their_marks(spark: SparkSession, tmp_path: Path) -> None:
    text = file(tmp_path, A_ROW + "Z .\nZ .\n" + A_ROW + A_ROW)
    numbers = [(row.patch, row.tx, row.row) for row in rows_of(read(spark, text))]
    assert numbers == [(0, None, 0), (2, None, 1), (2, None, 2)]


@pytest.mark.usefixtures("stops_at_damage")
def test_broken_text_fails_with_file_line_and_column(spark: SparkSession, tmp_path: Path) -> None:
    text = file(tmp_path, A_ROW + "A <urn:s> ex:p <urn:o> .\n", "broken.rdfp")
    for action in (lambda: read(spark, text).collect(), lambda: read(spark, text, mode="FAILFAST").count()):
        with pytest.raises(TextFormatError) as caught:
            action()
        error = caught.value
        assert (error.format, error.line, error.column, error.offset) == ("RDF Patch", 2, 11, len(A_ROW) + 10)
        assert error.file is not None and error.file.endswith("broken.rdfp")
        assert "the prefixed name 'ex:p'" in error.found


@pytest.mark.usefixtures("stops_at_damage")
def test_under_ignore_corrupt_files_the_whole_transactions_before_the_fault_are_kept(
    spark: SparkSession, tmp_path: Path
) -> None:
    transaction = "TX .\n" + A_ROW + "TC .\n"
    broken = file(tmp_path, transaction + "TX .\n" + A_ROW + "oops", "broken.rdfp")
    open_end = file(tmp_path, transaction + "TX .\n" + A_ROW, "open.rdfp")
    cut = tmp_path / "cut.rdfp.gz"
    cut.write_bytes(gzip.compress((transaction + A_ROW * 10_000 + transaction).encode(), mtime=0)[:-20])
    for path in (broken, open_end, cut):
        with pytest.raises(Exception, match="oops|within transaction 1|the file was cut off"):
            read(spark, path).collect()
        assert [row.op for row in rows_of(read(spark, path, ignoreCorruptFiles=True))] == ["TX", "A", "TC"]


@pytest.mark.parametrize(
    "row, options, message",
    [
        (ChangeRow(row=0, op="TX"), {}, "the end of the text within a transaction"),
        (ChangeRow(row=0, op="TC"), {}, "TC outside of a transaction"),
        (ChangeRow(row=0, op="A", subject="<urn:s>", predicate="<urn:p>"), {}, "no object"),
        (ChangeRow(row=0, op="A", subject='"s"', predicate="<urn:p>", object='"o"'), {}, "a literal as the subject"),
        (ChangeRow(row=0, op="A", subject="<s>", predicate="<urn:p>", object='"o"'), {}, "the IRI <s> without a scheme"),
        (ChangeRow(row=0, op="PA", name="a:b", value="<urn:n>"), {}, "a prefix with the character ':'"),
    ],
)
def test_rows_that_text_has_no_place_for_are_refused(
    spark: SparkSession, tmp_path: Path, row: ChangeRow, options: Dict[str, str], message: str
) -> None:
    with pytest.raises(TextFormatError, match=message):
        write(frame(spark, [row]), tmp_path / "refused", **options)
    assert not list((tmp_path / "refused").glob("*.rdfp")), "nothing half-written stays behind"


@pytest.mark.usefixtures("stops_at_damage")
def test_generalized_statements_and_relative_iris_are_options(spark: SparkSession, tmp_path: Path) -> None:
    rows = [ChangeRow(row=0, op="A", subject='"s"', predicate="_:p", object="<o>", graph='"g"')]
    options = {"generalizedStatements": "true", "relativeIris": "true"}
    folder = write(frame(spark, rows), tmp_path / "generalized", **options)
    assert rows_of(read(spark, folder, **options)) == rows
    with pytest.raises(TextFormatError, match="a literal as the subject"):
        read(spark, folder, relativeIris="true").collect()
    with pytest.raises(TextFormatError, match="the IRI <o> without a scheme"):
        read(spark, folder, generalizedStatements="true").collect()


@pytest.mark.usefixtures("stops_at_damage")
def test_limits_are_options(spark: SparkSession, tmp_path: Path) -> None:
    text = file(tmp_path, f'A <urn:s> <urn:p> "{"x" * 100}" .\n')
    with pytest.raises(TextFormatError, match="a token of more than 50 bytes"):
        read(spark, text, maxTokenBytes=50).collect()
    nested = file(tmp_path, "A <urn:s> <urn:p> <<( <urn:a> <urn:b> <<( <urn:a> <urn:b> <urn:c> )>> )>> .\n", "n.rdfp")
    with pytest.raises(TextFormatError, match="raise maxNesting"):
        read(spark, nested, maxNesting=1).collect()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"dialct": "jena"}, "unknown option 'dialct' of rdf-patch"),
        ({"dialect": "turtle"}, "option 'dialect' of rdf-patch is 'turtle'; it takes one of .JENA, RDF_DELTA"),
        ({"mode": "PERMISSIVE"}, "option 'mode' of rdf-patch is 'PERMISSIVE'; it takes FAILFAST only"),
        ({"compression": "zip"}, "option 'compression' of rdf-patch is 'zip'; it takes one of .none, gzip, zstd"),
        ({"maxTokenBytes": "0"}, "a whole number of at least 1"),
    ],
)
def test_options_are_checked_by_name(
    spark: SparkSession, tmp_path: Path, options: Dict[str, str], message: str
) -> None:
    text = file(tmp_path, A_ROW)
    with pytest.raises(Exception, match=message):
        read(spark, text, **options).collect()
    with pytest.raises(Exception, match=message):
        write(frame(spark, random_rows(1)), tmp_path / "options", **options)


@pytest.mark.parametrize("columns", [["op"], ["object"], ["graph", "row"], ["value", "name", "op", "patch", "tx"]])
def test_columns_that_are_not_used_are_left_out(spark: SparkSession, tmp_path: Path, columns: List[str]) -> None:
    rows = random_rows(4)
    folder = write(frame(spark, rows), tmp_path / "pruned")
    found = read(spark, folder).select(*columns).collect()
    assert sorted(map(repr, map(tuple, found))) == sorted(
        repr(tuple(getattr(row, column) for column in columns)) for row in rows
    )
    assert read(spark, folder).count() == len(rows)


def test_folders_of_several_files_are_read_each_with_its_own_numbers(spark: SparkSession, tmp_path: Path) -> None:
    for part in range(3):
        write(frame(spark, random_rows(part)), tmp_path / f"part={part}")
    found = read(spark, tmp_path)
    for part in range(3):
        assert rows_of(found.where(F.col("part") == part).drop("part")) == random_rows(part)


def test_streams_read_and_write_text(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for i in range(3):
        file(source, A_ROW * (i + 1), f"{i}.rdfp")
    target = tmp_path / "target"
    query = (
        spark.readStream.format("rdf-patch")
        .schema(CHANGES_SCHEMA)
        .option("maxFilesPerTrigger", 1)
        .load(str(source))
        .writeStream.format("rdf-patch")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(target))
    )
    query.awaitTermination()
    assert len(list(target.glob("*.rdfp"))) == 3
    assert read(spark, target).count() == 6


def test_sql_reads_text(spark: SparkSession, tmp_path: Path) -> None:
    text = file(tmp_path, A_ROW * 4)
    assert spark.sql(f"SELECT count(*) FROM `rdf-patch`.`{text}`").first()[0] == 4  # type: ignore[index]


def test_the_peer_s_files_are_read(spark: SparkSession, shared_dir: Path) -> None:
    counts = {
        path.name: read(spark, path).count() for path in sorted((shared_dir / "conformance" / "patch").glob("*.rdfp"))
    }
    assert counts["jena_syntax-1.rdfp"] == 9
    assert counts["jvm_triples-all-features-rdf11.rdfp"] == 27
    assert len(counts) == 4 and all(counts.values())
