"""The file format ``nquads``: N-Triples and N-Quads as rows of canonical terms, through Spark."""

import gzip
import re
from pathlib import Path

import pytest
from conftest import spark_settings
from nquads_cases import nquads_cases
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.settings

COLUMNS = ["subject", "predicate", "object", "graph"]

QUADS = """\
# a comment
<http://e/s> <http://e/p> "plain" .
<http://e/s> <http://e/p> "caf\\u00E9"@FR <http://e/g> .

_:b <http://e/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> _:g .
<http://e/s><http://e/p>"x"^^<http://www.w3.org/2001/XMLSchema#string>.
<http://e/s> <http://e/p> <<(_:b<http://e/p>"t\\n")>> .
"""

ROWS = [
    ("<http://e/s>", "<http://e/p>", '"plain"', None),
    ("<http://e/s>", "<http://e/p>", '"café"@fr', "<http://e/g>"),
    ("_:b", "<http://e/p>", '"1"^^<http://www.w3.org/2001/XMLSchema#integer>', "_:g"),
    ("<http://e/s>", "<http://e/p>", '"x"', None),
    ("<http://e/s>", "<http://e/p>", '<<( _:b <http://e/p> "t\\n" )>>', None),
]


@pytest.fixture
def small_splits(spark):
    """Splits of about 1000 bytes, so that a small file has many."""
    with spark_settings(spark, {"spark.sql.files.maxPartitionBytes": "1000"}):
        yield


def read(spark, path, **options):
    return spark.read.format("nquads").options(**options).load(str(path))


def rows(frame):
    return [tuple(row) for row in frame.collect()]


def causes(error):
    """All that the error and its causes in the JVM say."""
    texts = [str(error)]
    cause = getattr(error, "_origin", None)
    while cause is not None:
        texts.append(str(cause.toString()))
        cause = cause.getCause()
    return "\n".join(texts)


def refusal(action):
    with pytest.raises(Exception) as caught:
        action()
    return causes(caught.value)


def many_lines(count):
    return "".join(
        f'<http://e/s{i}> <http://e/p> "é{"x" * (i % 90)}{i}"{"" if i % 3 else "@en"}'
        f' {"<http://e/g>" if i % 2 else ""} .\n'
        for i in range(count)
    )


def test_statements_become_rows_of_canonical_terms(spark, tmp_path):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    frame = read(spark, tmp_path / "a.nq")
    assert frame.columns == COLUMNS
    assert {field.dataType.simpleString() for field in frame.schema} == {"string"}
    assert rows(frame) == ROWS


def test_n_triples_are_statements_of_the_default_graph(spark, tmp_path):
    (tmp_path / "a.nt").write_text("<x:s> <x:p> <x:o> .\r\n<x:s> <x:p> _:o.", encoding="utf-8")
    assert rows(read(spark, tmp_path)) == [("<x:s>", "<x:p>", "<x:o>", None), ("<x:s>", "<x:p>", "_:o", None)]


def test_empty_file_has_no_rows(spark, tmp_path):
    (tmp_path / "a.nt").write_text("")
    assert rows(read(spark, tmp_path)) == []


def test_byte_order_mark_is_no_content(spark, tmp_path):
    (tmp_path / "a.nt").write_text("<x:s> <x:p> <x:o> .\n", encoding="utf-8-sig")
    assert rows(read(spark, tmp_path)) == [("<x:s>", "<x:p>", "<x:o>", None)]


def test_gzip_is_read_by_its_suffix_and_not_split(spark, tmp_path, small_splits):
    with gzip.open(tmp_path / "a.nt.gz", "wt", encoding="utf-8") as out:
        out.write(many_lines(2000))
    frame = read(spark, tmp_path)
    assert frame.rdd.getNumPartitions() == 1
    assert frame.count() == 2000


