"""Differences as people read them, and the history of a log, on the command line and in Python without Spark."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import List

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from terminal import shown_on_a_terminal  # noqa: E402

import jellybridge  # noqa: E402
from jellybridge import ChangeRow, JellybridgeError, PatchLog  # noqa: E402
from jellybridge.cli import main  # noqa: E402

PREFIX = "PREFIX ex: <https://example.org/> "
OLD = PREFIX + "ex:tea ex:color 'green' ; ex:parts ( ex:leaf ) ."
NEW = PREFIX + "ex:tea ex:color 'black' ; ex:parts ( ex:leaf ex:water ) ."
BODY = """\
  ex:tea
-     ex:color  "green"
+     ex:color  "black"
-     ex:parts  ( ex:leaf )
+     ex:parts  ( ex:leaf ex:water )
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.ttl").write_text(OLD)
    Path("new.ttl").write_text(NEW)


def test_a_terminal_shows_what_changed_and_a_pipe_gets_a_patch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    command = [sys.executable, "-m", "jellybridge", "diff", "old.ttl", "new.ttl"]
    status, shown = shown_on_a_terminal(command, "stdout")
    assert status == 0
    assert b'\x1b[32m+     ex:color  "\x1b[7mblack\x1b[27m"' in shown or b'\x1b[32m+     ex:color  "black"' in shown
    piped = subprocess.run(command, capture_output=True, text=True)
    assert piped.stdout.startswith("TX .\n")
    assert "compared by structure" in piped.stderr


def test_the_formats_are_text_markdown_and_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "old.ttl", "new.ttl", "--format", "text"]) == 0
    assert BODY in capfd.readouterr().out
    assert main(["diff", "old.ttl", "new.ttl", "--format", "markdown", "-o", "d.md", "--json"]) == 0
    assert f"```diff\n{BODY.partition(chr(10))[2]}```" in Path("d.md").read_text()
    assert json.loads(capfd.readouterr().out) == {"old": "old.ttl", "new": "new.ttl", "output": "d.md", "deleted": 2, "added": 4}
    assert main(["diff", "old.ttl", "new.ttl", "--format", "json", "--prefix", "e=https://example.org/"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [subject["name"] for subject in found["subjects"]] == ["e:tea"]
    assert main(["diff", "old.ttl", "new.ttl", "--stat", "--color", "always"]) == 0
    assert "\x1b[1mpredicate" in capfd.readouterr().out
    for wrong in (["--format", "text", "--to-format", "rdf-patch"], ["--stat", "--format", "patch"], ["--format", "odd"],
                  ["--format", "text", "--prefix", "e"]):
        assert main(["diff", "old.ttl", "new.ttl", *wrong]) == 2


def test_the_exit_code_says_whether_there_is_a_difference(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "old.ttl", "new.ttl", "--exit-code"]) == 1
    assert main(["diff", "old.ttl", "old.ttl", "--exit-code", "--format", "text"]) == 0
    Path("bad.ttl").write_text("<urn:a> <urn:b> .")
    assert main(["diff", "old.ttl", "bad.ttl", "--exit-code"]) == 2
    assert main(["diff", "old.ttl", "bad.ttl"]) == 1
    assert "No difference." in capfd.readouterr().out


def test_git_names_the_null_device_for_a_file_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "/dev/null", "new.ttl", "--format", "text"]) == 0
    assert "+ ex:tea\n" in capfd.readouterr().out
    assert main(["diff", "old.ttl", "/dev/null", "--format", "text"]) == 0
    assert capfd.readouterr().out.startswith("--- old.ttl\n+++ /dev/null\n    prefix ex: <https://example.org/>\n\n- ex:tea\n")


def test_git_names_the_sides_and_says_that_a_pager_shows_colors(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_PAGER_IN_USE", "true")
    assert main(["diff", "old.ttl", "new.ttl", "--format", "text", "--label", "a/tea.ttl", "--label", "b/tea.ttl"]) == 0
    assert capfd.readouterr().out.startswith("\x1b[1m--- a/tea.ttl\x1b[0m\n\x1b[1m+++ b/tea.ttl\x1b[0m\n")
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["diff", "old.ttl", "new.ttl", "--format", "text", "--label", "a"]) == 0
    assert capfd.readouterr().out.startswith("--- a\n+++ new.ttl\n")
    assert main(["diff", "old.ttl", "new.ttl", "--format", "text", *["--label", "a"] * 3]) == 2


def test_a_notebook_shows_the_first_lines_of_a_large_difference_in_columns(tmp_path: Path) -> None:
    (tmp_path / "new.nt").write_text("".join(f"<urn:s> <urn:p> <urn:{number}> .\n" for number in range(600)))
    (tmp_path / "old.nt").touch()
    shown = jellybridge.diff(tmp_path / "old.nt", tmp_path / "new.nt")._repr_html_()
    assert shown.startswith('<pre class="jellybridge" style="font-family:monospace">') and shown.count("\n") == 499
    assert re.search(r"</pre><p>1\d\d more lines: print\(\) shows them\.</p>$", shown)


