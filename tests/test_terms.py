"""Terms that RDF 1.2 has not are refused where they are written, alike in every format; the options let some through."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import ChangeRow, PatchFormatError, TextFormatError
from jellybridge.functions import rdf_mend_tags, to_jelly_patch

GOOD = ("<urn:s>", "<urn:p>", '"o"')
REFUSED = [
    (("<urn:s>", "<urn:p>", '"x"@en_US'), "the language tag 'en_US', which is not well-formed"),
    (("<urn:s>", "<urn:p>", '"x"@1'), "the language tag '1', which is not well-formed"),
    (("<relative>", "<urn:p>", '"x"'), "the IRI <relative> without a scheme"),
    (("<urn:s>", "<relative>", '"x"'), "the IRI <relative> without a scheme"),
    (("<urn:s>", "<urn:p>", '"1"^^<relative>'), "the IRI <relative> without a scheme"),
    (("<urn:s>", "<urn:p>", "<urn:a\\u0020b>"), "U.0020, a character that no IRI has"),
    (("<urn:s>", "<urn:p>", '"x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>'), "no language tag"),
    (('"s"', "<urn:p>", '"x"'), "subject"),
    (("<urn:s>", "_:p", '"x"'), "predicate"),
]
FORMATS = ["jelly-patch", "rdf-patch", "jelly", "nquads"]


def frame(spark: SparkSession, *triples: Any) -> DataFrame:
    return spark.createDataFrame(list(triples), "subject STRING, predicate STRING, object STRING").coalesce(1)


def write(statements: DataFrame, format: str, folder: Path, **options: Any) -> str:
    rows = statements.withColumn("op", F.lit("A")) if format.endswith("-patch") else statements
    rows.write.format(format).options(**options).save(str(folder))
    return str(folder)


@pytest.mark.parametrize("format", FORMATS)
def test_a_term_that_rdf_has_not_is_refused_where_it_is_written(spark: SparkSession, tmp_path: Path, format: str) -> None:
    for number, (triple, message) in enumerate(REFUSED):
        out = tmp_path / str(number)
        with pytest.raises((PatchFormatError, TextFormatError), match=message):
            write(frame(spark, GOOD, triple), format, out)
        assert not [path for path in out.glob("part-*")], "nothing half-written stays behind"


def test_the_functions_and_the_plain_files_refuse_the_same(spark: SparkSession, tmp_path: Path) -> None:
    for triple, message in REFUSED:
        row = dict(zip(("subject", "predicate", "object"), triple), op="A")
        with pytest.raises((PatchFormatError, TextFormatError), match=f"(?s)(?=.*{message})(?=.*row 1 of the array)"):
            rows = F.array(*(F.struct(F.lit("A").alias("op"), *(F.lit(term).alias(name) for name, term in
                     zip(("subject", "predicate", "object"), terms))) for terms in (GOOD, triple)))
            spark.range(1).select(to_jelly_patch(rows)).collect()
        good = dict(zip(("subject", "predicate", "object"), GOOD), op="A")
        for suffix in ("jellyp", "rdfp"):
            with pytest.raises((PatchFormatError, TextFormatError), match=f"(?s)(?=.*{message})(?=.*row 1 of those given)"):
                jellybridge.write_patch(tmp_path / f"out.{suffix}", [good, row])
            assert not (tmp_path / f"out.{suffix}").exists()


@pytest.mark.parametrize("format", ["jelly-patch", "rdf-patch", "jelly"])
def test_relative_iris_and_generalized_statements_have_one_option_each_in_every_format(
    spark: SparkSession, tmp_path: Path, format: str
) -> None:
    odd = ('"s"', "_:p", "<relative>")
    with pytest.raises((PatchFormatError, TextFormatError), match="without a scheme"):
        write(frame(spark, odd), format, tmp_path / "relative", generalizedStatements="true")
    with pytest.raises((PatchFormatError, TextFormatError), match="subject"):
        write(frame(spark, odd), format, tmp_path / "generalized", relativeIris="true")
    options: Dict[str, Any] = {"generalizedStatements": "true", "relativeIris": "true"}
    written = write(frame(spark, odd), format, tmp_path / "both", **options)
    reading = options if format == "rdf-patch" else {}
    found: List[Any] = spark.read.format(format).options(**reading).load(written).collect()
    assert [(row.subject, row.predicate, row.object) for row in found] == [odd], "what is there is read"


def foreign_patch(path: Path) -> str:
    """``A _:b <p> "x"@en_US``, as a writer makes it that checks nothing: ours make no such file."""

    def message(field: int, content: bytes) -> bytes:
        return bytes([field << 3 | 2, len(content)]) + content

    flat_triples_of_8_names = b"\x08\x01\x10\x02\x48\x08\x78\x01"
    text = message(1, b"x") + message(2, b"en_US")
    rows = [message(1, flat_triples_of_8_names), message(11, message(2, b"p")),
            message(2, message(2, b"b") + message(5, b"") + message(11, text))]
    frame = b"".join(message(1, row) for row in rows)
    path.write_bytes(bytes([len(frame)]) + frame)
    return str(path)


def test_a_foreign_file_is_read_and_refused_where_it_would_be_applied_or_written_again(
    spark: SparkSession, tmp_path: Path
) -> None:
    foreign = foreign_patch(tmp_path / "foreign.jellyp")
    read = spark.read.format("jelly-patch").option("strict", "true").load(foreign)
    assert [(row.predicate, row.object) for row in read.collect()] == [("<p>", '"x"@en_us')]
    with jellybridge.read_patch(foreign, strict=True) as rows:
        assert [row.object for row in rows] == ['"x"@en_us']
    with jellybridge.Dataset.open("mem:") as dataset:
        with pytest.raises(PatchFormatError, match="language tag 'en_US'"):
            dataset.apply(foreign)
        assert len(dataset) == 0
    with pytest.raises(PatchFormatError, match="the IRI <p> without a scheme"):
        jellybridge.convert(foreign, tmp_path / "again.jellyp")
    with pytest.raises(PatchFormatError, match="the language tag 'en_US'.*write '-' for '_'"):
        jellybridge.convert(foreign, tmp_path / "again.jellyp", relative_iris=True)
    for again in ("again.jellyp", "again.rdfp"):
        jellybridge.convert(foreign, tmp_path / again, relative_iris=True, mend_tags=True)
    with jellybridge.read_patch(tmp_path / "again.jellyp") as rows:
        assert [(row.predicate, row.object) for row in rows] == [("<p>", '"x"@en-us')]

    mended = read.withColumn("object", rdf_mend_tags("object")).withColumn("predicate", F.lit("<urn:p>"))
    mended.write.format("jelly-patch").save(str(tmp_path / "mended"))
    with jellybridge.Dataset.open("mem:") as dataset:
        assert dataset.apply(str(tmp_path / "mended")).added == 1


def test_relative_iris_are_written_to_a_plain_file_where_that_is_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    row = ChangeRow(op="A", subject="<relative>", predicate="<urn:p>", object='"o"')
    for name in ("out.jellyp", "out.rdfp"):
        jellybridge.write_patch(tmp_path / name, [row], relative_iris=True)
    with jellybridge.read_patch(tmp_path / "out.jellyp") as rows:
        assert [read.subject for read in rows] == ["<relative>"]


RESERVED = ["urn:x-arq:DefaultGraph", "urn:x-arq:DefaultGraphNode", "urn:x-arq:UnionGraph", "urn:jellybridge:sync"]


def statements_with(iri: str) -> List[str]:
    """The IRI in each position but that of a graph, in two graphs."""
    triples = [f'<{iri}> <urn:p> "s"', f'<urn:s> <{iri}> "p"', f"<urn:s> <urn:p> <{iri}>", f'<urn:s> <urn:p> "d"^^<{iri}>']
    return sorted(f"{triple}{graph}" for triple in triples for graph in ("", " <urn:g>"))


@pytest.mark.parametrize("store", ["mem:", "tdb2:"])
def test_an_iri_that_is_reserved_as_a_graph_is_published_and_dumped_like_others(store: str, tmp_path: Path) -> None:
    rows = sorted(row for iri in RESERVED for row in statements_with(iri))
    file = tmp_path / "all.nq"
    file.write_text("".join(f"{row} .\n" for row in rows))
    with jellybridge.Dataset.open(f"{store}{tmp_path / 'store'}" if store == "tdb2:" else store) as dataset:
        assert dataset.publish(file).added == len(rows)
        assert not dataset.publish(file).changed
        dataset.dump(tmp_path / "dump.nq")
        assert sorted(line[:-2] for line in (tmp_path / "dump.nq").read_text().splitlines()) == rows
        for iri in RESERVED:
            [row] = dataset.query(f"SELECT ?o {{ <urn:s> <urn:p> ?o FILTER (sameTerm(?o, <{iri}>)) }}")
            assert row["o"] == f"<{iri}>"


def test_an_iri_that_is_reserved_as_a_graph_is_a_value_of_a_dataframe(spark: SparkSession, tmp_path: Path) -> None:
    location = f"tdb2:{tmp_path / 'store'}"
    with jellybridge.Dataset.open(location) as dataset:
        dataset.load("".join(f"{row} .\n" for iri in RESERVED for row in statements_with(iri)).encode(), format="nq")
    quads = spark.read.format("jena").option("target", location).load()
    for iri in RESERVED:
        assert quads.where(F.col("object") == f"<{iri}>").count() == 2
        assert quads.where((F.col("subject") == f"<{iri}>") & (F.col("graph") == "<urn:g>")).count() == 1
        write(frame(spark, (f"<{iri}>", f"<{iri}>", f"<{iri}>")), "jelly-patch", tmp_path / iri[-9:])
        [row] = spark.read.format("jelly-patch").load(str(tmp_path / iri[-9:])).where("op = 'A'").collect()
        assert (row.subject, row.predicate, row.object) == (f"<{iri}>",) * 3


@pytest.mark.parametrize("suffix", ["nt", "ttl", "rdfp", "jellyp"])
def test_an_iri_that_is_reserved_as_a_graph_is_valid_in_a_file(suffix: str, tmp_path: Path) -> None:
    for iri in RESERVED:
        first = tmp_path / f"a.{'rdfp' if suffix.endswith('p') else suffix}"
        first.write_text(f"{'A ' if suffix.endswith('p') else ''}<{iri}> <urn:p> <{iri}> .\n")
        file = tmp_path / f"b.{suffix}"
        if suffix == "jellyp":
            jellybridge.convert(first, file)
        else:
            file.write_bytes(first.read_bytes())
        done = subprocess.run([sys.executable, "-m", "jellybridge", "validate", str(file)], capture_output=True, text=True)
        assert done.returncode == 0 and "valid" in done.stdout, done.stderr
