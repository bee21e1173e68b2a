"""Every RDF syntax: the same graph in each gives the same quads, through every door; what is damaged says where."""

from __future__ import annotations

import bz2
import gzip
import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Set, Tuple

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import jellybridge

Quad = Tuple[str, ...]

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

#: Each says the quads of EXPECTED, in the default graph.
TRIPLES = {
    "ttl": f"""@prefix ex: <http://e/> .
        ex:s ex:p "é\\n", "b"@en-GB, 5 ; ex:q [ ex:r _:x ] . _:x ex:r <rel> .""",
    "trig": f"""PREFIX ex: <http://e/>
        {{ ex:s ex:p "é\\n", "b"@en-GB, 5 ; ex:q [ ex:r _:x ] . _:x ex:r <rel> . }}""",
    "n3": f"""@prefix ex: <http://e/> .
        ex:s ex:p "é\\n", "b"@en-GB, 5 ; ex:q [ ex:r _:x ] . _:x ex:r <rel> .""",
    "rdf": f"""<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://e/">]>
        <rdf:RDF xmlns:rdf="{RDF}" xmlns:ex="&e;"><rdf:Description rdf:about="&e;s">
        <ex:p>é&#10;</ex:p><ex:p xml:lang="en-GB">b</ex:p><ex:p rdf:datatype="{XSD}integer">5</ex:p>
        <ex:q><rdf:Description><ex:r rdf:nodeID="x"/></rdf:Description></ex:q></rdf:Description>
        <rdf:Description rdf:nodeID="x"><ex:r rdf:resource="rel"/></rdf:Description></rdf:RDF>""",
    "jsonld": """{"@context": {"ex": "http://e/", "r": {"@id": "ex:r", "@type": "@id"}}, "@graph": [
        {"@id": "ex:s", "ex:p": ["é\\n", {"@value": "b", "@language": "en-GB"}, 5], "ex:q": {"r": "_:x"}},
        {"@id": "_:x", "r": "rel"}]}""",
    "rj": f"""{{"http://e/s": {{"http://e/p": [{{"type": "literal", "value": "é\\n"}},
        {{"type": "literal", "value": "b", "lang": "en-GB"}},
        {{"type": "literal", "value": "5", "datatype": "{XSD}integer"}}],
        "http://e/q": [{{"type": "bnode", "value": "_:y"}}]}},
        "_:y": {{"http://e/r": [{{"type": "bnode", "value": "_:x"}}]}},
        "_:x": {{"http://e/r": [{{"type": "uri", "value": "http://base/rel"}}]}}}}""",
    "trix": f"""<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>
        <triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral>é&#10;</plainLiteral></triple>
        <triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral xml:lang="en-GB">b</plainLiteral></triple>
        <triple><uri>http://e/s</uri><uri>http://e/p</uri><typedLiteral datatype="{XSD}integer">5</typedLiteral></triple>
        <triple><uri>http://e/s</uri><uri>http://e/q</uri><id>y</id></triple>
        <triple><id>y</id><uri>http://e/r</uri><id>x</id></triple>
        <triple><id>x</id><uri>http://e/r</uri><uri>rel</uri></triple></graph></TriX>""",
    "nt": f"""<http://e/s> <http://e/p> "é\\n" .\n<http://e/s> <http://e/p> "b"@en-GB .
        <http://e/s> <http://e/p> "5"^^<{XSD}integer> .\n<http://e/s> <http://e/q> _:y .
        _:y <http://e/r> _:x .\n_:x <http://e/r> <http://base/rel> .\n""",
}
BASE = "http://base/x"
EXPECTED = {
    ("<http://e/s>", "<http://e/p>", '"é\\n"'), ("<http://e/s>", "<http://e/p>", '"b"@en-gb'),
    ("<http://e/s>", "<http://e/p>", f'"5"^^<{XSD}integer>'), ("<http://e/s>", "<http://e/q>", "_:0"),
    ("_:0", "<http://e/r>", "_:1"), ("_:1", "<http://e/r>", "<http://base/rel>"),
}
DOCUMENTS = [syntax for syntax in TRIPLES if syntax != "nt"]
FORMATS = {"ttl": "turtle", "trig": "trig", "n3": "n3", "rdf": "rdfxml", "jsonld": "jsonld", "rj": "rdfjson", "trix": "trix",
           "nt": "ntriples"}