def test_the_suffix_of_the_output_says_for_whom_it_is(capfd: pytest.CaptureFixture[str]) -> None:
    difference = jellybridge.diff("old.ttl", "new.ttl")
    for name in ("a.md", "a.txt", "a.json", "a.diff"):
        assert main(["diff", "old.ttl", "new.ttl", "-o", name]) == 0
        difference.write("b" + name[1:])
        assert Path(name).read_text() == Path("b" + name[1:]).read_text()
    for name in ("stat.md", "stat"):
        assert main(["diff", "old.ttl", "new.ttl", "--stat", "-o", name]) == 0
    assert "| predicate |" in Path("stat.md").read_text() and "\npredicate " in Path("stat").read_text()
    capfd.readouterr()
    said = r"a.csv: the suffix names no format; .*; for people, \.txt, \.diff, \.md, \.json; to_pandas\(\) in Python"
    assert main(["diff", "old.ttl", "new.ttl", "-o", "a.csv"]) == 2
    assert re.search(said, capfd.readouterr().err)
    with pytest.raises(jellybridge.JellybridgeError, match=said):
        difference.write("a.csv")
    with open("c", "w+b") as unnamed:
        difference.write(unnamed, format="markdown")
    assert Path("c").read_text() == Path("a.md").read_text() and not Path("a.csv").exists()


def test_python_compares_files_bytes_and_datasets() -> None:
    difference = jellybridge.diff("old.ttl", "new.ttl")
    assert (difference.added, difference.deleted, difference.changed, difference.unsettled) == (4, 2, True, 0)
    assert BODY in str(difference) and "ex:tea" in difference._repr_html_()
    assert [row.op for row in difference] == ["TX", "D", "D", "A", "A", "A", "A", "TC"]
    assert difference.to_arrow().read_all().num_rows == 8 == len(difference.to_pandas())
    for name in ("d.md", "d.txt", "d.json", "d.jellyp", "d.rdfp"):
        difference.write(name)
    assert Path("d.md").read_text().startswith("# Changes from `old.ttl` to `new.ttl`")
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load("old.ttl")
        assert jellybridge.diff(dataset, Path("new.ttl").read_bytes(), format="turtle").deleted == 2
        assert not jellybridge.diff(dataset, dataset, blank_nodes="label").changed
    assert not jellybridge.diff("old.ttl", "old.ttl").changed
    with pytest.raises(ValueError, match="must be one of text, markdown, json"):
        difference.to_text("html")
    with pytest.raises(FileNotFoundError, match="nowhere.ttl"):
        jellybridge.diff("old.ttl", "nowhere.ttl")


ZOO = """PREFIX zoo: <urn:zoo#> PREFIX owl: <http://www.w3.org/2002/07/owl#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
zoo:Lion a owl:Class ; rdfs:label "lion"@en ; rdfs:comment "The king." ;
    rdfs:subClassOf [ a owl:Restriction ; owl:onProperty zoo:eats ; owl:someValuesFrom zoo:Gazelle ] .
zoo:Pet a owl:Class ; rdfs:label "pet"@en ; owl:unionOf ( zoo:Lion zoo:Gazelle ) .
zoo:eats a owl:ObjectProperty .
zoo:leo a zoo:Lion ; rdfs:label "Leo" ; zoo:born "2019-05-01"^^xsd:date .
"""


