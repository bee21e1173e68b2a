"""The file format ``jelly`` in Spark: Jelly-RDF as rows, in every layout; what can't be is refused by name."""

from __future__ import annotations

import gzip
import random
import shutil
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional

import pytest
from checksums import renewed
from conftest import spark_settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import QUADS_SCHEMA, PatchFormatError, TextFormatError

pytestmark = pytest.mark.settings

SCHEMA = QUADS_SCHEMA + ", frame BIGINT"
COLUMNS = ["subject", "predicate", "object", "graph", "frame"]
IRIS = ["<http://example.org/a>", "<http://example.org/b#c>", "<urn:x>", "<http://exämple/%20>"]
INTEGER = '"12"^^<http://www.w3.org/2001/XMLSchema#integer>'
OBJECTS = IRIS + ['""', '"a\\u0000b"', '"chrząszcz"@pl', '"x"@ar--rtl', INTEGER, "_:b1"]
GRAPHS = [None, "<urn:g>", "_:g"]

# Each physical type, with the flat and the grouped logical types that go with it.
LAYOUTS = [
    ("TRIPLES", None),
    ("TRIPLES", "FLAT_TRIPLES"),
    ("TRIPLES", "GRAPHS"),
    ("TRIPLES", "13"),
    ("QUADS", None),
    ("QUADS", "0"),
    ("QUADS", "datasets"),
    ("QUADS", "TIMESTAMPED_NAMED_GRAPHS"),
    ("GRAPHS", None),
    ("GRAPHS", "DATASETS"),
    ("GRAPHS", "14"),
]


class Row(NamedTuple):
    subject: Optional[str]
    predicate: Optional[str]
    object: Optional[str]
    graph: Optional[str] = None
    frame: Optional[int] = 0


def random_rows(seed: int, frames: int = 4, quads: bool = True) -> List[Row]:
    pick = random.Random(seed)
    return [
        Row(
            pick.choice(IRIS + ["_:s"]),
            pick.choice(IRIS),
            pick.choice(OBJECTS),
            pick.choice(GRAPHS) if quads else None,
            frame,
        )
        for frame in range(frames)
        for _ in range(1 + pick.randrange(12))
    ]


def frame(spark: SparkSession, rows: List[Row]) -> DataFrame:
    """The rows in one partition, in their order."""
    return spark.createDataFrame([tuple(row) for row in rows], SCHEMA).coalesce(1)


def write(df: DataFrame, path: Path, **options: Any) -> Path:
    writer = df.write.format("jelly")
    for name, value in options.items():
        if value is not None:
            writer = writer.option(name, value)
    writer.save(str(path))
    return path


def read(spark: SparkSession, path: Path, **options: Any) -> DataFrame:
    return spark.read.format("jelly").options(**{k: str(v).lower() for k, v in options.items()}).load(str(path))


def rows_of(df: DataFrame) -> List[Row]:
    """In the order of the file: there is one, read by one task."""
    return [Row(*row) for row in df.collect()]


def only_file(folder: Path) -> Path:
    (file,) = folder.glob("*.jelly")
    return file


def without_frames(rows: List[Row]) -> List[Row]:
    return [row._replace(frame=None) for row in rows]