def write(folder: Path, syntax: str, text: str = "", name: str = "in") -> Path:
    file = folder / f"{name}.{syntax}"
    file.write_text(text or TRIPLES[syntax], encoding="utf-8")
    return file


def isomorphic(quads: Set[Quad], others: Set[Quad]) -> bool:
    """Whether they are the same but for the labels of the few blank nodes; tags in lower case."""
    def labels(of: Set[Quad]) -> List[str]:
        return sorted({term for quad in of for term in quad if term.startswith("_:")})

    def renamed(names: Dict[str, str]) -> Set[Quad]:
        return {tuple(names.get(term, term) for term in quad) for quad in quads}

    return any(renamed(dict(zip(labels(quads), order))) == others for order in itertools.permutations(labels(others))
               if len(order) == len(labels(quads)))


def terms(line: str) -> Quad:
    subject, predicate, rest = line.rstrip("\n").split(" ", 2)
    return subject, predicate, rest.removesuffix(" .").replace("@en-GB", "@en-gb")


def converted(file: Path, folder: Path, **options: Any) -> Set[Quad]:
    target = folder / "out.nq"
    jellybridge.convert(file, target, **options)
    return {terms(line) for line in target.read_text(encoding="utf-8").splitlines()}


def command(*arguments: object, check: bool = True, **how: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "jellybridge", *map(str, arguments)], capture_output=True, text=True,
                          check=check, timeout=120, encoding="utf-8", **how)


@pytest.mark.parametrize("syntax", TRIPLES)
def test_convert_reads_the_same_quads_in_every_syntax(tmp_path: Path, syntax: str) -> None:
    assert isomorphic(converted(write(tmp_path, syntax), tmp_path, base=BASE), EXPECTED)


@pytest.mark.parametrize("syntax", DOCUMENTS)
def test_convert_reads_what_is_compressed(tmp_path: Path, syntax: str) -> None:
    plain = TRIPLES[syntax].encode()
    (tmp_path / f"a.{syntax}.gz").write_bytes(gzip.compress(plain))
    with pa.CompressedOutputStream(str(tmp_path / f"a.{syntax}.zst"), "zstd") as out:
        out.write(plain)
    for name in (f"a.{syntax}.gz", f"a.{syntax}.zst"):
        assert isomorphic(converted(tmp_path / name, tmp_path, base=BASE), EXPECTED), name


@pytest.mark.parametrize("syntax", TRIPLES)
def test_a_dataset_loads_the_same_quads_in_every_syntax(tmp_path: Path, syntax: str) -> None:
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load(write(tmp_path, syntax), base=BASE)
        dataset.dump(tmp_path / "dump.nq.zst")
        assert isomorphic(converted(tmp_path / "dump.nq.zst", tmp_path), EXPECTED)


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


@pytest.mark.parametrize("old, new", [("ttl", "rdf"), ("jsonld", "trig"), ("nt", "trix")])
def test_diff_compares_snapshots_of_two_syntaxes(tmp_path: Path, old: str, new: str) -> None:
    command("diff", write(tmp_path, old), write(tmp_path, new), "--base", BASE, "-o", tmp_path / "d.jellyp")
    rows = list(jellybridge.read_patch(tmp_path / "d.jellyp"))
    changed = [row for row in rows if row.op in "AD"]
    assert changed == []
    done = command("diff", tmp_path / f"in.{old}", tmp_path / f"in.{new}", "--base", BASE, "--blank-nodes", "label", "-o", tmp_path / "d.jellyp")
    changed = [row for row in jellybridge.read_patch(tmp_path / "d.jellyp") if row.op in "AD"]
    # The three about blank nodes, which are of their documents.
    assert len(changed) == 6 and all("_:" in f"{row.subject}{row.object}" for row in changed) and done.stderr == ""