@pytest.mark.parametrize("old, new, shown", [
    ('"lion"@en', '"African lion"@en',
     '  zoo:Lion  "African lion"  a owl:Class\n-     rdfs:label  "lion"@en\n+     rdfs:label  "African lion"@en'),
    ("zoo:Pet a", "zoo:Tiger a owl:Class . zoo:Pet a", "+ zoo:Tiger\n+     a  owl:Class"),
    ("zoo:eats a owl:ObjectProperty .", "", "- zoo:eats\n-     a  owl:ObjectProperty"),
    ("( zoo:Lion zoo:Gazelle )", "( zoo:Lion zoo:Zebra zoo:Gazelle )",
     "  zoo:Pet  a owl:Class\n-     owl:unionOf  ( zoo:Lion zoo:Gazelle )\n+     owl:unionOf  ( zoo:Lion zoo:Zebra zoo:Gazelle )"),
    ("owl:someValuesFrom zoo:Gazelle", "owl:allValuesFrom zoo:Gazelle",
     "  zoo:Lion  a owl:Class\n"
     "-     rdfs:subClassOf  [ a owl:Restriction ; owl:onProperty zoo:eats ; owl:someValuesFrom zoo:Gazelle ]\n"
     "+     rdfs:subClassOf  [ a owl:Restriction ; owl:onProperty zoo:eats ; owl:allValuesFrom zoo:Gazelle ]"),
    ('"Leo"', '"Leo"@de', '  zoo:leo  a zoo:Lion\n-     rdfs:label  "Leo"\n+     rdfs:label  "Leo"@de'),
    ("zoo:leo a zoo:Lion", "zoo:leo a zoo:Loin", "  zoo:leo  a zoo:Loin\n-     a  zoo:Lion\n+     a  zoo:Loin"),
    ("zoo:", "z:", ""),
    ('rdfs:comment "The king." ;\n', '# The king.\n', '  zoo:Lion  a owl:Class\n-     rdfs:comment  "The king."'),
    ('"2019-05-01"^^xsd:date', '"2019"^^xsd:gYear',
     '  zoo:leo  a zoo:Lion\n-     zoo:born  "2019-05-01"^^xsd:date\n+     zoo:born  "2019"^^xsd:gYear'),
], ids=["label", "class", "property", "list", "blank", "language", "typo", "prefix", "statement", "datatype"])
def test_an_edit_reads_as_its_editor_would_say_it(old: str, new: str, shown: str) -> None:
    Path("zoo.ttl").write_text(ZOO)
    Path("edited.ttl").write_text(ZOO.replace(old, new))
    _, *parts = str(jellybridge.diff("zoo.ttl", "edited.ttl")).split("\n\n")
    assert "\n\n".join(parts[:-1]) == shown


# --- logs


def change(op: str, value: str) -> ChangeRow:
    return ChangeRow(op=op, subject="<urn:s>", predicate="<urn:p>", object=f'"{value}"')  # type: ignore[arg-type]


def appended(log: PatchLog, author: str, message: str, *rows: ChangeRow) -> None:
    jellybridge.write_patch("patch.jellyp", rows)
    log.append("patch.jellyp", author=author, message=message)


@pytest.fixture
def log() -> str:
    with PatchLog.create("log") as log:
        appended(log, "Ada", "First", change("A", "1"), ChangeRow(op="A", subject="<urn:t>", predicate="<urn:q>", object="_:b"))
        appended(log, "Bob", 'A "better"\nvalue', ChangeRow(op="TX"), change("D", "1"), change("A", "2"), ChangeRow(op="TC"),
                 ChangeRow(op="TX"), change("A", "no"), ChangeRow(op="TA"))
    return "log"


def run(capfd: pytest.CaptureFixture[str], *line: str) -> str:
    capfd.readouterr()
    assert main(["log", *line]) == 0, capfd.readouterr().err
    return capfd.readouterr().out


def test_a_list_says_who_changed_how_much_and_why(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [line.split("\t")[4:] for line in run(capfd, "list", log).splitlines()]
    assert lines == [["+2", "-0", "Ada", "First"], ["+1", "-1", "Bob", 'A "better" value']]
    [found] = [json.loads(line) for line in run(capfd, "list", log, "--grep", "b.tter", "--json").splitlines()]
    assert (found["version"], found["author"], found["message"], found["added"]) == (2, "Bob", 'A "better"\nvalue', 1)
    assert main(["log", "list", log, "--grep", "("]) == 2
    with PatchLog.open(log) as opened:
        assert [entry.author for entry in opened.entries()] == [None, None]
        assert str(next(opened.entries(2, details=True))).endswith('+1 -1, Bob, A "better"\nvalue')


def test_an_append_that_is_repeated_with_its_author_appends_nothing(log: str) -> None:
    with PatchLog.open(log) as opened:
        appended(opened, "Eve", "Once", change("A", "3"))
        appended(opened, "Eve", "Once", change("A", "3"))
        assert opened.head.version == 3


def test_a_patch_has_own_headers_beside_its_author(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "append", log, "patch.jellyp", "--author", "Eve", "--header", "ticket=ABC-12", "--header", "review.by=A=B \"c\""]) == 0
    own = {"ticket": "ABC-12", "review.by": 'A=B "c"'}
    [found] = [json.loads(line) for line in run(capfd, "list", log, "--grep", "^ticket=ABC", "--json").splitlines()]
    assert (found["version"], found["author"], found["headers"]) == (3, "Eve", own)
    assert 'ticket   ABC-12\nreview.by A=B "c"\n' in run(capfd, "show", log, "3")
    run(capfd, "revert", log, "2", "--header", "ticket=ABC-13")
    run(capfd, "restore", log, "0", "--header", "ticket=ABC-14")
    with PatchLog.open(log) as opened:
        entries = list(opened.entries(details=True))
        assert [entry.headers.get("ticket") for entry in entries] == [None, None, "ABC-12", "ABC-13", "ABC-14"]
        assert str(entries[2]).endswith(', Eve, ticket=ABC-12, review.by=A=B "c"') and hash(entries[2])
        with jellybridge.Dataset.open("mem:") as dataset:
            dataset.sync(log)
            dataset.publish("new.ttl", log=log, headers={"ticket": "ABC-15"})
        assert next(opened.entries(6, details=True)).headers == {"ticket": "ABC-15"}
        opened.append("patch.jellyp", headers=own)
        assert opened.append("patch.jellyp", headers=own)[0].version == 7  # a repeated one is known by its headers too


