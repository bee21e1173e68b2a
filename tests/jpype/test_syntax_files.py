"""Every RDF syntax, in Python without Spark and on the command line: the same graph in each gives the same quads."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from syntaxes import BASE, DAMAGED, DOCUMENTS, EXPECTED, RDF, TRIPLES, XSD, converted, isomorphic, terms, write

import jellybridge


def process(*arguments: object, check: bool = True, **how: Any) -> subprocess.CompletedProcess[str]:
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


@pytest.mark.parametrize("old, new", [("ttl", "rdf"), ("jsonld", "trig"), ("nt", "trix")])
def test_diff_compares_snapshots_of_two_syntaxes(tmp_path: Path, old: str, new: str, command: Any) -> None:
    command("diff", write(tmp_path, old), write(tmp_path, new), "--base", BASE, "-o", tmp_path / "d.jellyp")
    rows = list(jellybridge.read_patch(tmp_path / "d.jellyp"))
    changed = [row for row in rows if row.op in "AD"]
    assert changed == []
    done = command("diff", tmp_path / f"in.{old}", tmp_path / f"in.{new}", "--base", BASE, "--blank-nodes", "label", "-o", tmp_path / "d.jellyp")
    changed = [row for row in jellybridge.read_patch(tmp_path / "d.jellyp") if row.op in "AD"]
    # The three about blank nodes, which are of their documents.
    assert len(changed) == 6 and all("_:" in f"{row.subject}{row.object}" for row in changed) and done.stderr == ""


def test_a_difference_of_documents_is_by_structure_and_applies_to_what_was_published_of_the_old_one(tmp_path: Path, command: Any) -> None:
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
def test_cat_inspect_and_validate_read_it(tmp_path: Path, syntax: str, command: Any) -> None:
    file = write(tmp_path, syntax)
    lines = command("cat", file, "--base", BASE).stdout.splitlines()
    assert isomorphic({terms(line) for line in lines}, EXPECTED)
    assert "statements    6" in command("inspect", file).stdout
    assert command("validate", file, "--base", BASE).stdout.endswith("valid; 6 statements\n")


def test_a_pipe_is_read_where_its_format_is_named(tmp_path: Path) -> None:
    lines = process("cat", "-", "--from-format", "turtle", "--base", BASE, input=TRIPLES["ttl"]).stdout.splitlines()
    assert isomorphic({terms(line) for line in lines}, EXPECTED)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", f"cat > '{tmp_path}/pipe'"], stdin=subprocess.PIPE) as writer:
        assert writer.stdin is not None
        writer.stdin.write(TRIPLES["jsonld"].encode())
        writer.stdin.close()
        lines = process("cat", tmp_path / "pipe", "--from-format", "jsonld", "--base", BASE).stdout.splitlines()
    assert isomorphic({terms(line) for line in lines}, EXPECTED)


@pytest.mark.parametrize("syntax, text", [("turtle", "<a> <b> <c> ."), ("jsonld", '{"@id": "a", "http://e/p": 1}')])
def test_a_relative_iri_without_a_base_is_an_error(tmp_path: Path, syntax: str, text: str) -> None:
    done = process("cat", "-", "--from-format", syntax, input=text, check=False)
    assert done.returncode == 1 and "elative IRI" in done.stderr
    with pytest.raises(jellybridge.JellybridgeError, match="elative IRI"):
        jellybridge.convert(text.encode(), tmp_path / "out.nq", from_format=syntax)


def test_blank_nodes_of_a_first_state_have_the_labels_that_a_difference_gives_them(tmp_path: Path) -> None:
    (tmp_path / "old.ttl").write_text("<s> <p> [ <q> 1 ] .")
    (tmp_path / "new.ttl").write_text("<s> <p> [ <q> 2 ; <r> 3 ] .")
    change = jellybridge.diff(tmp_path / "old.ttl", tmp_path / "new.ttl", base=BASE)
    with jellybridge.PatchLog.create(tmp_path / "log", state=tmp_path / "old.ttl", base=BASE) as log:
        log.append(change)
        log.state(tmp_path / "state.nq")
    assert jellybridge.diff(tmp_path / "state.nq", tmp_path / "new.ttl", base=BASE).changed is False


@pytest.mark.parametrize("name, text", [
    ("a.ttl", "<a> <http://e/p> <b> ."), ("a.trig", "<http://e/g> { <#a> <http://e/p> 1 }"),
    ("a.rdf", f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/"><e:C rdf:about=""/></rdf:RDF>'),
    ("a.jsonld", '{"@id": "a", "http://e/p": 1}'),
])
def test_an_iri_that_came_from_where_a_file_is_is_refused_of_snapshots_and_warned_of(tmp_path: Path, name: str, text: str, command: Any) -> None:
    file = tmp_path / name
    file.write_text(text)
    for arguments in (["publish", file, "--to", "mem:"], ["diff", file, file], ["report", file, file, "-o", tmp_path / "page.html"],
                      ["log", "create", tmp_path / "log", "--state", file]):
        refused = command(*arguments, check=False)
        assert refused.returncode == 1 and "name a base, by base (--base) or in the document" in refused.stderr, refused
        assert command(*arguments, "--base", BASE).stderr == ""
    refused = command("patch", "merge", file, file, file, check=False)
    assert "name a base in the document, or make N-Quads of it first by `jellybridge convert FILE x.nq --base IRI`" in refused.stderr, refused
    command("log", "create", tmp_path / "other", "--state", file, "--base", "file:///export/a")
    for log, base in (("log", BASE), ("other", "file:///export/a")):
        command("log", "state", tmp_path / log, "-o", tmp_path / "state.nq")
        assert jellybridge.diff(tmp_path / "state.nq", file, base=base).changed is False
    assert "1 statements have `file:` IRIs" in command("convert", file, tmp_path / "out.nq").stderr
    assert command("convert", file, tmp_path / "out.nq", "--base", BASE).stderr == ""
    with jellybridge.Dataset.open("mem:") as dataset, pytest.warns(UserWarning, match="1 statements have `file:` IRIs"):
        dataset.load(file)


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


def test_what_looks_like_something_else_is_said(tmp_path: Path) -> None:
    with pytest.raises(jellybridge.JellybridgeError, match="what looks like XML, not Turtle"):
        jellybridge.convert(write(tmp_path, "ttl", TRIPLES["rdf"]), tmp_path / "out.nq")


def test_text_that_is_not_utf_8_is_an_error_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "in.ttl").write_bytes(b'<http://e/s> <http://e/p> "\xe9" .')
    with pytest.raises(jellybridge.JellybridgeError, match="in.ttl: byte 27 is not UTF-8"):
        jellybridge.convert(tmp_path / "in.ttl", tmp_path / "out.nq")


def test_prefixes_come_into_jelly(tmp_path: Path, command: Any) -> None:
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


def test_a_document_that_breaks_off_leaves_no_half_of_a_document_on_standard_output(tmp_path: Path, command: Any) -> None:
    write(tmp_path, "ttl", "@prefix ex: <http://e/> . ex:s ex:p 1 . ex:s ex:p 2 2 .")
    done = command("convert", tmp_path / "in.ttl", "-", "--to-format", "turtle", check=False)
    assert (done.returncode, done.stdout) == (1, "")


def test_a_version_and_a_query_and_a_changed_file_are_turtle_with_prefixes(tmp_path: Path, command: Any) -> None:
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
    done = process("convert", tmp_path / "large.ttl", tmp_path / "large.jelly", "--heap", "128m", "--json")
    assert f'"rows": {3 * number}' in done.stdout