def test_a_difference_of_documents_is_by_structure_and_applies_to_what_was_published_of_the_old_one(tmp_path: Path) -> None:
    old, new, patch, store = tmp_path / "v1.ttl", tmp_path / "v2.ttl", tmp_path / "d.jellyp", f"tdb2:{tmp_path / 'db'}"
    old.write_text("@prefix e: <http://e/> .\ne:a e:p [ e:q 1 ; e:r 3 ] .\n")
    new.write_text("@prefix e: <http://e/> .\ne:a e:p [ e:q 2 ; e:r 3 ] .\n")
    command("publish", old, "--to", store)
    made = command("diff", old, new, "-o", patch, "--json")
    assert '"deleted": 1, "added": 1' in made.stdout
    assert f"blank nodes were compared by structure, since the labels in {new} are its own; --blank-nodes label" in made.stderr
    assert command("apply", patch, "--check", "--to", store).stdout == f"{patch}: 1 patch applied (+1 -1)\n"
    assert "is the same" in command("publish", new, "--to", store).stdout
    again = command("apply", patch, "--check", "--to", store, check=False)
    assert again.returncode == 1 and "the deletion of what the dataset does not hold" in again.stderr
    assert "the deletion of what the dataset does not hold" in command("apply", patch, "--to", store, check=False).stderr
    loose = command("apply", patch, "--no-check", "--to", store)
    assert "0 of 2 rows changed the dataset" in loose.stdout and "2 of 2 rows changed nothing" in loose.stderr


@pytest.mark.parametrize("syntax", [
    syntax if syntax in ("ttl", "rdf", "jsonld") else pytest.param(syntax, marks=pytest.mark.full("files")) for syntax in DOCUMENTS
])
def test_cat_inspect_and_validate_read_it(tmp_path: Path, syntax: str) -> None:
    file = write(tmp_path, syntax)
    lines = command("cat", file, "--base", BASE).stdout.splitlines()
    assert isomorphic({terms(line) for line in lines}, EXPECTED)
    assert "statements    6" in command("inspect", file).stdout
    assert command("validate", file, "--base", BASE).stdout.endswith("valid; 6 statements\n")


def test_a_pipe_is_read_where_its_format_is_named(tmp_path: Path) -> None:
    lines = command("cat", "-", "--from-format", "turtle", "--base", BASE, input=TRIPLES["ttl"]).stdout.splitlines()
    assert isomorphic({terms(line) for line in lines}, EXPECTED)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", f"cat > '{tmp_path}/pipe'"], stdin=subprocess.PIPE) as writer:
        assert writer.stdin is not None
        writer.stdin.write(TRIPLES["jsonld"].encode())
        writer.stdin.close()
        lines = command("cat", tmp_path / "pipe", "--from-format", "jsonld", "--base", BASE).stdout.splitlines()
    assert isomorphic({terms(line) for line in lines}, EXPECTED)


@pytest.mark.parametrize("syntax, text", [("turtle", "<a> <b> <c> ."), ("jsonld", '{"@id": "a", "http://e/p": 1}')])
def test_a_relative_iri_without_a_base_is_an_error(tmp_path: Path, syntax: str, text: str) -> None:
    done = command("cat", "-", "--from-format", syntax, input=text, check=False)
    assert done.returncode == 1 and "elative IRI" in done.stderr
    with pytest.raises(jellybridge.JellybridgeError, match="elative IRI"):
        jellybridge.convert(text.encode(), tmp_path / "out.nq", from_format=syntax)