@pytest.mark.parametrize("name", ["id", "prev", "chain", "lost", "primary", "time", "author", "Message", "", "a b", "a\n", "-a", "ü"])
def test_a_header_that_the_log_uses_or_that_is_no_name_is_refused(log: str, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "append", log, "patch.jellyp", "--header", f"{name}=x"]) == 2
    assert "header" in capfd.readouterr().err
    with PatchLog.open(log) as opened, jellybridge.Dataset.open("mem:") as dataset:
        for refused in (lambda: opened.append("patch.jellyp", headers={name: "x"}), lambda: opened.revert(1, headers={name: "x"}),
                        lambda: dataset.capture("captured", headers={name: "x"}),
                        lambda: dataset.publish("new.ttl", log=log, headers={name: "x"})):
            with pytest.raises(ValueError, match="header"):
                refused()
        assert opened.head.version == 2
    assert not Path("captured").exists()


def test_a_header_has_a_value_and_is_given_once(log: str) -> None:
    for wrong in (["--header", "ticket"], ["--header", "t=1", "--header", "t=2"]):
        assert main(["log", "append", log, "patch.jellyp", *wrong]) == 2
    with PatchLog.open(log) as opened, pytest.raises(ValueError, match="must be text"):
        opened.append("patch.jellyp", headers={"ticket": 12})  # type: ignore[dict-item]
    assert main(["publish", "old.ttl", "--to", "mem:", "--header", "a=b"]) == 2


def test_a_capture_writes_headers_into_each_patch() -> None:
    with jellybridge.Dataset.open("mem:") as dataset:
        with dataset.capture("captured", author="Ada", message="Nightly", headers={"job": "42"}):
            for number in (1, 2):
                dataset.update(f"INSERT DATA {{ <urn:s> <urn:p> {number} }}")
    with PatchLog.open("captured") as captured:
        assert captured.verify(progress=False).ok
        assert [(each.author, each.message, each.headers) for each in captured.entries(details=True)] == [("Ada", "Nightly", {"job": "42"})] * 2


