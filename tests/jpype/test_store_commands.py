"""The commands that look at a store and change it by hand: load, dump, query, update, status."""

from __future__ import annotations

import bz2
import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional

import pandas
import pytest
from fuseki_server import FusekiServer
from terminal import shown_on_a_terminal

import jellybridge
from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, _locations, _sparql_results, convert, write_patch
from jellybridge.cli import main

#: In Turtle, with a relative IRI, a blank node, and terms of each kind.
DATA = '<s> <urn:p> "chat"@fr , "a\\tb\\n\\"c\\"" , 42 , [] , <urn:o> .\n'
NAMED = "<urn:s> <urn:p> <urn:o> <urn:g> .\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FusekiServer]:
    with FusekiServer(module=True, log=tmp_path_factory.mktemp("fuseki") / "log") as server:
        yield server


@pytest.fixture(params=["tdb2", "fuseki", "sparql"])
def dataset(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty dataset."""
    if request.param == "tdb2":
        return f"tdb2:{tmp_path / 'store'}"
    url = request.getfixturevalue("server").url
    assert main(["update", url, "DROP ALL"]) == 0
    return url if request.param == "fuseki" else f"sparql:{url}/update?query={url}/query"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(command: Any) -> Any:
    """Runs a command that ends well, and gives what it prints."""
    return lambda *arguments: command(*arguments).stdout


def put(file: str, text: str) -> str:
    path = Path.cwd() / file
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_is_loaded_is_counted_asked_for_changed_and_dumped(
    dataset: str, run: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    files = put("a.ttl", DATA), put("b.nq", NAMED)
    assert main(["load", *files, "--to", dataset]) == 0
    out, err = capfd.readouterr()
    assert out == f"{dataset}: loaded 2 files, 6 statements\n"
    assert err.startswith("jellybridge: 5 statements have `file:` IRIs") and err.count("\n") == 1
    again = json.loads(run("load", files[1], "--to", dataset, "--json", "--quiet"))
    assert again == {"target": dataset, "files": 1, "statements": 1, "bad": 0}
    assert run("query", dataset, "SELECT ?s { ?s <urn:p> 42 }") == f"?s\n<{Path(files[0]).parent.as_uri()}/s>\n"
    assert run("update", dataset, 'DELETE WHERE { ?s <urn:p> "chat"@fr }') == f"{dataset}: updated\n"
    found = json.loads(run("status", dataset, "--json"))
    assert (found["quads"], found["graphs"], found["position"]) == (5, 1, None)
    out = Path.cwd() / "out.nq"
    run("dump", dataset, "-o", str(out))
    assert NAMED in out.read_text() and len(out.read_text().splitlines()) == 5
    dumped = run("dump", dataset)
    assert sorted(dumped.splitlines()) == sorted(out.read_text().splitlines())
    assert "<urn:s>" in run("dump", dataset, "--to-format", "trig")


def test_a_dump_goes_to_standard_output_at_once(here: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run("load", put("b.nt", NAMED.replace(" <urn:g>", "")), "--graph", "urn:g", "--to", f"tdb2:{here / 'store'}")
    assert run("dump", f"tdb2:{here / 'store'}", "--graph", "urn:g", "--to-format", "ntriples") == NAMED.replace(" <urn:g>", "")
    monkeypatch.setattr(_locations, "_write_all", lambda *_: pytest.fail("it was in a file before"))
    assert run("dump", f"tdb2:{here / 'store'}") == NAMED


def test_a_dump_of_a_large_dataset_of_a_server_needs_a_small_heap(server: FusekiServer, run: Any) -> None:
    lines = "".join(f'<urn:s{n}> <urn:p> "{n:0200d}" .\n' for n in range(60_000))
    run("update", server.url, "DROP ALL")
    run("publish", put("all.nt", lines), "--to", server.url)
    done = subprocess.run([sys.executable, "-m", "jellybridge", "dump", server.url, "-o", "out.nt", "--heap", "40m"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert sorted(Path("out.nt").read_text().splitlines()) == sorted(lines.splitlines())


def test_a_version_of_a_log_answers_as_a_dataset_of_its_own(run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    log, select = str(Path.cwd() / "log"), "SELECT ?o { ?s ?p ?o }"
    with PatchLog.create(log) as made:
        for old, new in ((None, "1"), ("1", "2")):
            changes = [ChangeRow(op=op, subject="<urn:s>", predicate="<urn:p>", object=f'"{value}"')
                       for op, value in (("D", old), ("A", new)) if value]
            write_patch("p.jellyp", changes)
            made.append("p.jellyp")
    assert [run("query", log, select, "--version", str(version)) for version in (1, 2)] == ['?o\n"1"\n', '?o\n"2"\n']
    assert run("query", log, select, "--time", "0m") == '?o\n"2"\n'
    run("log", "state", log, "--time", "0m", "-o", "state.nq")
    assert Path("state.nq").read_text() == '<urn:s> <urn:p> "2" .\n'
    assert main(["query", log, select, "--version", "3"]) != 0
    assert run("query", log, select) == '?o\n"2"\n'
    for command in ("dump", "status"):
        assert main([command, log]) == 2
        assert "is a patch log and no dataset: `jellybridge query` and `log state` take it" in capfd.readouterr().err


def test_a_result_is_in_the_format_that_is_asked_for(run: Any) -> None:
    values = 'VALUES (?a ?b) { (<urn:x> "chat"@fr) (UNDEF "a,\\"b\\"\\t\\n") (5 <<( <urn:s> <urn:p> "o" )>>) }'
    select = f"SELECT ?a ?b {{ {values} }}"
    assert run("query", "mem:", select).splitlines() == [
        "?a\t?b", '<urn:x>\t"chat"@fr', '\t"a,\\"b\\"\\t\\n"',
        '"5"^^<http://www.w3.org/2001/XMLSchema#integer>\t<<( <urn:s> <urn:p> "o" )>>']
    rows = list(csv.reader(io.StringIO(run("query", "mem:", select, "--to-format", "csv"), newline="")))
    assert rows == [["a", "b"], ["urn:x", "chat"], ["", 'a,"b"\t\n'], ["5", '<<( <urn:s> <urn:p> "o" )>>']]
    found = json.loads(run("query", "mem:", select, "--to-format", "json"))
    uri = {"type": "uri", "value": "urn:x"}
    assert found["head"] == {"vars": ["a", "b"]}
    assert found["results"]["bindings"] == [
        {"a": uri, "b": {"type": "literal", "value": "chat", "xml:lang": "fr"}},
        {"b": {"type": "literal", "value": 'a,"b"\t\n'}},
        {"a": {"type": "literal", "value": "5", "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
         "b": {"type": "triple", "value": {"subject": {"type": "uri", "value": "urn:s"},
                                           "predicate": {"type": "uri", "value": "urn:p"},
                                           "object": {"type": "literal", "value": "o"}}}},
    ]
    assert run("query", "mem:", select, "--to-format", "table") == (
        'a        b\n'
        '-------  --------------------------\n'
        '<urn:x>  "chat"@fr\n'
        '         "a,\\"b\\"\\t\\n"\n'
        '5        <<( <urn:s> <urn:p> "o" )>>\n'.replace("-" * 26, "-" * 27) + "\n3 rows\n")


def test_a_file_is_queried(run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    named = put("b.nq", NAMED)
    count = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    assert run("query", named, count, "--to-format", "csv").split() == ["n", str(len(NAMED.splitlines()))]
    assert Path(named).read_text() == NAMED
    for file, fault in ((put("bad.nt", "<urn:s> <urn:p> .\n"), "line 1"), (put("a.jellyp", ""), "a.jellyp"), (put("notes", ""), "notes")):
        assert main(["query", file, "ASK {}"]) in (1, 2)
        assert fault in capfd.readouterr().err
    assert run("query", Path(named).resolve().as_uri(), count, "--to-format", "csv").split()[0] == "n"
    assert main(["update", named, "INSERT DATA { <urn:s> <urn:p> 1 }"]) == 2
    assert "this is a file: load it into one first" in capfd.readouterr().err


def test_a_file_may_be_read_with_higher_limits(here: Path, run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    long = put("long.nt", f'<urn:s> <urn:p> "{"x" * 200_000}" .\n')
    for line in (["load", long, "--to", f"tdb2:{here / 'store'}"], ["query", long, "ASK {}"]):
        assert main([*line, "--max-frame-bytes", "70000"]) == 1
        assert "a line of more than 70000 bytes; if you trust the file, raise --max-frame-bytes" in capfd.readouterr().err
        run(*line, "--max-frame-bytes", "300000")
    write_patch("large.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"')], max_name_table_size=5000)
    assert main(["patch", "squash", "large.jellyp"]) == 1
    said = "if you trust the file, make text of it first: `jellybridge convert FILE x.rdfp --max-table-size N`, or x.nq of statements"
    assert said in capfd.readouterr().err
    run("convert", "large.jellyp", str(here / "x.rdfp"), "--max-table-size", "5000")
    assert "<urn:s>" in run("patch", "squash", "x.rdfp")


def test_advice_is_for_who_reads_it(here: Path, run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    star = put("star.nt", "<< <urn:s> <urn:p> <urn:o> >> <urn:p> <urn:o> .\n")
    run("load", star, "--to", f"tdb2:{here / 'store'}")
    write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    for line, advice in (
        (["log", "create", "log", "--state", star], "by `jellybridge convert --rdf-star`"),
        (["patch", "invert", "one.jellyp", "--base", star], "by `jellybridge convert --rdf-star`"),
        (["diff", star, star], "set the option --rdf-star"),
        (["query", "mem:", "ASK { SERVICE <urn:x> {} }"], "allow it by --service;"),
        (["update", "mem:", "LOAD <urn:x>"], "allow it by --load, or load a file by `jellybridge load`;"),
        (["log", "list", "s3a://bucket/log"], "no command reads it: use Python"),
    ):
        assert main(line) != 0
        assert advice in capfd.readouterr().err
    run("convert", star, str(here / "star.jelly"), "--rdf-star")
    run("log", "create", "log", "--state", "star.jelly")


def test_a_folder_that_spark_wrote_is_one_file_of_patches_or_names_its_statements(here: Path, run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "dump").mkdir()
    (here / "patches").mkdir()
    for name in ("dump/_SUCCESS", "dump/part-0.nq.gz", "dump/part-1.nq.gz"):
        put(name, "")
    (here / "patches" / "part-0.rdfp.bz2").write_bytes(bz2.compress(b"TX .\nA <urn:s> <urn:p> <urn:o> .\nTC .\n"))
    for line in (["load", "dump", "--to", "mem:"], ["publish", "dump", "--to", "mem:"], ["cat", "dump"]):
        assert main(line) == 2
        assert f"{here}/dump is a folder of statements: name its files, such as {here}/dump/*.nq*" in capfd.readouterr().err
    with Dataset.open("mem:") as dataset:
        calls: List[Callable[[], Any]] = [lambda: dataset.load("dump"), lambda: dataset.publish("dump"), lambda: convert("dump", "all.nq")]
        for call in calls:
            with pytest.raises(ValueError, match="dump is a folder of statements: name its files"):
                call()
    assert "(+1 -0)" in run("apply", "patches", "--to", "mem:")
    write_patch("patches/part-0.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{at}"') for at in (1, 2)])
    assert "(+2 -0)" in run("apply", "patches", "--to", "mem:"), "of several forms of the patches, it is that of Jelly"
    put("patches/part-1.rdfp", "")
    assert main(["apply", "patches", "--to", "mem:"]) == 2
    assert "3 files of patches are there; name one of them" in capfd.readouterr().err
    os.remove("patches/part-0.jellyp")
    assert main(["apply", "patches", "--to", "mem:"]) == 2
    assert "2 files of patches are there; name one of them" in capfd.readouterr().err


def test_a_blank_node_in_two_files_of_a_folder_stays_one_as_advised(here: Path, run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "dump").mkdir()
    parts = ["dump/part-0.nq", "dump/part-1.nq"]
    put(parts[0], "<urn:s> <urn:address> _:a .\n")
    put(parts[1], '_:a <urn:city> "Ulm" .\n')
    assert main(["publish", "dump", "--to", "mem:"]) == 2
    assert f"join them first: `jellybridge cat {here}/dump/*.nq* -o x.nq`" in capfd.readouterr().err
    run("cat", *parts, "-o", str(here / "x.nq"))
    run("publish", "x.nq", "--to", "tdb2:published")
    run("load", *parts, "--to", "tdb2:loaded")
    for store in ("tdb2:published", "tdb2:loaded"):
        assert run("query", store, "SELECT ?city { <urn:s> <urn:address>/<urn:city> ?city }") == '?city\n"Ulm"\n'


def test_the_names_of_variables_are_there_without_a_row(run: Any) -> None:
    nothing = "SELECT ?a ?b { ?a <urn:p> ?b }"
    assert run("query", "mem:", nothing) == "?a\t?b\n"
    assert run("query", "mem:", nothing, "--to-format", "csv") == "a,b\r\n"
    assert json.loads(run("query", "mem:", nothing, "--to-format", "json")) == {"head": {"vars": ["a", "b"]}, "results": {"bindings": []}}
    assert run("query", "mem:", nothing, "--to-format", "table") == "a  b\n-  -\n\n0 rows\n"


def test_statements_and_answers_have_their_own_formats(run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("query", "mem:", "ASK {}") == "true\n"
    assert json.loads(run("query", "mem:", "ASK { ?s ?p ?o }", "--to-format", "json")) == {"head": {}, "boolean": False}
    made = "CONSTRUCT { <urn:s> <urn:p> 1 } WHERE {}"
    line = '<urn:s> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    assert run("query", "mem:", made) == run("query", "mem:", made, "--to-format", "nquads") == line
    assert "<urn:s>  <urn:p>    1\n" in run("query", "mem:", made, "--to-format", "table")
    quads = "CONSTRUCT { GRAPH <urn:g> { <urn:s> <urn:p> <urn:o> } } WHERE {}"
    assert run("query", "mem:", quads) == "<urn:s> <urn:p> <urn:o> <urn:g> .\n"
    for sparql, format, said in ((made, "json", "take ntriples, nquads or table"), ("ASK {}", "ntriples", "this query is ASK"),
                                 ("SELECT * {}", "nquads", "this query is SELECT"), (quads, "ntriples", "take nquads")):
        assert main(["query", "mem:", sparql, "--to-format", format]) == 2
        assert said in capfd.readouterr().err


def test_sparql_comes_from_an_argument_a_file_or_standard_input(run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    file = put("é.rq", 'SELECT ("é" AS ?x) {}')
    assert run("query", "mem:", "--file", file) == '?x\n"é"\n'
    for extra in (["-"], ["--file", "-"]):
        done = subprocess.run([sys.executable, "-m", "jellybridge", "query", "mem:", *extra], input="ASK {}".encode(),
                              capture_output=True, timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"true\n", b"")
    for wrong in ([], ["ASK {}", "--file", file], ["--file", "nowhere.rq"], ["--file", "https://example.org/q"], ["ASK"],
                  ["ASK {}", "--base", "urn:x"], ["ASK {}", "--from-format", "turtle"]):
        assert main(["query", "mem:", *wrong]) in (1, 2)
        assert capfd.readouterr().err.count("\n") == 1


def test_a_store_that_is_not_there_is_not_made_by_looking(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for command in (["dump"], ["query", "ASK {}"], ["status"]):
        assert main([command[0], f"tdb2:{here / 'nowhere'}", *command[1:]]) == 2
        assert "there is no TDB2 database" in capfd.readouterr().err
    assert main(["load", str(here / "no.ttl"), "--to", f"tdb2:{here / 'nowhere'}"]) == 2
    assert main(["load", "-", "--to", f"tdb2:{here / 'nowhere'}"]) == 2
    assert main(["sync", str(here / "typo"), "--to", f"tdb2:{here / 'nowhere'}"]) == 2
    assert main(["update", f"tdb2:{here / 'nowhere'}", "INSERT DATA {"]) == 1
    assert list(here.iterdir()) == []
    empty = here / "empty"
    empty.mkdir()
    assert main(["sync", str(empty), "--to", f"tdb2:{here / 'nowhere'}"]) == 1
    assert "nothing in this folder is a patch; it is empty" in capfd.readouterr().err
    assert list(here.iterdir()) == [empty]
    assert main(["sync", str(empty), "--to", f"tdb2:{here / 'nowhere'}", "--allow-empty"]) == 0


def test_a_tilde_is_the_home_folder_also_where_the_shell_leaves_it(here: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    run("load", put("a.nq", NAMED), "--to", "tdb2:~/store")
    assert (here / "store").is_dir() and not Path("~").exists()


def test_a_folder_is_smaller_after_a_compaction_and_the_same(run: Any, here: Path) -> None:
    PatchLog.create("log").close()
    append("log", 1)
    store = f"tdb2:{here / 'store'}"
    run("sync", "log", "--to", store)
    with Dataset.open(store) as dataset:
        for number in range(3):
            with dataset.capture("captured"):
                dataset.update(f"PREFIX ex: <urn:ex:> INSERT DATA {{ GRAPH ex:g{number} {{ ex:s ex:p {number}, [] }} }}")
    quads, before = run("dump", store), json.loads(run("status", store, "--json"))
    with Dataset.open(store) as dataset, dataset.capture("captured"):
        sizes = dataset.compact()
        dataset.update("INSERT DATA { <urn:s> <urn:p> 5 }")
    assert sizes[0] > sizes[1] > 0
    with PatchLog.open("captured") as log:
        assert log.head.version == 4
    run("update", store, "DELETE DATA { <urn:s> <urn:p> 5 }")
    (here / "store" / "Data-0003-tmp").mkdir()  # as a kill leaves it
    found = json.loads(run("compact", store, "--json"))
    assert found["before"] > found["after"] == sum(file.stat().st_size for file in (here / "store").rglob("*") if file.is_file())
    assert [file.name for file in (here / "store").glob("Data-*")] == ["Data-0003"]
    assert (run("dump", store), json.loads(run("status", store, "--json"))) == (quads, before)
    with PatchLog.open("log") as log:
        assert json.loads(run("status", store, "log", "--json"))["version"] == log.head.version


def test_only_a_folder_can_be_compacted(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Dataset.open("mem:") as memory, pytest.raises(JellybridgeError, match="only a TDB2 database in a folder"):
        memory.compact()
    for dataset, said in (("mem:", "is no TDB2 folder"), (f"tdb2:{here / 'nowhere'}", "there is no TDB2 database")):
        assert main(["compact", dataset]) == 2
        assert said in capfd.readouterr().err


def test_a_wrong_file_is_named_and_nothing_of_it_stays(dataset: str, run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["load", put("a.nq", NAMED), put("b.ttl", "<s> <p> ."), "--to", dataset]) == 1
    assert "b.ttl" in capfd.readouterr().err
    assert json.loads(run("status", dataset, "--json"))["quads"] == 1
    run("load", put("c.nt", "<urn:s> <urn:p> <urn:o> .\nrubbish\n"), "--to", dataset, "--bad-statements", str(Path.cwd() / "bad"))
    assert "rubbish" in Path("bad").read_text()


def test_bad_statements_of_all_files_are_kept_also_if_a_later_file_is_wrong(dataset: str, capfd: pytest.CaptureFixture[str]) -> None:
    files = [put("a.nt", "rubbish\n<urn:s> <urn:p> <urn:o> .\n"), put("b.nt", "more rubbish\n"), put("c.nt", "<urn:s> <urn:p> 'x' .\n")]
    aside = ["--to", dataset, "--bad-statements", str(Path.cwd() / "bad"), "--max-bad", "1"]
    assert main(["load", *files, *aside]) == 0
    assert "3 bad statements were set aside" in capfd.readouterr().err
    assert Path("bad").read_text().count("rubbish\n") == 2
    assert main(["load", *files, put("d.ttl", "<urn:s> <urn:p> ."), *aside]) == 1
    assert Path("bad").read_text().count("rubbish\n") == 2


@pytest.mark.parametrize("format, text", [
    ("turtle", DATA), ("trig", "<urn:g> { <urn:s> <urn:p> 1 }"), ("n3", "<urn:s> <urn:p> 1 ."), ("nquads", NAMED),
    ("rdfxml", '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:s">'
               '<p xmlns="urn:">o</p></rdf:Description></rdf:RDF>'),
    ("ntriples", "<urn:s> <urn:p> <urn:o> ."), ("jsonld", '{"@id": "urn:s", "urn:p": 1}'),
    ("rdfjson", '{"urn:s": {"urn:p": [{"value": "o", "type": "literal"}]}}'),
])
def test_a_format_may_be_said_where_the_name_does_not(run: Any, here: Path, format: str, text: str) -> None:
    said = run("load", put("data", text), "--from-format", format, "--to", f"tdb2:{here / 'store'}")
    assert "loaded 1 file" in said and " 0 statements" not in said
    written = "trig" if format == "n3" else format
    if format not in ("turtle", "ntriples", "rdfxml", "rdfjson"):
        assert run("dump", f"tdb2:{here / 'store'}", "--to-format", written)


def test_status_says_how_far_a_dataset_is_behind_its_log(dataset: str, run: Any, here: Path) -> None:
    if dataset.startswith("sparql:"):
        pytest.skip("as of a Fuseki")
    log = str(here / "log")
    with PatchLog.create(log) as made:
        for number in range(3):
            row = ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')
            write_patch("one.jellyp", [ChangeRow(op="TX"), row, ChangeRow(op="TC")])
            made.append("one.jellyp")
            if number == 0:
                run("sync", log, "--to", dataset)
    text = run("status", dataset, log)
    assert "version   1 of 3\nbehind    2 patches, the oldest from " in text and "error     none\n" in text and f"log       {log}\n" in text and "quads     1\n" in text
    run("sync", log, "--to", dataset)
    found = json.loads(run("status", dataset, log, "--json"))
    assert (found["behind"], found["quads"], found["graphs"]) == (0, 3, 0)
    assert (found["version"], found["head"], found["seconds"], found["error"]) == (3, 3, 0.0, None)
    assert found["position"].startswith("<urn:uuid:")
    figures = dict(line.rsplit(" ", 1) for line in run("status", dataset, log, "--metrics").splitlines() if line[0] != "#")
    assert figures[f'jellybridge_follower_lag_patches{{dataset="{dataset}"}}'] == "0"
    assert [name.partition("{")[0] for name, value in figures.items() if value == "3"] == [
        "jellybridge_dataset_quads", "jellybridge_follower_version", "jellybridge_follower_head"]


def append(log: str, *numbers: int, time: Optional[str] = None, has_id: bool = False) -> None:
    """Appends a patch for each number, with an id that follows from it or with another one."""
    with PatchLog.open(log) as opened:
        for number in numbers:
            id = [ChangeRow(op="H", name="id", value=f"<urn:uuid:00000000-0000-0000-0000-{number:012}>")] if has_id else []
            row = ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')
            write_patch("one.rdfp", [*id, ChangeRow(op="TX"), row, ChangeRow(op="TC")])
            opened.append("one.rdfp", time=time)


def test_what_a_log_has_beyond_another_is_fetched(run: Any, here: Path) -> None:
    PatchLog.create("old").close()
    append("old", 1, 2, 3)
    shutil.copytree("old", "new")
    assert "new has every patch of old" in run("log", "fetch", "old", "--beyond", "new", "-o", "beyond.rdfp")
    assert not Path("beyond.rdfp").exists()
    append("old", 4, 5)
    append("new", 6)
    run("log", "fetch", "old", "--beyond", "new", "-o", "beyond.rdfp")
    beyond = Path("beyond.rdfp").read_text()
    assert [f'"{number}"' in beyond for number in range(1, 7)] == [False, False, False, True, True, False]
    PatchLog.create("other").close()
    append("other", 1)
    assert main(["log", "fetch", "old", "--beyond", "other", "-o", "none.rdfp"]) == 2


def test_what_a_log_has_beyond_one_without_common_patches_is_fetched(run: Any, command: Any, here: Path) -> None:
    Path("state.nq").write_text(NAMED)
    run("log", "create", "state", "--state", "state.nq")
    PatchLog.create("empty").close()
    PatchLog.create("old").close()
    append("old", 1, 2, 3)
    for log in ("state", "empty", "old"):
        shutil.copytree(log, f"{log}-copy")
        append(log, 4, 5)
    append("old-copy", 6, 7)
    with PatchLog.open("old-copy") as pruned:
        pruned.checkpoint(3)
        pruned.prune(before=4)
        for log in ("state", "empty", "old"):
            run("log", "fetch", log, "--beyond", f"{log}-copy", "-o", f"{log}.rdfp")
            beyond = Path(f"{log}.rdfp").read_text()
            assert [number for number in range(1, 8) if f'"{number}"' in beyond] == [4, 5]
        pruned.checkpoint(4)
        pruned.prune(before=5)
    failed = command("log", "fetch", "old", "--beyond", "old-copy", "-o", "none.rdfp", check=False)
    assert failed.returncode == 2 and "is not in both any more; name the first version by --first" in failed.stderr


def test_patches_that_both_sides_of_a_fork_have_are_beyond_it(run: Any, command: Any, here: Path) -> None:
    PatchLog.create("old").close()
    append("old", 1, 2, 3, 4, 5)
    shutil.copytree("old", "new")
    append("old", 6)
    append("new", 7)
    for log in ("old", "new"):
        append(log, 8, 9, has_id=True)
    run("log", "fetch", "old", "--beyond", "new", "-o", "beyond.rdfp")
    beyond = Path("beyond.rdfp").read_text()
    assert [number for number in range(1, 10) if f'"{number}"' in beyond] == [6, 8, 9]
    [damaged] = Path("new").glob("*4.jellyp")
    damaged.write_bytes(b"x" + damaged.read_bytes()[1:])
    failed = command("log", "fetch", "old", "--beyond", "new", "-o", "none.rdfp", check=False)
    assert failed.returncode == 2 and "or name the first version by --first" in failed.stderr and not Path("none.rdfp").exists()


def test_a_difference_begins_at_a_version_or_a_time(run: Any, here: Path) -> None:
    PatchLog.create("timed").close()
    for number, time in enumerate(("2024-05-01T12:00:00Z", "2024-05-02T12:00:00Z", None), 1):
        append("timed", number, time=time)
    for places, versions in (
        (["yesterday"], (2, 3)), (["2024-05-01T12:00:00Z"], (1, 3)), (["2024-05-01", "2024-05-02"], (0, 1)), (["0"], (0, 3)),
        (["900000h", "2"], (0, 2)), (["3", "2024-05-02T13:00:00Z"], (3, 2)),
    ):
        assert run("log", "diff", "timed", *places).splitlines()[:2] == [f"--- version {versions[0]}", f"+++ version {versions[1]}"], places
    with PatchLog.open("timed") as log:
        difference = log.diff(datetime(2024, 5, 1, 12), datetime(2024, 5, 2, 15, tzinfo=timezone(timedelta(hours=3))))
        assert (difference.added, difference.old, difference.new) == (1, "version 1", "version 2")
    PatchLog.create("empty").close()
    assert "No difference." in run("log", "diff", "empty", "yesterday")
    assert main(["log", "diff", "timed", "never"]) == 2


def test_what_takes_a_version_takes_a_time(run: Any, here: Path) -> None:
    PatchLog.create("timed").close()
    for number, time in enumerate(("2024-05-01T12:00:00Z", "2024-05-02T12:00:00Z", "2024-05-03T12:00:00Z"), 1):
        append("timed", number, time=time)
    with PatchLog.open("timed") as log:
        assert (log.diff("2024-05-01", "2024-05-02T13:00:00Z").new, log.show("2024-05-03").new) == ("version 2", "version 2")
        assert log.checkpoint("2024-05-02T00:00").version == 1
        assert jellybridge.report(log, target="page.html", first="2024-05-02", last="2024-05-03").added == 1
        for call in (log.show, log.restore, log.checkpoint):
            with pytest.raises(JellybridgeError, match="nothing is known of .* at 2020"):
                call("2020-01-01")
        assert log.restore(datetime(2024, 5, 2)).changes == 2
        assert [entry.message for entry in log.entries(4, details=True)] == ["Restore version 1"]
    assert run("log", "show", "timed", "2024-05-02T13:00").startswith("version  2\n")
    assert run("log", "checkpoint", "timed", "--version", "2024-05-04").startswith("timed: checkpoint of version 3 made")
    assert run("log", "restore", "timed", "2024-05-04").startswith("timed: 2 changes; version 5")
    run("report", "timed", "--first", "2024-05-02", "--last", "2024-05-03T13:00", "-o", "page.html")
    write_patch("one.rdfp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"late"')])
    run("log", "append", "timed", "one.rdfp", "--time", "1h")
    with PatchLog.open("timed") as log:
        [last] = log.entries(log.head.version)
        assert last.time is not None and abs(datetime.now(timezone.utc) - last.time - timedelta(hours=1)) < timedelta(minutes=10)


def test_the_newest_patches_of_a_log_are_listed(run: Any, here: Path) -> None:
    PatchLog.create("timed").close()
    assert run("log", "list", "timed", "-n", "3", "--since", "1d") == ""
    for number, time in enumerate(("2024-05-01T12:00:00Z", "2024-05-02T12:00:00Z", "2024-05-03T12:00:00Z", None), 1):
        append("timed", number, time=time)
    for arguments, versions in (
        (["-n", "2"], [3, 4]), (["-n", "9"], [1, 2, 3, 4]), (["-n", "1", "--last", "3"], [3]), (["--since", "2024-05-02T12:00"], [2, 3, 4]),
        (["--since", "2024-05-02", "--last", "3", "-n", "5"], [2, 3]), (["--since", "0m"], []), (["-n", "2", "--first", "4"], [4]),
        (["--since", "2000-01-01", "--first", "3"], [3, 4]),
    ):
        assert [int(line.split("\t")[0]) for line in run("log", "list", "timed", *arguments).splitlines()] == versions, arguments
    with PatchLog.open("timed") as log:
        log.append("one.rdfp", author="Ada", headers={"ticket": "1"}, prev=log.head.id)
        log.append("one.rdfp", author="Ada")
        assert [entry.version for entry in log.entries(grep="Ada", newest=1)] == [log.head.version]
        with pytest.raises(ValueError, match="newest=0: must be at least 1"):
            log.entries(newest=0)


def test_patches_and_states_of_a_log_go_to_standard_output(run: Any, command: Any, here: Path) -> None:
    PatchLog.create("log").close()
    append("log", 1, 2)
    run("log", "fetch", "log", "-o", "all.rdfp")
    assert run("log", "fetch", "log") == run("log", "fetch", "log", "-o", "-", "--quiet") == Path("all.rdfp").read_text()
    done = command("log", "state", "log", "--json", "--version", "1")
    assert done.stdout == '<urn:s> <urn:p> "1" .\n' and json.loads(done.stderr)["quads"] == 1
    assert "<urn:s>" in run("log", "state", "log", "--to-format", "turtle")
    done = command("log", "fetch", "log", "--beyond", "log")
    assert done.stdout == "" and "log has every patch of log" in done.stderr
    assert command("log", "state", "log", "--to-format", "rdf-patch", check=False).returncode == 2
    assert command("log", "state", "log", "--to-format", "trig", "-o", "x.nq", check=False).returncode == 2


def test_a_sync_ends_at_a_version(here: Path) -> None:
    PatchLog.create("log").close()
    append("log", 1, 2, 3, 4)
    with PatchLog.open("log") as log, Dataset.open("mem:") as dataset:
        for until, version in (("0", 0), ("2", 2), ("2", 2), ("1", 2), (3, 3)):
            assert dataset.sync("log", until=until).version == version
        with pytest.raises(JellybridgeError, match="until=5 is neither the id nor the name of a patch .*, nor its version"):
            dataset.sync("log", until="5")
        log.checkpoint(2)
        log.prune(before=3)
        with Dataset.open("mem:") as other:
            report = other.sync("log", until="3")
            assert (report.checkpoint, report.version) == (2, 3)


def test_a_wrong_clock_of_the_first_patch_moves_no_difference(here: Path) -> None:
    PatchLog.create("timed").close()
    for number, time in enumerate(("2099-01-01T00:00:00Z", "2024-05-01T12:00:00Z", "2024-05-02T12:00:00Z"), 1):
        append("timed", number, time=time)
    with PatchLog.open("timed") as log:
        assert [log.diff(datetime(2024, 5, day)).old for day in (1, 2, 3)] == ["version 0", "version 2", "version 3"]


def test_a_table_fits_the_terminal() -> None:
    rows = [["<urn:" + "x" * 100 + ">", '"short"'], ['"漢字"', '"' + "y" * 1_000_000 + '"'], ['"\x1b[2J"', None]]
    shown = "".join(_sparql_results.lines({"vars": ["a", "b"], "rows": rows}, "table", 60)).splitlines()
    assert all(_sparql_results._width(line) <= 60 for line in shown)
    assert "…" in shown[2] and "\x1b" not in shown[4] and shown[-1] == "3 rows"
    many = {"vars": [f"v{n}" for n in range(100)], "rows": [['"long enough"'] * 100]}
    assert len(list(_sparql_results.lines(many, "table", 60))) == 4


def test_a_table_is_printed_on_a_terminal() -> None:
    status, seen = shown_on_a_terminal([sys.executable, "-m", "jellybridge", "query", "mem:", "SELECT (1 AS ?n) {}"], "stdout")
    assert status == 0
    assert seen.decode().split() == ["n", "-", "1", "1", "row"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc for the JVM")
def test_an_interrupt_ends_a_query_at_once(here: Path) -> None:
    with Dataset.open(f"tdb2:{here / 'store'}") as dataset:
        dataset.update("INSERT DATA { " + " ".join(f"<urn:{n}> <urn:p> <urn:o> ." for n in range(300)) + " }")
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    process = subprocess.Popen([sys.executable, "-m", "jellybridge", "query", f"tdb2:{here / 'store'}", endless],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while "libjvm" not in Path(f"/proc/{process.pid}/maps").read_text() and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, (b"", b"jellybridge: interrupted\n"))


def test_what_is_done_is_logged_where_that_is_asked_for() -> None:
    for flags, level, trace in (([], "", False), (["-v"], "INFO", False), (["-vv"], "INFO", True)):
        done = subprocess.run([sys.executable, "-m", "jellybridge", "query", "mem:", "ASK", *flags], capture_output=True,
                              text=True, timeout=120)
        assert done.returncode == 1 and ("jellybridge._doors: Java" in done.stderr) == bool(level)
        assert level in done.stderr and ("Traceback" in done.stderr) == trace
        assert done.stderr.splitlines()[-1].startswith("jellybridge: ")


def test_each_query_has_its_time(run: Any, capfd: pytest.CaptureFixture[str]) -> None:
    many: List[str] = ["query", "mem:", "SELECT (COUNT(*) AS ?n) { " + " ".join(
        f"VALUES ?v{n} {{ {' '.join(map(str, range(100)))} }}" for n in range(5)) + " }"]
    assert main([*many, "--timeout", "0.2"]) == 1
    assert capfd.readouterr().err.count("\n") == 1
    assert main([*many, "--timeout", "-1"]) == 2
    assert main(["query", "mem:", "SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }"]) in (1, 2)
    assert "service" in capfd.readouterr().err


XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize("terms, dtype, values", [
    (["3", "-4"], "int64", [3, -4]),
    (["3", "UNDEF"], "Int64", [3, None]),
    (["'18446744073709551616'^^xsd:integer", "UNDEF"], "object", [1 << 64, None]),
    (["'7'^^xsd:unsignedByte"], "int64", [7]),
    (["1.50", "2e3", "'INF'^^xsd:float", "4"], "float64", [1.5, 2000.0, float("inf"), 4.0]),
    (["true", "false"], "bool", [True, False]),
    (["true", "UNDEF"], "boolean", [True, None]),
    (["'a\\nb'@en", "'x'", "<urn:o>", "'2026-11-26'^^xsd:date"], None, ["a\nb", "x", "<urn:o>", "2026-11-26"]),
    (["'many'^^xsd:integer", "'1_0'^^xsd:double", "'yes'^^xsd:boolean"], None, ["many", "1_0", "yes"]),
    (["'" + "9" * 5000 + "'^^xsd:integer"], None, ["9" * 5000]),
    ([], None, []),
])
def test_a_result_is_a_frame_of_values(terms: List[str], dtype: Any, values: List[Any]) -> None:
    with Dataset.open("mem:") as dataset:
        query = f"PREFIX xsd: <{XSD}> SELECT ?value ?none {{ VALUES ?value {{ {' '.join(terms)} }} }}"
        frame = dataset.select(query).to_pandas()
        assert list(frame.columns) == ["value", "none"] and len(frame) == len(values)
        assert dtype is None or frame.value.dtype == dtype
        assert [None if pandas.isna(each) else each for each in frame.value] == values
        assert len(dataset.select("SELECT * {}").to_pandas()) == 1