@pytest.mark.usefixtures("stops_at_damage")
def test_a_line_above_the_limit_is_an_error(spark, tmp_path):
    line = f'<x:s> <x:p> "{"x" * 200_000}" .'
    content = f"<x:s> <x:p> <x:o> .\n{line}\n"
    (tmp_path / "a.nq").write_text(content, encoding="utf-8")
    (tmp_path / "a.nq.gz").write_bytes(gzip.compress(content.encode()))
    assert read(spark, tmp_path, maxFrameBytes=len(line)).count() == 4
    assert spark.read.format("rdf").option("maxFrameBytes", len(line)).load(str(tmp_path)).count() == 4
    for file in ("a.nq", "a.nq.gz"):
        for limit in (len(line) - 1, 30):
            text = refusal(read(spark, tmp_path / file, maxFrameBytes=limit).count)
            assert re.search(rf"{file}, line 2, .*: a line of more than {limit} bytes; .* raise maxFrameBytes", text), text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_in_many_splits_has_the_rows_of_the_whole(spark, tmp_path, small_splits, end):
    text = many_lines(400)
    path = tmp_path / "a.nq"
    path.write_bytes(text.replace("\n", end).encode())
    frame = read(spark, path)
    assert frame.rdd.getNumPartitions() > 10
    expected = [re.match(r"(\S+) (\S+) (\S+) ?(\S+)? \.", line).groups() for line in text.splitlines()]
    assert sorted(rows(frame), key=str) == sorted(expected, key=str)


def test_count_and_pruned_columns_are_those_of_all_rows(spark, tmp_path):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    frame = read(spark, tmp_path)
    assert frame.count() == len(ROWS)
    assert rows(frame.select("graph")) == [(row[3],) for row in ROWS]
    assert rows(frame.select("object", "subject")) == [(row[2], row[0]) for row in ROWS]
    assert rows(frame.where("graph is null").select("object")) == [(row[2],) for row in ROWS if row[3] is None]
    assert len(frame.limit(2).collect()) == 2


def test_file_metadata_is_there(spark, tmp_path):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    names = read(spark, tmp_path).select("_metadata.file_name").distinct().collect()
    assert [name[0] for name in names] == ["a.nq"]


@pytest.mark.usefixtures("stops_at_damage")
def test_broken_line_fails_with_file_line_column_and_byte(spark, tmp_path):
    (tmp_path / "bad.nq").write_text('<x:s> <x:p> "é" .\n<x:s> <x:p> "é\\z" .\n', encoding="utf-8")
    text = refusal(read(spark, tmp_path).collect)
    assert re.search(r"\[N-Quads\] \S+/bad\.nq, line 2, column 15 \(byte 34\): an escape that N-Triples", text), text


@pytest.mark.usefixtures("stops_at_damage")
def test_every_document_of_the_grammar_is_read_or_refused_as_the_table_says(spark, tmp_path):
    for number, case in enumerate(nquads_cases()):
        folder = tmp_path / ("valid" if case.verdict == "valid" else f"{number}-{case.verdict}")
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.nq").write_bytes(case.text.encode())
        if case.verdict != "valid":
            assert "[N-Quads]" in refusal(read(spark, folder).collect), case
        if case.verdict == "rdfStar":
            assert read(spark, folder, rdfStar="true").count() == 1, case
    read(spark, tmp_path / "valid").collect()


@pytest.mark.usefixtures("stops_at_damage")
def test_language_tags_of_old_data_are_read_mended_where_that_is_asked_for(spark, tmp_path):
    old = [("<x:s>", '"a_b"@en_US'), ("<x:s>", '"a"@zh_Hant_TW'), ("<x:s_t>", '"a"@en')]
    (tmp_path / "old.nt").write_text("".join(f"{subject} <x:p> {text} .\n" for subject, text in old))
    assert "the language tag 'en_US'" in refusal(read(spark, tmp_path).collect)
    mended = read(spark, tmp_path, mendTags="true").select("subject", "object")
    assert rows(mended) == [("<x:s>", '"a_b"@en-us'), ("<x:s>", '"a"@zh-hant-tw'), ("<x:s_t>", '"a"@en')]
    (tmp_path / "worse.nt").write_text('<x:s> <x:p> "a"@en_ .\n')
    assert "the language tag 'en-'" in refusal(read(spark, tmp_path, mendTags="true").collect)