def test_a_version_is_shown_by_subject(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    shown = run(capfd, "show", log, "2")
    assert 'author   Bob\nmessage  A "better"\n         value\n' in shown and run(capfd, "show", log) == shown
    assert '--- version 1\n+++ version 2\n\n  <urn:s>\n-     <urn:p>  "1"\n+     <urn:p>  "2"\n' in shown
    assert "2 statements added, 0 deleted." in run(capfd, "diff", log, "0", "2", "--stat")
    assert json.loads(run(capfd, "diff", log, "2", "1", "--json"))["added"] == 1
    assert json.loads(run(capfd, "show", log, "2", "--json"))["added"] == 1
    with PatchLog.open(log) as opened:
        assert [row.op for row in opened.show(1)] == ["TX", "A", "A", "TC"]
        for wrong in (lambda: opened.show(3), lambda: opened.diff(0, 9)):
            with pytest.raises(JellybridgeError, match="no version"):
                wrong()
        for low in (lambda: opened.show(0), lambda: opened.diff(-1), lambda: opened.revert(0)):
            with pytest.raises(ValueError, match="must be at least"):
                low()


def test_a_history_is_of_a_subject_a_predicate_or_a_quad(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [line.split("\t") for line in run(capfd, "history", log, "--subject", "urn:s").splitlines()]
    assert [(line[0], line[2], line[5]) for line in lines] == [("1", "A", '"1"'), ("2", "D", '"1"'), ("2", "A", '"2"')]
    assert len(run(capfd, "history", log, "--predicate", "<urn:q>", "--since", "yesterday", "--json").splitlines()) == 1
    assert main(["log", "history", log]) == 2
    now = datetime.now(timezone.utc)
    with PatchLog.open(log) as opened:
        [row] = opened.history(quad=["urn:s", "urn:p", '"2"', None])
        assert row.version == 2 and row.time is not None and abs(now - row.time) < timedelta(minutes=5)
        table = opened.history(subject="urn:s").to_arrow().read_all()
        assert table.column_names == ["version", "time", "op", "subject", "predicate", "object", "graph"]
        assert (table["version"].to_pylist(), table["time"].to_pylist()[1]) == ([1, 2, 2], row.time)
        assert list(opened.history(subject="urn:s", since=now + timedelta(days=1))) == []
        for wrong in ({}, {"subject": "urn:s", "quad": ["urn:s", "urn:p", "urn:o"]}, {"subject": "s"}, {"quad": ["urn:s"]}):
            with pytest.raises(ValueError):
                opened.history(**wrong)


def test_a_history_without_an_operation_says_so(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    for wanted, said in ((("--subject", "schema:Product"), "<https://schema.org/Product>"), (("--subject", "zoo:Lion"), "zoo:Lion"),
                         (("--subject", "urn:s", "--predicate", "urn:none", "--json"), "<urn:s> and <urn:none>")):
        assert main(["log", "history", log, *wanted]) == 0
        told = capfd.readouterr()
        assert told.out == ""
        assert told.err == (f"jellybridge: {log}: no operation with {said}; an IRI must be complete, or begin with a prefix of the "
                            "log or --prefix\n")
    assert main(["log", "history", log, "--subject", "urn:s"]) == 0
    assert capfd.readouterr().err == ""


def test_a_history_says_which_versions_it_lacks(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    with PatchLog.open(log) as opened:
        appended(opened, "Ada", "Third", change("A", "3"))
        opened.checkpoint(2, progress=None)
        opened.prune(before=3)
    lacks = "versions 1 to 2 have no patch, but a checkpoint; `jellybridge log state` writes it"
    later = ["urn:s", "--since", "2999-01-01T00:00:00Z"]
    for wanted, said in ((["urn:s"], [lacks]), (["urn:t"], [lacks, "no operation with <urn:t>; an IRI must be"]),
                         (later, ["no operation with <urn:s> since 2999-01-01T00:00:00.000Z; leave --since out for earlier ones"])):
        assert main(["log", "history", log, "--subject", *wanted]) == 0
        lines = capfd.readouterr().err.splitlines()
        assert len(lines) == len(said) and all(part in line for part, line in zip(said, lines)), lines


def test_a_history_expands_prefixes_of_the_log_and_of_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, patch = str(tmp_path / "log"), tmp_path / "p.rdfp"
    assert main(["log", "create", log]) == 0
    # The log's own prefixes come before well-known ones, the last namespace counts, and an aborted transaction changes nothing.
    for number, lines in enumerate((
        'TX .\nPA "zoo" <urn:old:> .\nPA "schema" <urn:my:> .\nA <urn:zoo:Lion> <urn:my:name> "lion" .\nTC .',
        'TX .\nPA "zoo" <urn:zoo:> .\nPA "a" <urn:zoo:> .\nTC .\nTX .\nPA "zoo" <urn:none:> .\nTA .',
    )):
        patch.write_text(lines + "\n")
        assert main(["log", "append", log, str(patch), "--quiet"]) == 0
        if number == 1:
            assert main(["log", "checkpoint", log, "--quiet"]) == 0
        for line in ([], ["--prefix", "z=urn:zoo:"])[number == 0:]:
            name = "z:Lion" if line else "zoo:Lion"
            found = run(capfd, "history", log, "--subject", name, "--predicate", "schema:name", *line)
            assert [each.split("\t")[5] for each in found.splitlines()] == ['"lion"']
    assert run(capfd, "history", log, "--subject", "<urn:zoo:Lion>") == run(capfd, "history", log, "--subject", "urn:zoo:Lion")


def test_a_terminal_shows_versions_by_their_changes(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    command = [sys.executable, "-m", "jellybridge", "log"]
    status, shown = shown_on_a_terminal([*command, "history", log, "--predicate", "urn:p", "--prefix", "u=urn:"], "stdout")
    lines = shown.decode().splitlines()
    assert (status, lines[1], lines[3:]) == (0, '+ u:s  u:p  "1"', ['- u:s  u:p  "1"', '+ u:s  u:p  "2"'])
    assert lines[0].startswith("version 1  20") and lines[2].startswith("version 2  20")
    status, shown = shown_on_a_terminal([*command, "list", log], "stdout")
    assert [line.split()[3:5] for line in shown.decode().splitlines()] == [["+2", "-0"], ["+1", "-1"]]


def test_quads_at_a_version_need_no_spark(log: str) -> None:
    with PatchLog.open(log) as opened:
        values: List[str] = sorted(quad.object for quad in opened.as_of(version=1))
        assert values == ['"1"', "_:b"]
        assert opened.as_of().to_arrow().read_all().column_names == ["subject", "predicate", "object", "graph"]
        rows = opened.as_of(id=opened.head.id)
        next(rows)
        with pytest.raises(ValueError, match="taken already"):
            rows.to_arrow()
        rows.close()
        assert list(rows) == [] and "closed" in repr(rows)
        with pytest.raises(JellybridgeError, match="no version 7"):
            opened.as_of(version=7)


def test_a_version_is_reverted_by_one_more(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    with PatchLog.open(log) as opened:
        appended(opened, "Ada", "Third", change("D", "2"), change("A", "3"))
    report = json.loads(run(capfd, "revert", log, "2", "--author", "Eve", "--json"))
    assert (report["changes"], report["undone"], report["version"]) == (2, 1, 4)
    assert run(capfd, "list", log, "--first", "4").split("\t")[4:] == ["+1", "-0", "Eve", "Revert version 2\n"]
    assert "0 of 2 changes undone; nothing was appended" in run(capfd, "revert", log, "2")
    with PatchLog.open(log) as opened:
        assert sorted(quad.object for quad in opened.as_of() if quad.subject == "<urn:s>") == ['"1"', '"3"']


def test_a_restored_version_has_its_prefixes_and_a_dataset_follows(capfd: pytest.CaptureFixture[str]) -> None:
    PatchLog.create("versions").close()
    Path("renamed.ttl").write_text(OLD.replace("ex:", "x:") + " PREFIX more: <urn:more:> PREFIX ex: <urn:ex:> <urn:a> <urn:b> <urn:c> .")
    for file in ("old.ttl", "renamed.ttl"):
        assert main(["publish", file, "--to", "tdb2:store", "--quiet", "--log", "versions"]) == 0
    assert "version 3" in run(capfd, "restore", "versions", "1", "--to", "tdb2:store", "--quiet")
    with PatchLog.open("versions") as log:
        log.state("one.ttl", version=1)
        log.state("three.ttl", version=3)
        assert Path("one.ttl").read_text() == Path("three.ttl").read_text()
        assert "urn:more:" not in Path("three.ttl").read_text()
        names = {row.name for row in jellybridge.read_patch(fetched(log, 3)) if row.op in ("PA", "PD")}
        assert names == {"ex", "x", "more"}
        assert log.restore(1).version is None
        log.restore(0)
        log.state("nothing.ttl")
        assert Path("nothing.ttl").read_text() == ""
    run(capfd, "restore", "versions", "0", "--to", "tdb2:store", "--quiet")
    with jellybridge.Dataset.open("tdb2:store") as dataset:
        assert len(dataset) == 0


def test_a_restore_goes_by_the_key_of_its_dataset(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    with PatchLog.create("other") as other:
        appended(other, "Ada", "Third", change("A", "1"))
    for source, key in ((log, "urn:a"), ("other", "urn:b")):
        assert main(["sync", source, "--to", "tdb2:store", "--key", key]) == 0
    assert main(["log", "restore", log, "0", "--to", "tdb2:store"]) == 1
    assert "by another key, name that by --key" in capfd.readouterr().err
    with PatchLog.open(log) as opened:
        assert opened.head.version == 2
    assert "1 patch applied" in run(capfd, "restore", log, "0", "--to", "tdb2:store", "--key", "urn:a")
    with jellybridge.Dataset.open("tdb2:store") as dataset:
        assert dataset.query("SELECT ?o { ?s ?p ?o }") == [{"o": '"1"'}]


def test_a_restore_refuses_a_dataset_that_is_missing_or_was_changed_past_the_log(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "restore", log, "1", "--to", "tdb2:store"]) == 2
    assert "there is no TDB2 database" in capfd.readouterr().err and not Path("store").exists()
    assert main(["sync", log, "--to", "tdb2:store"]) == 0
    assert main(["update", "tdb2:store", "DELETE WHERE { ?s ?p ?o }"]) == 0
    for version in ("2", "1"):
        assert main(["log", "restore", log, version, "--to", "tdb2:store"]) == 1
        assert "is at version 2 of log, but lacks 2 quads of it and has 0 others; nothing was appended" in capfd.readouterr().err
    with PatchLog.open(log) as opened:
        assert opened.head.version == 2
    assert main(["log", "state", log, "--version", "2", "-o", "state.nq"]) == 0
    assert main(["publish", "state.nq", "--to", "tdb2:store", "--blank-nodes", "label"]) == 0
    assert main(["update", "tdb2:store", "INSERT DATA { <urn:x> <urn:p> 1 }"]) == 0
    assert main(["log", "restore", log, "1", "--to", "tdb2:store"]) == 0
    told = capfd.readouterr()
    assert "version 3" in told.out and "has 1 quad beside those of version 2 of log, which stay" in told.err


def fetched(log: PatchLog, version: int) -> str:
    log.fetch("one.jellyp", version, version)
    return "one.jellyp"


def test_a_restore_takes_the_credentials_of_its_dataset(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    line = ["log", "restore", log, "1", "--to", "http://127.0.0.1:1/data", "--dataset-user", "ada"]
    assert main([*line, "--dataset-password-file", "missing"]) == 2
    assert "names no file that can be read" in capfd.readouterr().err
    with PatchLog.open(log) as opened:
        assert opened.head.version == 2


def test_a_log_that_begins_with_a_state_has_its_quads_in_version_1(capfd: pytest.CaptureFixture[str]) -> None:
    Path("state.nq").write_text("<urn:s> <urn:p> <urn:o> .\n<urn:t> <urn:p> <urn:o> .\n")
    assert main(["log", "create", "begun", "--state", "state.nq", "--quiet"]) == 0
    with PatchLog.open("begun") as log:
        assert [(row.version, row.op) for row in log.history(subject="urn:s")] == [(1, "A")]
        assert log.show(1).added == 2


@pytest.mark.parametrize("line", [["update", "tdb2:store", "INSERT DATA { <urn:x> <urn:p> 1 }"], ["load", "old.ttl", "--to", "tdb2:store"],
                                  ["apply", "patch.jellyp", "--to", "tdb2:store", "--no-check"], ["publish", "new.ttl", "--to", "tdb2:store"]])
def test_a_change_past_the_log_of_a_dataset_is_said(log: str, line: List[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 0
    assert main(["sync", log, "--to", "tdb2:store"]) == 0
    assert main([*line, "--quiet"]) == 0
    assert "follows" not in capfd.readouterr().err
    assert main(["sync", log, "--to", "tdb2:store"]) == 0
    assert main([*line[:1], "old.ttl", *line[2:]] if line[0] == "publish" else line) == 0
    assert "jellybridge: tdb2:store follows a log or a folder of patches" in capfd.readouterr().err


# --- guards


def test_a_guard_refuses_what_the_total_hides(capfd: pytest.CaptureFixture[str]) -> None:
    Path("old.ttl").write_text(PREFIX + " ".join(f"ex:{i} a ex:C ; ex:label 'a{i}' ." for i in range(100)))
    Path("few.ttl").write_text(PREFIX + " ".join(f"ex:{i} a ex:C ." if i < 2 else f"ex:{i} a ex:C ; ex:label 'b{i}' ." for i in range(100)))
    assert main(["publish", "old.ttl", "--to", "tdb2:store", "--quiet"]) == 0
    for guard in ("ex:label -1%", "ex:label -1", "a ex:C -0", "graph <urn:g> -0%", "<https://example.org/label> -1.9%"):
        status = main(["publish", "few.ttl", "--to", "tdb2:store", "--quiet", "--dry-run", "--guard", guard])
        assert status == (1 if "label" in guard else 0), guard
    assert "guard ex:label -1%: there are 100 of these statements, and there would be 98" in capfd.readouterr().err
    for guard in ("ex:label", "-1%", "a b c -1%", "ex:label 5", "nope:label -1%"):
        assert main(["publish", "few.ttl", "--to", "tdb2:store", "--quiet", "--guard", guard]) == 2, guard
    assert main(["publish", "few.ttl", "--to", "tdb2:store", "--quiet", "--guard", "ex:label -2%"]) == 0
    assert main(["publish", "old.ttl", "--to", "tdb2:store", "--quiet", "--guard", "ex:label +1"]) == 1
    assert main(["publish", "old.ttl", "--to", "tdb2:store", "--quiet", "--guard", "ex:label +2", "--author", "me"]) == 2


def test_a_publication_says_who_and_why_in_its_log(capfd: pytest.CaptureFixture[str]) -> None:
    with PatchLog.create("versions"):
        pass
    with jellybridge.Dataset.open("mem:") as dataset:
        assert dataset.publish("old.ttl", log="versions", author="Ada", message="First").version == 1
        assert dataset.publish("old.ttl", log="versions", author="Ada", message="Again").version is None
        with pytest.raises(ValueError, match="log names none"):
            dataset.publish("new.ttl", author="Ada")
    assert run(capfd, "list", "versions").split("\t")[6:] == ["Ada", "First\n"]


def test_a_release_has_its_own_time_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    PatchLog.create("versions").close()
    for file, day in (("old.ttl", "2019-03-01"), ("new.ttl", "2020-04-01T12:00:00+02:00")):
        assert main(["publish", file, "--to", "tdb2:store", "--quiet", "--log", "versions", "--time", day]) == 0
    times = ["2019-03-01T00:00:00.000Z", "2020-04-01T10:00:00.000Z"]
    capfd.readouterr()
    assert [line.split("\t")[3] for line in run(capfd, "list", "versions").splitlines()] == times
    with PatchLog.open("versions") as log:
        assert len(log.as_of(time="2019-12-31").to_arrow().read_all()) < len(log.as_of().to_arrow().read_all())
        log.fetch("again.jellyp")
    assert main(["log", "create", "copy"]) == 0
    assert main(["log", "append", "copy", "again.jellyp", "--time", "2021-01-01"]) == 0
    capfd.readouterr()
    assert [line.split("\t")[3][:10] for line in run(capfd, "list", "copy").splitlines()] == ["2021-01-01"] * 2
    for line in (["publish", "old.ttl", "--to", "tdb2:store", "--log", "versions", "--time", "soon"],
                 ["log", "append", "copy", "again.jellyp", "--time", "soon"], ["publish", "old.ttl", "--to", "mem:", "--time", "2020-01-01"]):
        assert main(line) == 2
        assert "time" in capfd.readouterr().err


# --- shapes

SHAPES = """PREFIX ex: <https://example.org/> PREFIX sh: <http://www.w3.org/ns/shacl#>
ex:Shape a sh:NodeShape ; sh:targetClass ex:Person ;
  sh:property [ sh:path ex:name ; sh:minCount 1 ; sh:message "a person has a name" ] ;
  sh:property [ sh:path ex:age ; sh:maxInclusive 150 ; sh:severity sh:Warning ] ;
  sh:property [ sh:path ex:address ; sh:node [ sh:property [ sh:path ex:city ; sh:minCount 1 ] ] ] .
"""
PEOPLE = PREFIX + "ex:old a ex:Person . ex:ada a ex:Person ; ex:name 'Ada' ; ex:address [ ex:city 'London' ] . "


def test_a_new_violation_stops_a_publication_and_an_old_one_elsewhere_does_not(capfd: pytest.CaptureFixture[str]) -> None:
    Path("shapes.ttl").write_text(SHAPES)

    def publish(text: str, *more: str) -> int:
        Path("people.ttl").write_text(text)
        return main(["publish", "people.ttl", "--to", "tdb2:store", "--quiet", "--shapes", "shapes.ttl", *more])

    Path("people.ttl").write_text(PEOPLE)
    assert main(["publish", "people.ttl", "--to", "tdb2:store", "--quiet"]) == 0
    assert publish(PEOPLE + "ex:bob a ex:Person ; ex:name 'Bob' .") == 0  # ex:old has no name, and stays
    assert publish(PEOPLE + "ex:bob a ex:Person .", "--shapes-report", "report.ttl") == 1
    assert "shapes.ttl: 1 violation at what would change; nothing was applied. ex:bob ex:name: a person has a name" in capfd.readouterr().err
    report = Path("report.ttl").read_text()
    assert "https://example.org/bob" in report and "https://example.org/old" not in report
    assert publish(PEOPLE + "ex:bob a ex:Person .", "--dry-run") == 1
    assert publish(PEOPLE + "ex:bob a ex:Person ; ex:name 'Bob' ; ex:age 200 .") == 0
    assert "jellybridge: shapes.ttl: ex:bob ex:age: " in capfd.readouterr().err
    # Who changes the old one mends it, and a part of a person is the person's.
    assert publish(PEOPLE + "ex:old ex:age 3 .") == 1
    assert "ex:old ex:name: a person has a name" in capfd.readouterr().err
    assert publish(PEOPLE.replace("ex:city 'London'", "ex:street 'Strand'")) == 1
    assert "ex:ada ex:address" in capfd.readouterr().err
    with jellybridge.Dataset.open("tdb2:store") as dataset:
        assert dataset.query("ASK { <https://example.org/bob> <https://example.org/age> 200 }")


def test_python_checks_shapes_before_the_log_and_says_what_they_warn_of() -> None:
    PatchLog.create("versions").close()
    shapes = SHAPES.encode()
    with jellybridge.Dataset.open("mem:") as dataset, PatchLog.open("versions") as log:
        Path("shapes.ttl").write_bytes(shapes)
        with pytest.raises(JellybridgeError, match="2 violations at what would change") as error:
            dataset.publish((PEOPLE + "ex:bob a ex:Person .").encode(), format="turtle", log="versions", shapes="shapes.ttl")
        assert "ex:bob" in str(error.value) and (log.head.version, len(dataset)) == (0, 0)
        report = dataset.publish((PREFIX + "ex:a a ex:Person ; ex:name 'A' ; ex:age 151 .").encode(), format="turtle", log="versions",
                                 shapes="shapes.ttl")
        assert report.version == 1 and [text.partition(": ")[0] for text in report.warnings] == ["ex:a ex:age"]
        for bad, said in ((b"", "no shape"), (b"<urn:a> <urn:b> <urn:c> .", "no shape"), (b"<urn:a> .", "line 1"),
                          (SHAPES.replace("minCount 1", "minCount 'x'").encode(), "SHACL")):
            Path("shapes.ttl").write_bytes(bad)
            with pytest.raises((JellybridgeError, ValueError), match=said):
                dataset.publish("old.ttl", shapes="shapes.ttl")
        with pytest.raises(ValueError, match="shapes names none"):
            dataset.publish("old.ttl", shapes_report="report.ttl")
        with pytest.raises(FileNotFoundError):
            dataset.publish("old.ttl", shapes="nowhere.ttl")