@pytest.mark.parametrize("name, text", [
    ("a.ttl", "<a> <http://e/p> <b> ."), ("a.trig", "<http://e/g> { <#a> <http://e/p> 1 }"),
    ("a.rdf", f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/"><e:C rdf:about=""/></rdf:RDF>'),
    ("a.jsonld", '{"@id": "a", "http://e/p": 1}'),
])
def test_an_iri_that_came_from_where_a_file_is_is_refused_of_snapshots_and_warned_of(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    for arguments in (["publish", file, "--to", "mem:"], ["diff", file, file], ["log", "create", tmp_path / "log", "--state", file]):
        refused = command(*arguments, check=False)
        assert refused.returncode == 1 and "name a base, by base (--base) or in the document" in refused.stderr, refused
    assert command("publish", file, "--to", "mem:", "--base", BASE).returncode == 0
    assert "1 statements have `file:` IRIs" in command("convert", file, tmp_path / "out.nq").stderr
    assert command("convert", file, tmp_path / "out.nq", "--base", BASE).stderr == ""
    with jellybridge.Dataset.open("mem:") as dataset, pytest.warns(UserWarning, match="1 statements have `file:` IRIs"):
        dataset.load(file)


#: Damaged documents, and where that is found.
DAMAGED = {
    "ttl": ("@prefix ex: <http://e/> .\nex:s ex:p ex:o\nex:t ex:p 1 .", "line 3, column 1"),
    "trig": ("PREFIX ex: <http://e/>\nex:g { ex:s ex:p ex:o ", "line 2, column 23"),
    "n3": ('<http://e/s> <http://e/p> "a', "line 1, column 29"),
    "rdf": (f'<rdf:RDF xmlns:rdf="{RDF}">\n<rdf:Description rdf:about="http://e/s">\n', "line 3, column 1"),
    "jsonld": ('{"@id": "http://e/s",\n "http://e/p":: 5}', "line 2, column 15"),
    "rj": ('{"http://e/s": {"http://e/p": [{"type": "literal",\n "value" "x"}]}}', "line 2, column 10"),
    "trix": ('<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>\n<triple></graph></TriX>', "line 2, column 11"),
}


@pytest.mark.parametrize("syntax", DAMAGED)
def test_what_is_damaged_says_line_and_column(tmp_path: Path, syntax: str) -> None:
    text, place = DAMAGED[syntax]
    file = write(tmp_path, syntax, text)
    with pytest.raises(jellybridge.JellybridgeError, match=f"in.{syntax}, {place}: "):
        jellybridge.convert(file, tmp_path / "out.nq")
    assert not (tmp_path / "out.nq").exists()
    with jellybridge.Dataset.open("mem:") as dataset:
        with pytest.raises(jellybridge.JellybridgeError, match=f"in.{syntax}, {place}: "):
            dataset.load(file)
        assert len(dataset) == 0


def test_what_is_damaged_says_line_and_column_in_spark(spark: SparkSession, tmp_path: Path) -> None:
    for syntax, (text, place) in DAMAGED.items():
        file = write(tmp_path, syntax, text)
        with pytest.raises(Exception, match=f"in.{syntax}, {place}: "):
            spark.read.format("rdf").load(str(file)).collect()


@pytest.mark.parametrize("text, found", [
    ("<http://e/s> <http://e/p> 1 .\n<http://e/s> <http://e/p q> 1 .", "line 2, column 26: .*space"),
    ('<http://e/s> <http://e/p> "a"@toolonglanguage .', "line 1, column .*language"),
    ("<http://e/s> <http://e/{p}> 1 .", "line 1, column "),
])
def test_terms_that_are_none_are_refused_with_their_place(tmp_path: Path, text: str, found: str) -> None:
    with pytest.raises(jellybridge.JellybridgeError, match=f"in.ttl, {found}"):
        jellybridge.convert(write(tmp_path, "ttl", text), tmp_path / "out.nq")


def test_the_form_of_a_literal_is_not_looked_at(tmp_path: Path) -> None:
    file = write(tmp_path, "ttl", f'<http://e/s> <http://e/p> "x"^^<{XSD}integer> .')
    assert converted(file, tmp_path) == {("<http://e/s>", "<http://e/p>", f'"x"^^<{XSD}integer>')}


@pytest.mark.parametrize("syntax", DOCUMENTS)
def test_a_cut_archive_is_an_error(tmp_path: Path, syntax: str) -> None:
    (tmp_path / f"a.{syntax}.gz").write_bytes(gzip.compress(TRIPLES[syntax].encode())[:-12])
    with pytest.raises(jellybridge.JellybridgeError, match=f"a.{syntax}.gz: "):
        jellybridge.convert(tmp_path / f"a.{syntax}.gz", tmp_path / "out.nq", base=BASE)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/c.jsonld", "file:///etc/c.jsonld", "c.jsonld"])
def test_a_context_that_is_not_in_the_document_is_refused_by_name(tmp_path: Path, address: str) -> None:
    file = write(tmp_path, "jsonld", f'{{"@context": "{address}", "@id": "http://e/s", "p": 1}}')
    with pytest.raises(jellybridge.JellybridgeError, match=f"the context <.*{address.rpartition('/')[2]}>"):
        jellybridge.convert(file, tmp_path / "out.nq")
    with jellybridge.Dataset.open("mem:") as dataset:
        with pytest.raises(jellybridge.JellybridgeError, match=f"the context <.*{address.rpartition('/')[2]}>"):
            dataset.load(file)


def test_a_context_is_loaded_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "c.jsonld").write_text('{"@context": {"p": "http://e/p"}}')
    file = write(tmp_path, "jsonld", '{"@context": "c.jsonld", "@id": "http://e/s", "p": "x"}')
    assert converted(file, tmp_path, remote_contexts=True) == {("<http://e/s>", "<http://e/p>", '"x"')}
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load(file, remote_contexts=True)
        assert len(dataset) == 1


def test_no_entity_of_xml_reads_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    doctype = f'<!DOCTYPE r [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    rdf = write(tmp_path, "rdf", f"""{doctype}<rdf:RDF xmlns:rdf="{RDF}" xmlns:ex="http://e/">
        <rdf:Description rdf:about="http://e/s"><ex:p>a&e;b</ex:p></rdf:Description></rdf:RDF>""")
    with pytest.raises(jellybridge.TextFormatError, match="line 2, column .*the external entity 'e', which is not read"):
        converted(rdf, tmp_path)
    trix = write(tmp_path, "trix", doctype + TRIPLES["trix"].replace("é", "&e;"))
    with pytest.raises(jellybridge.JellybridgeError, match="line 2, column .*the external entity 'e', which is not read"):
        jellybridge.convert(trix, tmp_path / "out.nq", base=BASE)


def test_no_entity_of_xml_reads_a_file_in_spark(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    doctype = f'<!DOCTYPE r [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    file = write(tmp_path, "trix", doctype + TRIPLES["trix"].replace("é", "&e;"))
    with pytest.raises(Exception, match="[Ee]ntity"):
        spark.read.format("rdf").option("base", BASE).load(str(file)).collect()


def test_what_looks_like_something_else_is_said(tmp_path: Path) -> None:
    with pytest.raises(jellybridge.JellybridgeError, match="what looks like XML, not Turtle"):
        jellybridge.convert(write(tmp_path, "ttl", TRIPLES["rdf"]), tmp_path / "out.nq")


def test_text_that_is_not_utf_8_is_an_error_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "in.ttl").write_bytes(b'<http://e/s> <http://e/p> "\xe9" .')
    with pytest.raises(jellybridge.JellybridgeError, match="in.ttl: byte 27 is not UTF-8"):
        jellybridge.convert(tmp_path / "in.ttl", tmp_path / "out.nq")


def test_prefixes_come_into_jelly(tmp_path: Path) -> None:
    jellybridge.convert(write(tmp_path, "ttl"), tmp_path / "a.jelly")
    assert "namespaces    1" in command("inspect", tmp_path / "a.jelly").stdout


@pytest.mark.parametrize("syntax", sorted(set(DOCUMENTS) - {"n3", "trix"}))
def test_they_are_written(tmp_path: Path, syntax: str) -> None:
    out = tmp_path / f"out.{syntax}"
    jellybridge.convert(TRIPLES["nt"].encode(), out, from_format="ntriples")
    assert isomorphic(converted(out, tmp_path), EXPECTED)


def test_n3_is_only_read(tmp_path: Path) -> None:
    with pytest.raises(jellybridge.JellybridgeError, match="out.n3 is to be n3, which is read only; write turtle, trig, nquads or jelly"):
        jellybridge.convert(TRIPLES["nt"].encode(), tmp_path / "out.n3", from_format="ntriples")


def test_a_document_that_breaks_off_leaves_no_half_of_a_document_on_standard_output(tmp_path: Path) -> None:
    write(tmp_path, "ttl", "@prefix ex: <http://e/> . ex:s ex:p 1 . ex:s ex:p 2 2 .")
    done = command("convert", tmp_path / "in.ttl", "-", "--to-format", "turtle", check=False)
    assert (done.returncode, done.stdout) == (1, "")


def test_a_version_and_a_query_and_a_changed_file_are_turtle_with_prefixes(tmp_path: Path) -> None:
    old = write(tmp_path, "ttl", "@prefix ex: <http://e/> . ex:s ex:p [ ex:q 1 , (2 3) ] .", "old")
    new = write(tmp_path, "ttl", "@prefix ex: <http://e/> . ex:s ex:p [ ex:q 1 , (2 4) ] .", "new")
    log, patch, out, store = tmp_path / "log", tmp_path / "edit.jellyp", tmp_path / "out.ttl", f"tdb2:{tmp_path / 'store'}"
    command("diff", old, new, "-o", patch)
    command("log", "create", log, "--state", old)
    for words in (["log", "state", log, "-o", out], ["apply", patch, "--on", old, "-o", out]):
        command(*words)
        text = " ".join(out.read_text(encoding="utf-8").split())
        assert text.startswith("@prefix ex: <http://e/> . ex:s ex:p [ ex:q"), text
    assert command("diff", new, out, "--to-format", "rdf-patch").stdout.split() == ["TX", ".", "TC", "."]
    command("load", old, "--to", store)
    done = command("query", store, "PREFIX e: <http://e/> CONSTRUCT WHERE { ?s e:p ?o }", "--to-format", "turtle")
    assert " ".join(done.stdout.split()) == "@prefix e: <http://e/> . e:s e:p [] .", done.stderr
    done = command("query", store, "ASK {}", "--to-format", "turtle", check=False)
    assert done.returncode == 2 and "is for CONSTRUCT and DESCRIBE, and this query is ASK" in done.stderr
    done = command("apply", patch, "--on", old, "--to", store, check=False)
    assert done.returncode == 2 and "name a dataset by --to, or a file by --on with an output by -o" in done.stderr


@pytest.mark.full("long")
def test_a_large_file_is_read_in_a_small_heap(tmp_path: Path) -> None:
    megabytes = int(os.environ.get("JELLYBRIDGE_LARGE_TURTLE", "60"))
    with open(tmp_path / "large.ttl", "w", encoding="utf-8") as out:
        out.write("@prefix ex: <http://example.org/> .\n")
        number = 0
        while out.tell() < megabytes << 20:
            out.write("".join(f'ex:s{n} ex:p _:b{n} , [ ex:q "{n:0200d}"@en ] .\n' for n in range(number, number + 1000)))
            number += 1000
    done = command("convert", tmp_path / "large.ttl", tmp_path / "large.jelly", "--heap", "128m", "--json")
    assert f'"rows": {3 * number}' in done.stdout


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
    with pytest.raises(Exception, match="in.txt: 'txt' is of no RDF syntax"):
        spark.read.format("rdf").load(str(tmp_path)).count()
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