def broken(spark: SparkSession, folder: Path, cut: Optional[int] = None) -> Path:
    """A file of eight statements, two a frame, with a damaged one in its fourth frame (or cut before its end)."""
    rows = [Row(IRIS[0], IRIS[1], f'"value {i}"', None, i // 2) for i in range(8)]
    source = only_file(write(frame(spark, rows), folder / "source", logicalType="DATASETS"))
    content = source.read_bytes()
    target = folder / "broken.jelly"
    if cut is None:
        at = content.index(b"value 6")
        target.write_bytes(renewed(content[:at] + b"\xff" + content[at + 1 :]))
    else:
        target.write_bytes(content[:-cut])
    return target


def test_the_columns_are_those_of_quads_and_the_frame(spark: SparkSession, tmp_path: Path) -> None:
    df = read(spark, write(frame(spark, random_rows(1)), tmp_path / "columns"))
    assert df.columns == COLUMNS
    assert [field.dataType.simpleString() for field in df.schema] == ["string"] * 4 + ["bigint"]


@pytest.mark.parametrize("physical, logical", LAYOUTS)
def test_what_is_written_is_read_back(
    spark: SparkSession, tmp_path: Path, physical: str, logical: Optional[str]
) -> None:
    grouped = logical is not None and logical.upper() in ("GRAPHS", "13", "DATASETS", "TIMESTAMPED_NAMED_GRAPHS", "14")
    for seed, tables in enumerate([(8, 0, 1), (8, 1, 2), (4000, 150, 32)]):
        rows = random_rows(seed, quads=physical != "TRIPLES")
        folder = write(
            frame(spark, rows),
            tmp_path / str(seed),
            physicalType=physical,
            logicalType=logical,
            maxNameTableSize=tables[0],
            maxPrefixTableSize=tables[1],
            maxDatatypeTableSize=tables[2],
            frameRows=None if grouped else 1 + 7 * seed,
            streamName="a name",
        )
        found = rows_of(read(spark, folder, strict=True))
        assert b"a name" in only_file(folder).read_bytes()
        if grouped:
            assert found == rows
        else:
            assert without_frames(found) == without_frames(rows)
            frames = [row.frame for row in found]
            assert frames == sorted(frames) and len(set(frames)) > 1, "frames end by their size"


def test_one_bare_frame_is_written_and_read(spark: SparkSession, tmp_path: Path) -> None:
    for physical in ("QUADS", "GRAPHS"):
        rows = random_rows(7, frames=1)
        folder = write(frame(spark, rows), tmp_path / physical, delimited=False, physicalType=physical)
        assert only_file(folder).read_bytes()[0] == 0x0A
        assert rows_of(read(spark, folder)) == rows


def test_a_new_element_begins_where_the_frame_changes_whatever_its_number(spark: SparkSession, tmp_path: Path) -> None:
    rows = [Row(IRIS[0], IRIS[1], f'"{i}"', None, number) for i, number in enumerate([7, 7, 9, 100])]
    folder = write(frame(spark, rows), tmp_path / "numbers", logicalType="DATASETS")
    assert [row.frame for row in rows_of(read(spark, folder))] == [0, 0, 1, 2]


def test_graph_and_frame_may_be_left_out(spark: SparkSession, tmp_path: Path) -> None:
    df = spark.createDataFrame([("<urn:s>", "<urn:p>", '"o"')], "subject STRING, predicate STRING, object STRING")
    for physical in ("TRIPLES", "QUADS", "GRAPHS"):
        folder = write(df.coalesce(1), tmp_path / physical, physicalType=physical)
        assert rows_of(read(spark, folder)) == [Row("<urn:s>", "<urn:p>", '"o"', None, 0)]


def test_terms_come_back_in_canonical_form(spark: SparkSession, tmp_path: Path) -> None:
    objects = ['"x"@EN-gb', '"x"^^<http://www.w3.org/2001/XMLSchema#string>', '<< <urn:a> <urn:b> "\\u0009" >>']
    rows = [Row("<urn:\\u0041>", "<urn:p>", term) for term in objects]
    folder = write(frame(spark, rows), tmp_path / "canonical", rdfStar=True)
    found = rows_of(read(spark, folder))
    assert [row.object for row in found] == ['"x"@en-gb', '"x"', '<<( <urn:a> <urn:b> "\\t" )>>']
    assert {row.subject for row in found} == {"<urn:A>"}


def test_generalized_statements_are_written_where_they_are_announced(spark: SparkSession, tmp_path: Path) -> None:
    rows = [Row('"s"', "_:p", '"o"', '"g"')]
    for physical in ("QUADS", "GRAPHS"):
        folder = write(frame(spark, rows), tmp_path / physical, physicalType=physical, generalizedStatements=True)
        assert rows_of(read(spark, folder, strict=True)) == rows


def test_no_rows_make_a_file_that_is_read(spark: SparkSession, tmp_path: Path) -> None:
    for physical, logical in LAYOUTS:
        folder = write(frame(spark, []), tmp_path / f"{physical}-{logical}", physicalType=physical, logicalType=logical)
        assert read(spark, folder).count() == 0


@pytest.mark.parametrize("columns", [["object"], ["graph", "subject"], ["frame"], ["frame", "object", "predicate"]])
def test_a_column_that_is_not_used_is_left_out_of_the_rows_not_of_the_decoding(
    spark: SparkSession, tmp_path: Path, columns: List[str]
) -> None:
    rows = random_rows(3)
    folder = write(frame(spark, rows), tmp_path / "pruned", logicalType="DATASETS")
    pruned = read(spark, folder).select(*columns)
    schema = ",".join(f"{c}:{'bigint' if c == 'frame' else 'string'}" for c in COLUMNS if c in columns)
    assert f"ReadSchema: struct<{schema}>" in str(pruned._jdf.queryExecution().executedPlan().toString())
    assert [tuple(row) for row in pruned.collect()] == [tuple(getattr(row, c) for c in columns) for row in rows]
    assert read(spark, folder).count() == len(rows)


def test_a_schema_may_leave_columns_out_but_has_no_others(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(1)), tmp_path / "schema")
    reader = spark.read.format("jelly")
    assert reader.schema("frame BIGINT, object STRING").load(str(folder)).columns == ["frame", "object"]
    assert reader.schema(QUADS_SCHEMA).load(str(folder)).count() == len(random_rows(1))
    with pytest.raises(Exception, match="unknown column 'verb'; the columns of jelly rows are subject, .*, frame"):
        reader.schema("verb STRING").load(str(folder)).collect()
    with pytest.raises(Exception, match="column 'frame' is of type string; jelly rows have it as bigint"):
        reader.schema("frame STRING").load(str(folder)).collect()


@pytest.mark.usefixtures("stops_at_damage")
def test_a_broken_file_fails_with_rule_file_frame_row_and_offset(spark: SparkSession, tmp_path: Path) -> None:
    file = broken(spark, tmp_path)
    actions: List[Callable[[], Any]] = [
        lambda: read(spark, file).collect(),
        lambda: read(spark, file, strict=True).count(),
        lambda: read(spark, file, strict=True).select("frame").where("frame = 0").collect(),
        lambda: read(spark, file, mode="FAILFAST").collect(),
    ]
    for action in actions:
        with pytest.raises(PatchFormatError) as caught:
            action()
        error = caught.value
        assert error.rule == "R-92"
        assert error.file is not None and error.file.endswith("broken.jelly")
        assert (error.frame, error.row, error.offset) == (3, 0, file.read_bytes().index(b"\xffalue 6"))
        assert "not UTF-8" in error.found
        assert "\n" not in str(error)


@pytest.mark.usefixtures("stops_at_damage")
def test_a_file_that_is_cut_anywhere_fails(spark: SparkSession, tmp_path: Path) -> None:
    for cut in (1, 3, 20):
        with pytest.raises(PatchFormatError, match="R-92"):
            read(spark, broken(spark, tmp_path / str(cut), cut)).collect()


def test_under_ignore_corrupt_files_the_statements_before_the_fault_are_kept(
    spark: SparkSession, tmp_path: Path
) -> None:
    found = rows_of(read(spark, broken(spark, tmp_path), ignoreCorruptFiles=True))
    assert [row.object for row in found] == [f'"value {i}"' for i in range(6)]


@pytest.mark.parametrize("format", ["jelly", "rdf"])
def test_under_ignore_corrupt_files_splits_and_counts_have_no_row_behind_the_fault(
    spark: SparkSession, tmp_path: Path, format: str
) -> None:
    rows = [Row(IRIS[0], IRIS[1], f'"value {i}"') for i in range(40)]
    content = only_file(write(frame(spark, rows), tmp_path / "source", restartBytes=100, frameRows=2)).read_bytes()
    (tmp_path / "in.jelly").write_bytes(renewed(content.replace(b"value 6", b"\xffalue 6")))
    with spark_settings(spark, {"spark.sql.files.maxPartitionBytes": "300", "spark.sql.files.openCostInBytes": "0"}):
        found = spark.read.format(format).option("ignoreCorruptFiles", True).load(str(tmp_path / "in.jelly"))
        assert [row.object for row in found.collect()] == [f'"value {i}"' for i in range(6)]
        assert found.count() == found.where(f"predicate = '{IRIS[1]}'").select("subject").count() == 6


@pytest.mark.usefixtures("stops_at_damage")
def test_limits_are_options(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(1)), tmp_path / "large", maxNameTableSize=5000)
    with pytest.raises(PatchFormatError, match="R-30.*maxNameTableSize=5000.*limit of 4096.*raise maxNameTableSize"):
        read(spark, folder).collect()
    assert read(spark, folder, maxNameTableSize=5000).count() > 0
    with pytest.raises(PatchFormatError, match="above the limit of 10"):
        read(spark, folder, maxNameTableSize=5000, maxFrameBytes=10).collect()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"strct": "true"}, "unknown option 'strct' of jelly"),
        ({"strict": "yes"}, "option 'strict' of jelly is 'yes'; it takes true or false"),
        ({"mode": "PERMISSIVE"}, "option 'mode' of jelly is 'PERMISSIVE'; it takes FAILFAST only"),
    ],
)
def test_options_of_reading_are_checked_by_name(
    spark: SparkSession, tmp_path: Path, options: Dict[str, str], message: str
) -> None:
    folder = write(frame(spark, random_rows(1)), tmp_path / "options")
    with pytest.raises(Exception, match=message):
        spark.read.format("jelly").options(**options).load(str(folder)).collect()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"physicaltyp": "QUADS"}, "unknown option 'physicaltyp' of jelly"),
        ({"physicalType": "QUINTS"}, "it takes one of .TRIPLES, QUADS, GRAPHS"),
        ({"logicalType": "FLAT"}, "'logicalType' of jelly is 'FLAT'; it takes one of .*SUBJECT_GRAPHS.*or a number"),
        ({"logicalType": "4x"}, "option 'logicalType' of jelly is '4x'; it takes a whole number"),
        ({"logicalType": ""}, "option 'logicalType' of jelly is ''"),
        ({"physicalType": "TRIPLES", "logicalType": "4"}, "logicalType=4 does not go with physicalType=TRIPLES"),
        ({"logicalType": "3"}, "logicalType=3 does not go with physicalType=QUADS.*R-15"),
        ({"maxNameTableSize": "7"}, "option 'maxNameTableSize' of jelly is '7'; it takes a whole number of at least 8"),
        ({"frameRows": "0"}, "option 'frameRows'"),
        ({"frameRows": "5", "delimited": "false"}, "frameRows does not go with delimited=false"),
        ({"frameRows": "5", "logicalType": "datasets"}, "frameRows does not go with logicalType=datasets"),
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
        (random_rows(1), {"physicalType": "TRIPLES"}, "R-11.*graph name"),
        (random_rows(1), {"logicalType": "DATASETS", "delimited": "false"}, "R-02"),
        ([Row("<urn:s>", "<urn:p>", None)], {}, "R-60.*no object"),
        ([Row('"s"', "<urn:p>", '"o"')], {}, "R-24.*generalizedStatements=true"),
        ([Row("<urn:s>", "<urn:p>", "<<( _:a <urn:p> _:b )>>")], {}, "R-24.*rdfStar=true"),
        ([Row("<urn:s>", "<urn:p>", '"1"^^<urn:d>')], {"maxDatatypeTableSize": "0"}, "R-27.*maxDatatypeTableSize"),
        ([Row("<urn:s>", "p", '"o"')], {}, "term.*no RDF term as predicate"),
    ],
)
def test_rows_that_the_stream_has_no_place_for_are_refused_by_rule(
    spark: SparkSession, tmp_path: Path, rows: List[Row], options: Dict[str, str], message: str
) -> None:
    with pytest.raises(PatchFormatError, match=message) as raised:
        write(frame(spark, rows), tmp_path / "refused", **options)
    assert str(raised.value.file).startswith(f"file:{tmp_path / 'refused'}, row ")
    assert not list((tmp_path / "refused").glob("*.jelly")), "nothing half-written stays behind"


