"""Every RDF syntax on Spark: the same graph in each gives the same quads; what is damaged says where."""

from __future__ import annotations

import bz2
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Set

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from syntaxes import BASE, DAMAGED, EXPECTED, Quad, RDF, TRIPLES, converted, isomorphic, write

import jellybridge


def test_spark_reads_the_same_quads_in_every_syntax(spark: SparkSession, tmp_path: Path) -> None:
    for syntax in TRIPLES:
        write(tmp_path, syntax)
    rows = spark.read.format("rdf").option("base", BASE).load(str(tmp_path))
    assert rows.columns == ["subject", "predicate", "object", "graph"]
    by_file: Dict[str, Set[Quad]] = {}
    for *quad, graph, file in rows.selectExpr("*", "input_file_name()").collect():
        assert graph is None
        by_file.setdefault(file.rpartition(".")[2], set()).add(tuple(quad))
    assert set(by_file) == set(TRIPLES)
    for syntax, quads in by_file.items():
        assert isomorphic(quads, EXPECTED), syntax


def test_labels_are_the_same_in_each_run_and_door_and_never_those_of_another_file(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path, "ttl", name=name)
    read = [spark.read.format("rdf").load(str(tmp_path / name)) for name in ("a.ttl", "a.ttl", "b.ttl")]
    once, again, other = ({tuple(row)[:3] for row in rows.collect()} for rows in read)
    together = {tuple(row)[:3] for row in spark.read.format("rdf").load(str(tmp_path)).repartition(4).collect()}
    assert once == again == converted(tmp_path / "a.ttl", tmp_path)
    assert together == once | other
    labels = [{term for quad in quads for term in quad if term.startswith("_:")} for quads in (once, other)]
    assert [len(found) for found in labels] == [2, 2] and not labels[0] & labels[1]


@pytest.mark.parametrize("base", (None, BASE))
def test_labels_of_a_file_whose_path_is_not_ascii_are_those_of_the_command_line(
    spark: SparkSession, tmp_path: Path, base: Optional[str]
) -> None:
    (tmp_path / "é ü").mkdir()
    file = write(tmp_path / "é ü", "ttl")
    options = {} if base is None else {"base": base}
    rows = spark.read.format("rdf").options(**options).load(str(file)).collect()
    assert {tuple(row)[:3] for row in rows} == converted(file, tmp_path, **options)


def test_what_is_damaged_says_line_and_column_in_spark(spark: SparkSession, tmp_path: Path) -> None:
    for syntax, (text, place) in DAMAGED.items():
        file = write(tmp_path, syntax, text)
        with pytest.raises(Exception, match=f"in.{syntax}, {place}: "):
            spark.read.format("rdf").load(str(file)).collect()


def test_no_entity_of_xml_reads_a_file_in_spark(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    doctype = f'<!DOCTYPE r [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    file = write(tmp_path, "trix", doctype + TRIPLES["trix"].replace("é", "&e;"))
    with pytest.raises(Exception, match="[Ee]ntity"):
        spark.read.format("rdf").option("base", BASE).load(str(file)).collect()


@pytest.mark.parametrize("syntax", ["ttl", "json", "application/rdf+xml"])
def test_an_option_of_spark_names_the_syntax_of_all_files(spark: SparkSession, tmp_path: Path, syntax: str) -> None:
    text = TRIPLES["rdf"] if "xml" in syntax else TRIPLES["ttl"]
    (tmp_path / "in.data").write_text(text, encoding="utf-8")
    read: Callable[[], Any] = lambda: spark.read.format("rdf").option("syntax", syntax).load(str(tmp_path)).count()
    if syntax == "json":
        with pytest.raises(Exception, match="option 'syntax' of rdf is 'json'; it takes a suffix"):
            read()
    else:
        assert read() == 6


def test_spark_refuses_a_suffix_that_is_of_no_syntax_and_writes_none(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path, "txt", "x")
    with pytest.raises(IllegalArgumentException, match=r"in.txt: 'txt' is of no RDF syntax; .*; or name the syntax of all files by the option"):
        spark.read.format("rdf").load(str(tmp_path))
    jellybridge.PatchLog.create(tmp_path / "log").close()
    with pytest.raises(IllegalArgumentException, match="log is a patch log; read its statements by the format rdf-dataset"):
        spark.read.format("rdf").load(str(tmp_path / "log"))
    with pytest.raises(Exception, match="rdf is for reading; write nquads or jelly"):
        spark.range(1).selectExpr("'<urn:s>' subject", "'<urn:p>' predicate", "'<urn:o>' object").write.format("rdf").save(
            str(tmp_path / "out"))


def test_bad_statements_of_a_document_are_set_aside_in_spark(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write(tmp_path / "in", "ttl", '<urn:s> <urn:p> "a"@zh-classical, "b", <urn:o> .')
    write(tmp_path / "in", "nq", '<urn:s> <urn:p> "c"@zh-classical .\n<urn:s> <urn:p> "d" .\n')
    reader = spark.read.format("rdf").option("badStatements", str(tmp_path / "bad"))
    assert {row.object for row in reader.load(str(tmp_path / "in")).collect()} == {'"b"', "<urn:o>", '"d"'}
    aside = {line for file in (tmp_path / "bad").iterdir() if not file.name.startswith(".") for line in file.read_text().splitlines()}
    assert {line for line in aside if not line.startswith("#")} == {
        '<urn:s> <urn:p> "a"@zh-classical .', '<urn:s> <urn:p> "c"@zh-classical .'}
    with pytest.raises(Exception, match="1 of 3 statements can't be read"):
        reader.option("maxBad", "10%").load(str(tmp_path / "in" / "in.ttl")).collect()
    with pytest.raises(IllegalArgumentException, match="set the option ignoreCorruptFiles=false for this read"):
        reader.option("ignoreCorruptFiles", True).load(str(tmp_path / "in"))


@pytest.mark.parametrize("syntax", ("ttl", "nt", "rdf"))
def test_bzip2_is_read_by_every_door(spark: SparkSession, tmp_path: Path, syntax: str) -> None:
    file = tmp_path / f"a.{syntax}.bz2"
    file.write_bytes(bz2.compress(TRIPLES[syntax].encode()))
    assert isomorphic(converted(file, tmp_path, base=BASE), EXPECTED)
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load(file, base=BASE)
        assert len(dataset) == len(EXPECTED)
    assert spark.read.format("rdf").option("base", BASE).load(str(file)).count() == len(EXPECTED)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(jellybridge.JellybridgeError, match="a.*bz2: the compressed data ends too early"):
        converted(file, tmp_path, base=BASE)
    with pytest.raises(Exception):
        spark.read.format("rdf").option("base", BASE).load(str(file)).collect()


def test_a_cut_document_is_refused_by_every_door(spark: SparkSession, tmp_path: Path) -> None:
    file = write(tmp_path, "ttl", "<urn:s> <urn:p> 1234567 .\n<urn:s> <urn:p> 12")
    with pytest.raises(jellybridge.TextFormatError, match="line 2, column 19: the end of the file within a statement"):
        converted(file, tmp_path)
    with jellybridge.Dataset.open("mem:") as dataset:
        for call in (dataset.load, dataset.publish):
            with pytest.raises(jellybridge.TextFormatError, match="the end of the file within a statement"):
                call(file)
        assert len(dataset) == 0
    with pytest.raises(Exception, match="the end of the file within a statement"):
        spark.read.format("rdf").load(str(file)).collect()
