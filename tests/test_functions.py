"""The functions of SQL: patches in a column, terms taken apart and made; in a session of Spark Connect too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import CHANGES_SCHEMA, ChangeRow, PatchFormatError, TextFormatError, functions, read_patch, write_patch
from jellybridge.functions import from_jelly_patch, rdf_kind, rdf_value, to_jelly_patch, try_from_jelly_patch
from jvm_environment import spark_environment

pytestmark = pytest.mark.settings

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

ROWS = [
    ChangeRow(0, None, 0, "H", name="id", value="<urn:uuid:1>"),
    ChangeRow(0, 0, 1, "TX"),
    ChangeRow(0, 0, 2, "PA", name="ex", value="<http://example.org/>"),
    ChangeRow(0, 0, 3, "A", "<http://example.org/s>", "<http://example.org/p>", '"caf\u00e9"@fr', "<http://example.org/g>"),
    ChangeRow(0, 0, 4, "D", "_:b0", "<http://example.org/p>", f'"1"^^<{XSD}int>'),
    ChangeRow(0, 0, 5, "TC"),
    ChangeRow(1, 1, 6, "TX"),
    ChangeRow(1, 1, 7, "A", "<http://example.org/s>", "<http://example.org/p>", "<http://example.org/o>"),
    ChangeRow(1, 1, 8, "TA"),
]


@pytest.fixture
def stream(tmp_path: Path) -> bytes:
    file = tmp_path / "changes.jellyp"
    write_patch(file, ROWS)
    return file.read_bytes()


def values(spark: SparkSession, *streams: Optional[bytes]) -> DataFrame:
    return spark.createDataFrame([(stream,) for stream in streams], "value BINARY")


def arrays(spark: SparkSession, *rows: Optional[List[Any]]) -> DataFrame:
    columns = CHANGES_SCHEMA.replace(" NOT NULL", "")
    return spark.createDataFrame([(row,) for row in rows], f"changes ARRAY<STRUCT<{columns}>>")


# --- patches in a column


def test_the_rows_of_a_value_are_those_of_the_file(spark: SparkSession, stream: bytes) -> None:
    rows = values(spark, stream).select(F.inline(from_jelly_patch("value")))
    assert [ChangeRow(*row) for row in rows.collect()] == ROWS
    assert rows.schema == spark.createDataFrame([], CHANGES_SCHEMA).schema


def test_a_stream_survives_the_way_there_and_back(spark: SparkSession, stream: bytes, tmp_path: Path) -> None:
    made = values(spark, stream).select(to_jelly_patch(from_jelly_patch("value"))).collect()[0][0]
    file = tmp_path / "made.jellyp"
    file.write_bytes(made)
    assert list(read_patch(file, strict=True)) == ROWS


def test_what_the_function_makes_has_no_restart_points(spark: SparkSession) -> None:
    one, two = (arrays(spark, ROWS).select(to_jelly_patch("changes")).collect()[0][0] for _ in range(2))
    # A restart point has a random mark.
    assert one == two


def test_null_gives_null_and_an_empty_array_an_empty_stream(spark: SparkSession) -> None:
    assert values(spark, None).select(from_jelly_patch("value")).collect() == [(None,)]
    made = arrays(spark, None, []).select(to_jelly_patch("changes").alias("made"))
    assert made.collect()[0].made is None
    assert made.select(from_jelly_patch("made")).collect() == [(None,), ([],)]
    assert spark.sql("SELECT from_jelly_patch(NULL), to_jelly_patch(NULL), rdf_kind(NULL)").collect() == [(None,) * 3]


def test_only_the_columns_that_the_ops_need_are_needed(spark: SparkSession) -> None:
    made = spark.sql(
        """SELECT to_jelly_patch(array(named_struct(
             'Object', '"o"', 'op', 'A', 'subject', '<urn:s>', 'predicate', '<urn:p>'))) AS made"""
    )
    assert [tuple(row) for row in made.selectExpr("inline(from_jelly_patch(made))").collect()] == [
        (0, None, 0, "A", "<urn:s>", "<urn:p>", '"o"', None, None, None)
    ]


def test_groups_become_patches(spark: SparkSession) -> None:
    rows = spark.range(100).select(
        F.expr("id % 10").alias("patch"), F.col("id").alias("row"), F.lit("A").alias("op"),
        F.format_string("<urn:%d>", "id").alias("subject"), F.lit("<urn:p>").alias("predicate"),
        F.lit('"o"').alias("object"),
    )
    row = F.struct("row", "op", "subject", "predicate", "object")
    patches = rows.repartition(7).groupBy("patch").agg(to_jelly_patch(F.array_sort(F.collect_list(row))).alias("made"))
    subjects = [row.subject for row in patches.where("patch = 3").select(F.inline(from_jelly_patch("made"))).collect()]
    assert subjects == [f"<urn:{n}>" for n in range(3, 100, 10)]


@pytest.mark.parametrize("damage", [lambda whole: whole[:-3], lambda whole: b"", lambda whole: b"\xff" * 9])
def test_a_broken_value_is_a_format_error_with_its_place(spark: SparkSession, stream: bytes, damage: Any) -> None:
    broken = damage(stream)
    with pytest.raises(PatchFormatError) as raised:
        values(spark, stream, broken).select(from_jelly_patch("value")).collect()
    assert raised.value.rule.startswith("P-") and raised.value.offset <= len(broken)
    tried = values(spark, stream, broken, None).select(F.array_size(try_from_jelly_patch("value"))).collect()
    assert [row[0] for row in tried] == [len(ROWS), None, None]


@pytest.mark.parametrize(
    "row, error, says",
    [
        (ChangeRow(row=0, op="TC"), PatchFormatError, "row 1 of the array: TC"),
        (ChangeRow(row=0, op="X"), TextFormatError, "row 1 of the array"),
        (ChangeRow(row=0, op="A", subject="?s", predicate="<urn:p>", object='"o"'), PatchFormatError, "variable"),
        (ChangeRow(row=0, op="TX"), TextFormatError, "out of order"),
    ],
)
def test_a_row_that_can_not_be_written_is_named(spark: SparkSession, row: ChangeRow, error: Any, says: str) -> None:
    first = ChangeRow(row=5 if says == "out of order" else None, op="H", name="id", value="<urn:1>")
    rows = arrays(spark, [first, row])
    with pytest.raises(error, match=says):
        rows.select(to_jelly_patch("changes")).collect()
    assert rows.select(functions.try_to_jelly_patch("changes")).collect() == [(None,)]


def test_an_open_transaction_is_refused(spark: SparkSession) -> None:
    with pytest.raises(PatchFormatError, match="P-105"):
        arrays(spark, [ChangeRow(row=0, op="TX")]).select(to_jelly_patch("changes")).collect()


def test_options_are_those_of_files(spark: SparkSession) -> None:
    triple = ChangeRow(row=0, op="A", subject="<urn:s>", predicate="<urn:p>", object="<<( <urn:a> <urn:b> <urn:c> )>>")
    rows = arrays(spark, [triple])
    with pytest.raises(PatchFormatError, match="rdfStar|rdf_star|quoted"):
        rows.select(to_jelly_patch("changes")).collect()
    made = rows.select(to_jelly_patch("changes", rdf_star=True, stream_type="FRAME").alias("made"))
    assert made.select(from_jelly_patch("made", strict=True)).collect()[0][0][0].object == triple.object
    with pytest.raises(PatchFormatError, match="P-126|frame"):
        made.select(from_jelly_patch("made", maxFrameBytes=10)).collect()
    with pytest.raises(Exception, match="unknown option 'restartBytes' of to_jelly_patch"):
        rows.select(to_jelly_patch("changes", restartBytes=1)).collect()
    with pytest.raises(Exception, match="unknown option 'mode' of from_jelly_patch"):
        made.select(from_jelly_patch("made", mode="PERMISSIVE")).collect()


def test_wrong_arguments_are_refused_before_the_query_runs(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="array of structs"):
        spark.sql("SELECT to_jelly_patch('text')")
    with pytest.raises(Exception, match="unknown column 'x'"):
        spark.sql("SELECT to_jelly_patch(array(named_struct('x', 1)))")
    with pytest.raises(Exception, match="got 0 arguments"):
        spark.sql("SELECT from_jelly_patch()")
    with pytest.raises(AnalysisException, match="BINARY"):
        spark.sql("SELECT from_jelly_patch(1)")


# --- terms


def part(spark: SparkSession, name: str, term: str) -> Any:
    return spark.createDataFrame([(term,)], "term STRING").select(getattr(functions, name)("term")).collect()[0][0]


@pytest.mark.parametrize(
    "term, parts",
    [
        ("<http://example.org/a#b>", {
            "kind": "iri", "value": "http://example.org/a#b",
            "namespace": "http://example.org/a#", "local_name": "b",
        }),
        ("<urn:isbn:1>", {"kind": "iri", "value": "urn:isbn:1", "namespace": "", "local_name": "urn:isbn:1"}),
        ("_:b0", {"kind": "blank", "value": "b0"}),
        ('""', {"kind": "literal", "value": "", "datatype": XSD + "string"}),
        ('"a\\"\\n\u00e9"', {"kind": "literal", "value": 'a"\n\u00e9', "datatype": XSD + "string"}),
        ('"1"^^<urn:t>', {"kind": "literal", "value": "1", "datatype": "urn:t"}),
        ('"a"@en-gb', {"kind": "literal", "value": "a", "lang": "en-gb", "datatype": RDF + "langString"}),
        ('"a"@en-', {"kind": "literal", "value": "a", "lang": "en-", "datatype": RDF + "langString"}),
        ('"a"@ar-eg--rtl', {
            "kind": "literal", "value": "a", "lang": "ar-eg", "direction": "rtl", "datatype": RDF + "dirLangString",
        }),
        ('<<( _:s <urn:p> <<( <urn:a> <urn:b> "c"@en )>> )>>', {
            "kind": "triple", "subject": "_:s", "predicate": "<urn:p>", "object": '<<( <urn:a> <urn:b> "c"@en )>>',
        }),
    ],
)
def test_a_term_has_these_parts_and_no_others(spark: SparkSession, term: str, parts: Dict[str, str]) -> None:
    every = ["kind", "value", "lang", "direction", "datatype", "namespace", "local_name", "subject", "predicate", "object"]
    taken = {name: part(spark, f"rdf_{name}", term) for name in every}
    assert {name: value for name, value in taken.items() if value is not None} == parts
    assert term == '"a"@en-' or part(spark, "rdf_canonical", term) == term


@pytest.mark.parametrize(
    "term, canonical",
    [
        (f'"a"^^<{XSD}string>', '"a"'),
        ('"\\u0041"@EN', '"A"@en'),
        ("<<<urn:a> <urn:b> <urn:c>>>", "<<( <urn:a> <urn:b> <urn:c> )>>"),
    ],
)
def test_every_way_to_write_a_term_has_one_canonical_form(spark: SparkSession, term: str, canonical: str) -> None:
    assert part(spark, "rdf_canonical", term) == canonical


@pytest.mark.parametrize("term", ["", "?v", "urn:a", "<urn:a", '"a', '"a"^^b', "<urn:a> ", "<<( <urn:a> <urn:b> )>>"])
def test_text_that_is_no_term_is_an_error_with_its_place(spark: SparkSession, term: str) -> None:
    with pytest.raises(TextFormatError) as raised:
        part(spark, "rdf_kind", term)
    assert raised.value.format == "N-Triples" and raised.value.offset >= 0
    assert part(spark, "try_rdf_kind", term) is None and part(spark, "try_rdf_canonical", term) is None


def test_terms_made_of_text_are_taken_apart_into_it(spark: SparkSession) -> None:
    text = 'a "quoted"\\ line\nand \u00e9\U0001f600'
    made = spark.createDataFrame([(text,)], "text STRING").select(
        functions.rdf_literal("text").alias("plain"),
        functions.rdf_lang_literal("text", F.lit("en-GB")).alias("lang"),
        functions.rdf_typed_literal("text", F.lit("urn:t")).alias("typed"),
        functions.rdf_iri(F.lit("http://example.org/a%20\u00e9")).alias("iri"),
        functions.rdf_blank(F.lit("b0")).alias("blank"),
    )
    row = made.collect()[0]
    assert row.lang.endswith('"@en-gb') and row.typed.endswith('"^^<urn:t>') and row.blank == "_:b0"
    assert made.select(*(rdf_value(name) for name in made.columns)).collect()[0] == (
        text, text, text, "http://example.org/a%20\u00e9", "b0",
    )
    with pytest.raises(TextFormatError, match="language tag"):
        spark.sql("SELECT rdf_lang_literal('a', 'not a tag')").collect()


def test_an_iri_is_given_with_or_without_brackets(spark: SparkSession) -> None:
    assert spark.sql("SELECT rdf_iri('<urn:s>'), rdf_iri('urn:s'), rdf_typed_literal('1', '<urn:t>'), rdf_typed_literal('1', 'urn:t')"
                     ).collect() == [("<urn:s>", "<urn:s>", '"1"^^<urn:t>', '"1"^^<urn:t>')]


@pytest.mark.parametrize(
    "made",
    ["rdf_iri('relative')", "rdf_iri('<relative>')", "rdf_iri('<>')", "rdf_iri('<urn:s')", "rdf_iri('<<urn:s>>')",
     "rdf_typed_literal('1', '<relative>')", "rdf_typed_literal('1', '<<urn:t>>')", "rdf_iri('http://e/a b')", "rdf_iri('_:b')", "rdf_lang_literal('a', 'en_US')",
     "rdf_lang_literal('a', '1')", "rdf_typed_literal('1', 'relative')", "rdf_canonical('\"a\"@en_US')",
     "rdf_canonical('<relative>')", "rdf_canonical('<http://e/a\\\\u0020b>')", "rdf_canonical('\"1\"^^<d>')",
     "rdf_canonical('<<( <urn:s> <urn:p> \"a\"@1 )>>')", "rdf_mend_tags('\"a\"@1')"],
)
def test_a_term_that_rdf_has_not_is_not_made(spark: SparkSession, made: str) -> None:
    with pytest.raises(TextFormatError):
        spark.sql(f"SELECT {made}").collect()
    assert spark.sql(f"SELECT try_{made}").collect() == [(None,)]


QUADS = "array(named_struct('subject', '%s', 'predicate', '<urn:p>', 'object', '\"1\"', 'graph', CAST(NULL AS STRING)))"
NO_QUADS = "array(CAST(NULL AS STRUCT<subject: STRING, predicate: STRING, object: STRING, graph: STRING>))"
PATCHES = "array(named_struct('file', CAST(%s AS STRING), 'patch', CAST(%s AS BIGINT), 'id', CAST(NULL AS STRING), 'prev', CAST(NULL AS STRING)))"


@pytest.mark.parametrize(
    "made, says",
    [(f"rdf_structure({QUADS % '<<( _:a'})", "N-Triples"), (f"rdf_structure({NO_QUADS})", "row 0 of the array: the struct is null"),
     (f"rdf_rename_as_before({QUADS % '_:a'}, {QUADS % '<<( _:a'}, 'n')", "N-Triples"),
     (f"rdf_rename_as_before({NO_QUADS}, {QUADS % '_:a'}, 'n')", "row 0 of the array: the struct is null"),
     ("patch_order(array(CAST(NULL AS STRUCT<file: STRING, patch: BIGINT, id: STRING, prev: STRING>)))", "the struct is null"),
     (f"patch_order({PATCHES % ('NULL', '0')})", "its file or its number is null"),
     (f"patch_order({PATCHES % (repr('a'), 'NULL')})", "its file or its number is null")],
)
def test_an_array_of_what_is_no_quad_or_patch_is_refused(spark: SparkSession, made: str, says: str) -> None:
    with pytest.raises((TextFormatError, PatchFormatError), match=says):
        spark.sql(f"SELECT {made}").collect()
    assert spark.sql(f"SELECT try_{made}").collect() == [(None,)]


@pytest.mark.parametrize(
    "term, mended",
    [('"a"@en_US', '"a"@en-us'), ('"a_b"@zh_Hant-TW', '"a_b"@zh-hant-tw'), ("<urn:a_b>", "<urn:a_b>"), ('"a_b"', '"a_b"'),
     ("_:a_b", "_:a_b"), ('<<( <urn:s> <urn:p> "a"@en_US )>>', '<<( <urn:s> <urn:p> "a"@en-us )>>')],
)
def test_language_tags_of_old_data_are_mended(spark: SparkSession, term: str, mended: str) -> None:
    assert part(spark, "rdf_mend_tags", term) == mended


@pytest.mark.parametrize("label", ["", "a b", "a>", "-a", "a.", "a\n", '"'])
def test_a_label_that_n_triples_does_not_have_is_refused(spark: SparkSession, label: str) -> None:
    labels = spark.createDataFrame([(label,)], "label STRING")
    with pytest.raises(TextFormatError, match="label of a blank node.*rdf_blank"):
        labels.select(functions.rdf_blank("label")).collect()
    assert labels.selectExpr("try_rdf_blank(label)").collect() == [(None,)]
    good = spark.createDataFrame([("_",), ("0.a-b",), ("\u00e9\u00b7\U0001f600",)], "label STRING")
    assert [rdf for (rdf,) in good.select(functions.rdf_blank("label")).collect()] == [
        "_:_", "_:0.a-b", "_:\u00e9\u00b7\U0001f600",
    ]


def test_functions_work_in_every_clause(spark: SparkSession) -> None:
    terms = spark.createDataFrame([(term,) for term in ("<urn:a>", '"x"', '"y"', "_:b")], "term STRING")
    counted = terms.groupBy(rdf_kind("term")).count().orderBy("rdf_kind")
    assert [tuple(row) for row in counted.collect()] == [("blank", 1), ("iri", 1), ("literal", 2)]
    assert terms.where(rdf_kind("term") == "literal").count() == 2
    lists = terms.agg(F.sort_array(F.collect_list("term")).alias("terms"))
    assert lists.select(F.transform("terms", lambda term: rdf_value(term))).collect() == [(["x", "y", "urn:a", "b"],)]
    assert spark.sql("SELECT transform(array('<urn:a>'), t -> rdf_value(t))").collect() == [(["urn:a"],)]
    terms.createOrReplaceTempView("terms_of_functions")
    grouped = "SELECT rdf_kind(term), count(*) FROM terms_of_functions GROUP BY rdf_kind(term) HAVING rdf_kind(term) = 'iri'"
    assert spark.sql(grouped).collect() == [("iri", 1)]


def test_sql_describes_every_function(spark: SparkSession) -> None:
    for name in functions.__all__:
        text = "\n".join(row[0] for row in spark.sql(f"DESCRIBE FUNCTION {name}").collect())
        assert f"{name}(" in text, text
        assert name in {row[0] for row in spark.sql(f"SHOW FUNCTIONS LIKE '{name}'").collect()}


def test_a_catalog_serves_the_same_functions(spark: SparkSession, stream: bytes) -> None:
    spark.conf.set("spark.sql.catalog.jellybridge", "io.jellybridge.spark.catalog.JellyCatalog")
    rows = values(spark, stream).selectExpr("inline(jellybridge.from_jelly_patch(value))")
    assert [ChangeRow(*row) for row in rows.collect()] == ROWS
    for name in functions.__all__:
        takes = {"rdf_lang_literal": 2, "rdf_typed_literal": 2, "rdf_rename_as_before": 3}.get(name, 1)
        arguments = ", ".join(["NULL"] * takes)
        assert spark.sql(f"SELECT jellybridge.{name}({arguments})").collect() == [(None,)]
    with pytest.raises(AnalysisException, match="no_such"):
        spark.sql("SELECT jellybridge.no_such(1)")


@pytest.mark.full("connect")
@pytest.mark.parametrize("jar", ["server", "client"])
def test_formats_and_functions_work_under_spark_connect(jar: str, tmp_path: Path) -> None:
    """In a process of its own, as pyspark is either classic or Connect; with the jar brought in both ways."""
    job = Path(__file__).with_name("connect_job.py")
    write_patch(tmp_path / "log.jellyp", [
        ChangeRow(patch, op=op, subject=f"<urn:{name}>", predicate="<urn:p>", object='"o"')
        for patch, op, name in ((0, "A", "a"), (0, "A", "b"), (1, "D", "a"), (1, "A", "c"))
    ])
    with jellybridge.PatchLog.create(tmp_path / "log") as log:
        log.append(tmp_path / "log.jellyp")
    done = subprocess.run(
        [sys.executable, str(job), jar, str(tmp_path)], env=spark_environment(), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0 and "connect job done" in done.stdout, done.stdout[-4000:] + done.stderr[-8000:]


def test_the_blank_nodes_of_a_term_are_those_of_triple_terms_too(spark: SparkSession) -> None:
    texts = ["_:a", "<urn:_:a>", '"_:a"', "<<( _:a <urn:p> <<( <urn:s> <urn:p> _:b )>> )>>", '<<( <urn:s> <urn:p> "_:a" )>>']
    terms = spark.createDataFrame([(text,) for text in texts], "term STRING")
    found = [row[0] for row in terms.select(functions.rdf_blank_nodes("term")).collect()]
    assert found == [["_:a"], [], [], ["_:a", "_:b"], []]


def test_new_quads_are_named_as_the_old_ones_that_they_are(spark: SparkSession) -> None:
    def quads(*triples: str) -> str:
        struct = "struct('{}' AS subject, '{}' AS predicate, '{}' AS object, CAST(NULL AS STRING) AS graph)"
        structs = ", ".join(struct.format(*triple.split(" ")) for triple in triples)
        return f"array({structs})"

    old, new = quads("_:a <urn:p> _:b", '_:b <urn:q> "1"'), quads("_:b <urn:p> _:z", '_:z <urn:q> "1"')
    more = quads("_:b <urn:p> _:z", '_:z <urn:q> "1"', '_:a <urn:r> "2"')
    [row] = spark.sql(
        f"SELECT rdf_structure({old}), rdf_structure({new}), rdf_structure({more}), rdf_rename_as_before({old}, {more}, 'n7')"
    ).collect()
    assert row[0] == row[1] != row[2]
    assert [tuple(quad)[:3] for quad in row[3]] == [
        ("_:a", "<urn:p>", "_:b"), ("_:b", "<urn:q>", '"1"'), ("_:an7", "<urn:r>", '"2"')]