@pytest.mark.parametrize(
    "frames, message",
    [
        ([0, None], "a row has frame null"),
        ([-1], "a row has frame -1; numbers start at 0"),
        ([1, 0], "rows are out of order: frame 0 after frame 1; sort by frame"),
    ],
)
def test_frames_that_make_no_elements_are_refused(
    spark: SparkSession, tmp_path: Path, frames: List[Optional[int]], message: str
) -> None:
    rows = [Row("<urn:s>", "<urn:p>", '"o"', None, number) for number in frames]
    with pytest.raises(TextFormatError, match=f"^.jelly rows. file:.*{message}.*$"):
        write(frame(spark, rows), tmp_path / "refused", logicalType="DATASETS")
    write(frame(spark, rows), tmp_path / "flat")


def test_spark_may_not_cut_an_element_by_rows(spark: SparkSession, tmp_path: Path) -> None:
    rows = [Row("<urn:s>", "<urn:p>", '"o"', None, number) for number in (0, 1, 1)]
    with pytest.raises(Exception, match="maxRecordsPerFile is 2: Spark would cut a frame of jelly in two"):
        write(frame(spark, rows), tmp_path / "cut", logicalType="DATASETS", maxRecordsPerFile="2")
    write(frame(spark, rows), tmp_path / "flat", maxRecordsPerFile="2")
    assert read(spark, tmp_path / "flat").count() == 3