@pytest.mark.usefixtures("stops_at_damage")
def test_columns_that_are_left_out_are_checked_too(spark, tmp_path):
    (tmp_path / "bad.nq").write_text("<x:s> <x:p> <o> .\n")
    assert "the IRI <o> without a scheme" in refusal(read(spark, tmp_path).select("subject").collect)
    assert "the IRI <o> without a scheme" in refusal(read(spark, tmp_path).count)


@pytest.mark.usefixtures("stops_at_damage")
def test_broken_line_of_a_later_split_fails_with_its_byte_in_the_file(spark, tmp_path, small_splits):
    good = many_lines(100)
    (tmp_path / "bad.nq").write_text(good + "nonsense\n", encoding="utf-8")
    text = refusal(read(spark, tmp_path).collect)
    assert re.search(rf"bad\.nq, column 1 \(byte {len(good.encode())}\): 'n' as the subject", text), text


def test_ignore_corrupt_files_keeps_the_rows_before_the_fault(spark, tmp_path):
    (tmp_path / "bad.nq").write_text("<x:a> <x:p> <x:o> .\nnonsense\n<x:b> <x:p> <x:o> .\n")
    (tmp_path / "good.nq").write_text("<x:c> <x:p> <x:o> .\n")
    frame = read(spark, tmp_path, ignoreCorruptFiles=True)
    assert sorted(row.subject for row in frame.collect()) == ["<x:a>", "<x:c>"]


def test_ignore_missing_files_goes_on(spark, tmp_path):
    (tmp_path / "a.nq").write_text("<x:a> <x:p> <x:o> .\n")
    (tmp_path / "b.nq").write_text("<x:b> <x:p> <x:o> .\n")
    frame = read(spark, tmp_path, ignoreMissingFiles=True)
    (tmp_path / "b.nq").unlink()
    assert [row.subject for row in frame.collect()] == ["<x:a>"]