def test_columns_of_writing_are_checked_by_name(spark: SparkSession, tmp_path: Path) -> None:
    df = frame(spark, random_rows(1))
    with pytest.raises(Exception, match="no column 'object' to write as jelly"):
        write(df.drop("object"), tmp_path / "a")
    with pytest.raises(Exception, match="no column 'frame' to write as jelly: with a grouped logicalType it says"):
        write(df.drop("frame"), tmp_path / "b", logicalType="DATASETS")
    with pytest.raises(Exception, match="unknown column 'op'; the columns of jelly rows are"):
        write(df.withColumn("op", F.lit("A")), tmp_path / "c")


def test_several_files_are_read_each_with_its_own_frames(spark: SparkSession, tmp_path: Path) -> None:
    for part in range(3):
        write(frame(spark, random_rows(part)), tmp_path / f"part={part}", logicalType="DATASETS")
    found = read(spark, tmp_path)
    for part in range(3):
        rows = found.where(F.col("part") == part).drop("part")
        assert rows_of(rows) == random_rows(part)
        assert rows.select("_metadata.file_name").distinct().count() == 1


@pytest.mark.usefixtures("stops_at_damage")
def test_compressed_files_are_read_by_their_suffix_and_a_cut_one_fails(spark: SparkSession, tmp_path: Path) -> None:
    rows = random_rows(5)
    content = only_file(write(frame(spark, rows), tmp_path / "plain")).read_bytes()
    (tmp_path / "whole.jelly.gz").write_bytes(gzip.compress(content))
    assert without_frames(rows_of(read(spark, tmp_path / "whole.jelly.gz"))) == without_frames(rows)
    (tmp_path / "cut.jelly.gz").write_bytes(gzip.compress(content)[:-12])
    with pytest.raises(Exception):
        read(spark, tmp_path / "cut.jelly.gz").collect()