@pytest.mark.usefixtures("stops_at_damage")
def test_cut_gzip_file_is_an_error(spark, tmp_path):
    whole = gzip.compress(many_lines(2000).encode())
    (tmp_path / "a.nt.gz").write_bytes(whole[: len(whole) // 2])
    assert "a.nt.gz" in refusal(read(spark, tmp_path).count)


def test_unknown_option_is_refused_by_name(spark, tmp_path):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    assert "unknown option 'rdfstarr' of nquads" in refusal(lambda: read(spark, tmp_path, rdfstarr=True)).lower()
    text = refusal(lambda: spark.range(0).selectExpr("'<x:s>' subject", "'<x:s>' predicate", "'<x:s>' object")
                   .write.format("nquads").option("level", "9").save(str(tmp_path / "out")))
    assert "unknown option 'level' of nquads" in text


@pytest.mark.parametrize("name, value, allowed", [
    ("mode", "PERMISSIVE", "ignoreCorruptFiles=true"),
    ("rdfStar", "yes", "true or false"),
    ("compression", "zip", "none, gzip"),
])
def test_wrong_option_value_is_refused_with_what_is_allowed(spark, tmp_path, name, value, allowed):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    text = refusal(lambda: read(spark, tmp_path, **{name: value}))
    assert f"option '{name}' of nquads is '{value}'" in text
    assert allowed in text


def test_options_of_spark_for_files_are_taken(spark, tmp_path):
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / "a.nq").write_text(QUADS, encoding="utf-8")
    (folder / "a.txt").write_text("nonsense")
    frame = read(spark, tmp_path, pathGlobFilter="*.nq", recursiveFileLookup=True, mode="failfast",
                 modifiedAfter="2020-01-01T00:00:00", timeZone="UTC")
    assert frame.count() == len(ROWS)


@pytest.mark.usefixtures("stops_at_damage")
def test_rdf_star_is_read_where_it_is_asked_for(spark, tmp_path):
    (tmp_path / "a.nt").write_text("<< <x:a> <x:b> <x:c> >> <x:p> <x:o> .\n")
    assert "rdfStar" in refusal(read(spark, tmp_path).collect)
    frame = read(spark, tmp_path, rdfStar=True)
    assert rows(frame) == [("<<( <x:a> <x:b> <x:c> )>>", "<x:p>", "<x:o>", None)]
    frame.write.format("nquads").option("rdfStar", True).save(str(tmp_path / "out"))
    assert rows(read(spark, tmp_path / "out", rdfStar=True)) == rows(frame)


def test_schema_may_be_a_part_of_the_columns(spark, tmp_path):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    frame = spark.read.format("nquads").schema("graph string, subject string").load(str(tmp_path))
    assert rows(frame) == [(row[3], row[0]) for row in ROWS]


@pytest.mark.parametrize("schema, message", [
    ("subject string, context string", "unknown column 'context'"),
    ("subject string, graph long", "graph"),
])
def test_schema_with_another_column_or_type_is_refused_by_name(spark, tmp_path, schema, message):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    assert message in refusal(lambda: spark.read.format("nquads").schema(schema).load(str(tmp_path)).collect())


@pytest.mark.parametrize("compression, suffix", [(None, ".nq"), ("none", ".nq"), ("gzip", ".nq.gz")])
def test_written_files_read_back_the_same(spark, tmp_path, compression, suffix):
    (tmp_path / "a.nq").write_text(QUADS, encoding="utf-8")
    frame = read(spark, tmp_path / "a.nq")
    writer = frame.coalesce(1).write.format("nquads")
    if compression:
        writer = writer.option("compression", compression)
    writer.save(str(tmp_path / "out"))
    (written,) = (tmp_path / "out").glob("part-*")
    assert written.name.endswith(suffix)
    opened = gzip.open(written, "rt", encoding="utf-8") if compression == "gzip" else open(written, encoding="utf-8")
    with opened as text:
        assert text.read() == "".join(" ".join(filter(None, row)) + " .\n" for row in ROWS)
    assert rows(read(spark, tmp_path / "out")) == ROWS


def test_without_a_graph_column_n_triples_are_written(spark, tmp_path):
    frame = spark.createDataFrame([('"o"', "<x:s>", "<x:p>")], "object string, subject string, predicate string")
    frame.write.format("nquads").save(str(tmp_path / "out"))
    (written,) = [path for path in (tmp_path / "out").glob("part-*") if path.stat().st_size]
    assert written.name.endswith(".nt")
    assert written.read_text() == '<x:s> <x:p> "o" .\n'


def test_terms_are_made_canonical_when_written(spark, tmp_path):
    frame = spark.createDataFrame([("<x:\\u0041>", "<x:p>", '"é\\u0009"@EN', None)],
                                  "subject string, predicate string, object string, graph string")
    frame.write.format("nquads").save(str(tmp_path / "out"))
    assert rows(read(spark, tmp_path / "out")) == [("<x:A>", "<x:p>", '"é\\t"@en', None)]


@pytest.mark.parametrize("row, message", [
    (("s", "<x:p>", "<x:o>", None), "column 'subject': 's' as the subject at byte 0 of s"),
    (('"s"', "<x:p>", "<x:o>", None), "column 'subject': a literal as the subject"),
    (("<x:s>", "_:p", "<x:o>", None), "column 'predicate': a blank node as the predicate"),
    (("<x:s>", "<x:p>", '"o', None), "column 'object': a literal without its closing"),
    (("<x:s>", "<x:p>", "<o>", None), "column 'object': the IRI <o> without a scheme"),
    (("<x:s>", "<x:p>", None, None), "column 'object': null; leave null for the default graph only"),
    (("<x:s>", "<x:p>", "<x:o>", '"g"'), "column 'graph': a literal as the graph"),
    (("_:a b", "<x:p>", "<x:o>", None), "in the label of a blank node"),
    (("<x:s> <x:p> <x:o> .\n<x:s>", "<x:p>", "<x:o>", None), "after the end of a term"),
])
def test_row_that_is_no_statement_is_refused_and_nothing_is_written(spark, tmp_path, row, message):
    good = ("<x:s>", "<x:p>", "<x:o>", None)
    frame = spark.createDataFrame([good, row], ", ".join(f"{name} string" for name in COLUMNS)).coalesce(1)
    text = refusal(lambda: frame.write.format("nquads").save(str(tmp_path / "out")))
    assert message in text
    terms = " ".join(term or "null" for term in row).replace("\n", " ")
    assert f"[N-Quads] file:{tmp_path / 'out'}, row {terms}: " in text
    assert not list((tmp_path / "out").glob("part-*"))


def test_columns_that_cannot_be_written_are_refused_by_name(spark, tmp_path):
    frame = spark.range(1).select(F.lit("<x:s>").alias("subject"), F.lit("<x:p>").alias("predicate"))
    out = str(tmp_path / "out")
    assert "no column 'object'" in refusal(lambda: frame.write.format("nquads").save(out))
    more = frame.withColumn("object", F.lit("<x:o>")).withColumn("note", F.lit("x"))
    assert "unknown column 'note'" in refusal(lambda: more.write.format("nquads").save(out))
    numbers = frame.withColumn("object", F.lit(1))
    says = "column 'object' is of type int; nquads rows have it as string: cast it"
    assert says in refusal(lambda: numbers.write.format("nquads").save(out))


def test_partitioned_folders_and_overwriting_and_sql_work(spark, tmp_path):
    frame = spark.createDataFrame([("<x:s>", "<x:p>", f'"{i}"', "<x:g>", i % 2) for i in range(6)],
                                  "subject string, predicate string, object string, graph string, half int")
    out = str(tmp_path / "out")
    for _ in range(2):
        frame.write.format("nquads").partitionBy("half").option("maxRecordsPerFile", 1).mode("overwrite").save(out)
    assert read(spark, out).where("half = 1").count() == 3
    assert spark.sql(f"SELECT object FROM nquads.`{out}` WHERE half = 0").count() == 3


def test_tables_keep_their_options_for_reads_and_writes(spark, tmp_path):
    spark.sql(f"CREATE TABLE nquads_table ({', '.join(f'{name} string' for name in COLUMNS)}) USING nquads "
              f"OPTIONS (compression 'gzip') LOCATION '{tmp_path / 'table'}'")
    try:
        spark.sql("INSERT INTO nquads_table VALUES ('<x:s>', '<x:p>', '<x:o>', NULL)")
        assert rows(spark.table("nquads_table")) == [("<x:s>", "<x:p>", "<x:o>", None)]
        assert list((tmp_path / "table").glob("part-*.nq.gz"))
    finally:
        spark.sql("DROP TABLE nquads_table")


def test_streaming_reads_and_writes_each_file_once(spark, tmp_path):
    source, out, checkpoint = tmp_path / "in", tmp_path / "out", tmp_path / "checkpoint"
    source.mkdir()

    def run():
        stream = (spark.readStream.format("nquads").schema(", ".join(f"{name} string" for name in COLUMNS))
                  .option("maxFilesPerTrigger", 1).load(str(source)))
        query = (stream.writeStream.format("nquads").option("checkpointLocation", str(checkpoint))
                 .queryName("nquads").trigger(availableNow=True).start(str(out)))
        assert query.awaitTermination(120)

    for number in range(3):
        (source / f"{number}.nq").write_text(f"<x:s> <x:p> \"{number}\" .\n")
    run()
    (source / "3.nq").write_text('<x:s> <x:p> "3" .\n')
    run()
    assert sorted(row.object for row in read(spark, out).collect()) == ['"0"', '"1"', '"2"', '"3"']


@pytest.mark.usefixtures("stops_at_damage")
def test_bad_lines_are_set_aside_once_however_often_they_are_read(spark: SparkSession, tmp_path: Path) -> None:
    good = "".join(f"<urn:s> <urn:p> \"{n}\" .\n" for n in range(98))
    bad = ['<urn:s> <urn:p> "a"@zh-classical .', "<urn:s> <a b> <urn:o> ."]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.nt").write_text(good + "\n".join(bad) + "\n")
    (tmp_path / "in" / "good.nt").write_text(good)
    reader = spark.read.format("nquads").option("badStatements", str(tmp_path / "bad"))
    rows = reader.load(str(tmp_path / "in"))
    assert rows.count() == 196 == len(rows.collect())
    [file] = [file for file in (tmp_path / "bad").iterdir() if not file.name.startswith(".")]
    lines = file.read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == bad
    whole = int(str(spark.conf.get("spark.sql.files.maxPartitionBytes")).rstrip("b")) > 10_000  # a split knows no line
    line, allowed, refused, read = (", line 99", "2%", "1%", "100") if whole else ("", "90%", "2%", "[0-9]+")  # of a part
    assert f"a.nt{line}, column 24" in lines[0] and "not well-formed" in lines[0]
    assert reader.option("maxBad", allowed).load(str(tmp_path / "in")).count() == 196
    with pytest.raises(Exception, match=f"2 of {read} statements can't be read, and maxBad is {refused}"):
        reader.option("maxBad", refused).load(str(tmp_path / "in")).count()
    with pytest.raises(IllegalArgumentException, match="set the option ignoreCorruptFiles=false for this read"):
        reader.option("ignoreCorruptFiles", True).load(str(tmp_path / "in"))
    reader.option("ignoreCorruptFiles", False)
    with pytest.raises(Exception, match="option 'maxBad' of nquads is 'many'"):
        reader.option("maxBad", "many").load(str(tmp_path / "in")).count()
    with pytest.raises(Exception, match="option 'badStatements' of nquads is ''; it takes a folder"):
        spark.read.format("nquads").option("badStatements", "").load(str(tmp_path / "in"))
    (tmp_path / "in" / "a.nt").write_text(good)
    assert reader.option("maxBad", "0").load(str(tmp_path / "in")).count() == 196
    assert not [file for file in (tmp_path / "bad").iterdir() if not file.name.startswith(".")], "none is left of an earlier run"


def test_bad_lines_of_a_file_with_a_colon_in_its_name_are_set_aside(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "2026-11-25T10:00:00.nt").write_text('<urn:s> <urn:p> "a" .\n<urn:s> <a b> <urn:o> .\n')
    # As in a bucket: a local file system with files of checksums takes no such names.
    raw = {"fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem", "fs.file.impl.disable.cache": "true"}
    reader = spark.read.format("nquads").options(**raw).option("badStatements", str(tmp_path / "bad"))
    assert reader.load(str(tmp_path / "in")).count() == 1
    assert len(list((tmp_path / "bad").glob("2026-11-25T10_00_00.nt-*.nq"))) == 1


def test_a_relative_folder_for_bad_lines_is_in_the_file_system_of_the_read(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text("<urn:s> <a b> <urn:o> .\n")
    (tmp_path / "there").mkdir()
    settings = {"fs.defaultFS": "viewfs://there/", "fs.viewfs.mounttable.there.link./user": f"file:{tmp_path / 'there'}"}
    with spark_settings(spark, settings):
        assert spark.read.format("nquads").option("badStatements", "bad").load(f"file:{tmp_path / 'a.nt'}").count() == 0
    assert list((tmp_path / "there").glob("*/bad/a.nt-*.nq"))