def test_sql_reads_the_format(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(4)), tmp_path / "sql")
    (row,) = spark.sql(f"SELECT count(*) FROM jelly.`{folder}`").collect()
    assert row[0] == len(random_rows(4))


def test_streams_read_and_write_the_format(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for i in range(3):
        shutil.copy(only_file(write(frame(spark, random_rows(i)), tmp_path / f"w{i}")), source / f"{i}.jelly")
    target = tmp_path / "target"

    def run() -> None:
        stream = spark.readStream.format("jelly").schema(SCHEMA).option("maxFilesPerTrigger", 1)
        query = (
            stream.load(str(source))
            .writeStream.format("jelly")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .option("physicalType", "GRAPHS")
            .trigger(availableNow=True)
            .start(str(target))
        )
        query.awaitTermination()

    run()
    assert len(list(target.glob("*.jelly"))) == 3
    run()
    assert read(spark, target).count() == sum(len(random_rows(i)) for i in range(3)), "a restart reads nothing twice"


def test_a_limit_closes_the_file_early(spark: SparkSession, tmp_path: Path) -> None:
    folder = write(frame(spark, random_rows(5)), tmp_path / "limit")
    assert len(read(spark, folder).limit(2).collect()) == 2


def test_a_dataset_is_dumped_and_loaded_as_jelly(spark: SparkSession, tmp_path: Path) -> None:
    # A dataset takes no IRI with a space.
    rows = [row for row in random_rows(9) if not any("\\u0020" in str(term) for term in row)]
    assert any("_:" in str(row) for row in rows)
    folder = write(frame(spark, rows), tmp_path / "quads", physicalType="GRAPHS")
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load(only_file(folder))
        dataset.dump(tmp_path / "all.jelly.gz")
    found = read(spark, tmp_path / "all.jelly.gz")
    assert set(without_frames(rows_of(found))) == set(without_frames(rows)), "labels are kept"


def test_a_broken_file_is_not_loaded_into_a_dataset(spark: SparkSession, tmp_path: Path) -> None:
    file = broken(spark, tmp_path)
    with jellybridge.Dataset.open("mem:") as dataset:
        with pytest.raises(PatchFormatError) as caught:
            dataset.load(file)
        assert (caught.value.rule, caught.value.file, caught.value.frame) == ("R-92", str(file), 3)
        assert len(dataset) == 0


@pytest.mark.parametrize("physical, files", [("TRIPLES", "2[78].*.nt.gz"), ("QUADS", "2[78].*.nt.gz"), ("GRAPHS", "2[78].*.n[tq].gz")])
def test_real_releases_come_back_the_same(
    spark: SparkSession, tmp_path: Path, shared_dir: Path, physical: str, files: str
) -> None:
    releases = (
        spark.read.format("nquads")
        .load(str(shared_dir / "data" / "schemaorg" / files))
        .select("*", F.regexp_replace("_metadata.file_name", "[.]gz$", "").alias("release"))
    )
    releases.write.format("jelly").option("physicalType", physical).partitionBy("release").save(str(tmp_path / "all"))
    back = read(spark, tmp_path / "all").drop("frame")

    counts = {row[0]: row[1] for row in releases.groupBy("release").count().collect()}
    assert len(counts) == (4 if physical == "GRAPHS" else 3)
    assert {row[0]: row[1] for row in back.groupBy("release").count().collect()} == counts
    assert releases.exceptAll(back).isEmpty(), "as many statements, and none is missing: the same"
