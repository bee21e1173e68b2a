"""What people expect of a Python API: an IRI with or without brackets, results and reports that show themselves."""

from __future__ import annotations

import copy
import html
import pickle
import re
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

import jellybridge
from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, convert, read_patch, write_patch
from jellybridge._log import named_log
from jellybridge._terms import as_id, as_iri, as_term

GRAPH = "http://example.org/g"
FORMS = [GRAPH, f"<{GRAPH}>", r"<http://example.org/\u0067>"]
STATEMENT = b"<urn:s> <urn:p> <urn:o> ."
#: What can't be an IRI, whoever asks for one.
NO_IRIS = ["book", "", "a b:c", "<>", "<book>", "<urn:a b>", "urn:a b", "<urn:a", "urn:a>", "_:b", '"urn:s"', "a\\b:c", "urn:a\\u0062", 5,
           b"urn:s", Path("/tmp")]


class Named(str):
    """A term of rdflib is a text that says its N-Triples, also one that is a literal."""

    def n3(self) -> str:
        return f'"{str.__str__(self)}"'


@pytest.mark.parametrize("given, term", [
    ("https://example.org/é", "<https://example.org/é>"), ("<urn:s>", "<urn:s>"), ("urn:", "<urn:>"), ("_:b", "_:b"),
    ('"chat"@fr', '"chat"@fr'), ('"a"^^<urn:d>', '"a"^^<urn:d>'), ("<<( <urn:s> <urn:p> _:o )>>", "<<( <urn:s> <urn:p> _:o )>>"),
    (Named("urn:s"), '"urn:s"'),
])
def test_a_term_is_given_with_or_without_brackets(given: str, term: str) -> None:
    assert as_term("subject", given) == term


@pytest.mark.parametrize("given", [each for each in NO_IRIS if each not in ("_:b", '"urn:s"')] + ['"open', '"a"@', '"a"^^urn:d', "_:"])
def test_what_cant_be_a_term_is_refused_by_name(given: Any) -> None:
    with pytest.raises(ValueError, match=r"^subject=.*: must be an IRI such as https://example.org/book, with or without < >, or"):
        as_term("subject", given)


@pytest.mark.parametrize("given", FORMS)
def test_a_graph_is_named_with_or_without_brackets(given: str) -> None:
    with Dataset.open("mem:") as dataset:
        dataset.publish(STATEMENT, format="turtle", graph=given)
        assert dataset.construct(f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{GRAPH}> {{ ?s ?p ?o }} }}")
        dataset.publish({given: b""}, format="turtle", allow_empty=FORMS)
        assert len(dataset) == 0
        dataset.publish({given: STATEMENT}, format="turtle")
        assert dataset.ask(f"ASK {{ GRAPH <{GRAPH}> {{ ?s ?p ?o }} }}")


def test_two_forms_of_one_graph_are_refused() -> None:
    with Dataset.open("mem:") as dataset, pytest.raises(ValueError, match=f"names the graph {GRAPH} twice"):
        dataset.publish({GRAPH: STATEMENT, f"<{GRAPH}>": STATEMENT}, format="turtle")


@pytest.mark.parametrize("given", ["urn:example:key", "<urn:example:key>"])
def test_a_key_is_given_with_or_without_brackets(given: str, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log, Dataset.open("mem:") as dataset:
        log.append(patch(tmp_path))
        dataset.sync(tmp_path / "log", key=given)
        assert dataset.position("urn:example:key") == dataset.position("<urn:example:key>") == f"<urn:uuid:{log.head.id}>"
        assert dataset.position() is None
        assert dataset.verify(tmp_path / "log", key=given).ok
    with Dataset.open("mem:") as dataset, dataset.capture(tmp_path / "captured", position=given) as capture:
        dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
        assert dataset.position("urn:example:key") == capture.head


@pytest.mark.parametrize("given", ["http://example.org/there/", "<http://example.org/there/>"])
def test_a_base_is_given_with_or_without_brackets(given: str, tmp_path: Path) -> None:
    with Dataset.open("mem:") as dataset:
        dataset.load(b"<a> <urn:p> <urn:o> .", format="turtle", base=given)
        assert [row["s"] for row in dataset.select("SELECT ?s { ?s ?p ?o }")] == ["<http://example.org/there/a>"]
        assert not dataset.publish(b"<a> <urn:p> <urn:o> .", format="turtle", base=given).changed
    convert(b"<a> <urn:p> <urn:o> .", tmp_path / "out.nt", from_format="turtle", base=given)
    assert (tmp_path / "out.nt").read_text() == "<http://example.org/there/a> <urn:p> <urn:o> .\n"


IRI_ARGUMENTS: Dict[str, Callable[[Dataset, Path, Any], Any]] = {
    "graph": lambda dataset, folder, iri: dataset.publish(STATEMENT, format="turtle", graph=iri),
    "a graph of source": lambda dataset, folder, iri: dataset.publish({iri: STATEMENT}, format="turtle"),
    "key": lambda dataset, folder, iri: dataset.sync(folder, key=iri),
    "base": lambda dataset, folder, iri: dataset.load(STATEMENT, format="turtle", base=iri),
    "position": lambda dataset, folder, iri: dataset.capture(folder / "log", position=iri),
}


@pytest.mark.parametrize("name", IRI_ARGUMENTS)
@pytest.mark.parametrize("given", NO_IRIS)
def test_what_cant_be_an_iri_is_refused_by_name(name: str, given: Any, tmp_path: Path) -> None:
    with Dataset.open("mem:") as dataset:
        with pytest.raises(ValueError, match=f"^{name}={re.escape(repr(given))}: must be an IRI such as .*, with or without < >$"):
            IRI_ARGUMENTS[name](dataset, tmp_path, given)
        assert len(dataset) == 0


def patch(folder: Path, *headers: ChangeRow) -> Path:
    write_patch(folder / "one.jellyp", [*headers, ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    return folder / "one.jellyp"


def test_the_id_of_a_patch_is_given_in_any_form(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        log.append(patch(tmp_path))
        first = log.head.id or ""
        forms = [first, f"urn:uuid:{first}", f"<urn:uuid:{first}>", f"<urn:uuid:{first}>".upper().replace("URN:UUID", "urn:uuid")]
        for version, form in enumerate(forms[:1], 2):
            assert log.append(patch(tmp_path, ChangeRow(op="H", name="n", value=f'"{version}"')), prev=form)[0].version == version
        for form in forms:
            assert log.state(tmp_path / "state.nq", id=form).version == 1
            assert log.append(patch(tmp_path, ChangeRow(op="H", name="id", value=f"<urn:uuid:{first}>")), prev=None)[0].version == 1
            with Dataset.open("mem:") as dataset:
                if form == form.lower():
                    assert dataset.sync(tmp_path / "log", until=form).patches == 1
        for call in (lambda: log.state(tmp_path / "state.nq", id="1"), lambda: log.append(patch(tmp_path), prev="first")):
            with pytest.raises(ValueError, match="must be the id of a patch, a UUID"):
                call()
    assert as_id("id", "urn:id:1") == as_id("id", "<urn:id:1>") == "<urn:id:1>" and as_iri("key", "<urn:k>") == "urn:k"


def test_until_is_also_the_id_of_a_patch_in_a_file_without_brackets(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    for number in (1, 2):
        patch(tmp_path / "log", ChangeRow(op="H", name="id", value=f"<urn:id:{number}>")).rename(tmp_path / "log" / f"{number}.jellyp")
    for until in ("urn:id:1", "<urn:id:1>", "1.jellyp#0"):
        with Dataset.open("mem:") as dataset:
            assert dataset.sync(tmp_path / "log", until=until).position == "<urn:id:1>"
            assert dataset.sync(tmp_path / "log", until=until.replace("1.jellyp#0", "<urn:id:1>")).patches == 0


def filled() -> Dataset:
    dataset = Dataset.open("mem:")
    dataset.update('INSERT DATA { <urn:s> <urn:p> "a<b" . GRAPH <urn:g> { <urn:s> <urn:p> 1, 2 } }')
    return dataset


def test_each_kind_of_query_has_a_call() -> None:
    with filled() as dataset:
        rows = dataset.select("SELECT ?s ?none { ?s ?p ?o }")
        assert rows == [{"s": "<urn:s>", "none": None}] and rows.variables == ("s", "none")
        assert dataset.select("SELECT ?s { ?s <urn:none> ?o }").variables == ("s",)
        assert dataset.ask("ASK { ?s ?p ?o }") is True and dataset.ask("ASK { ?s <urn:none> ?o }") is False
        assert dataset.construct("CONSTRUCT WHERE { ?s ?p ?o }") == [("<urn:s>", "<urn:p>", '"a<b"')]
        assert dataset.construct("DESCRIBE <urn:none>") == []
        quads = dataset.query("CONSTRUCT { GRAPH ?g { ?s ?p ?o } } { GRAPH ?g { ?s ?p ?o } }")
        assert isinstance(quads, jellybridge.Quads) and len(quads) == 2
        for made in (rows, quads, dataset.construct("CONSTRUCT WHERE { ?s ?p ?o }")):
            for again in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
                assert again == made and type(again) is type(made) and vars(again) == vars(made)


@pytest.mark.parametrize("sparql, call", [
    ("SELECT * { ?s ?p ?o }", "select"), ("ASK {}", "ask"), ("CONSTRUCT WHERE { ?s ?p ?o }", "construct"),
    ("DESCRIBE <urn:s>", "construct"), ("CONSTRUCT { GRAPH ?g { ?s ?p ?o } } { GRAPH ?g { ?s ?p ?o } }", "query"),
])
def test_a_query_of_another_kind_is_refused_with_the_call_for_it(sparql: str, call: str) -> None:
    with filled() as dataset:
        for other in {"select", "ask", "construct"} - {call}:
            with pytest.raises(ValueError, match=f"^the query is no .*: run it by {call}, or one of any kind by query$"):
                getattr(dataset, other)(sparql)
        getattr(dataset, call)(sparql)


@pytest.mark.parametrize("opens", [Dataset, PatchLog])
def test_a_class_that_is_called_says_how_it_is_opened(opens: Any) -> None:
    for arguments in ((), ("tdb2:store",)):
        with pytest.raises(TypeError, match=rf"^{opens.__name__}\(\) opens nothing: call {opens.__name__}\.open\(\)$"):
            opens(*arguments)


def test_a_notebook_shows_tables() -> None:
    with filled() as dataset:
        shown = dataset.select("SELECT ?o ?none { ?s ?p ?o }")._repr_html_()
        assert "<th>o</th><th>none</th>" in shown and "<td>&quot;a&lt;b&quot;</td><td></td>" in shown
        assert "<b" not in shown.replace("<tbody", "")
        many = dataset.select("SELECT ?n { VALUES ?n { %s } }" % " ".join(map(str, range(30))))._repr_html_()
        assert many.count("<tr>") == 21 and "… and 10 more" in many
        assert "urn:s" in dataset.construct("CONSTRUCT WHERE { ?s ?p ?o }")._repr_html_()
        assert "mem:" in dataset._repr_html_() and "none" in dataset._repr_html_()
    assert "closed" in dataset._repr_html_()


def test_a_log_shows_itself_also_closed(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        assert "no patch yet" in log._repr_html_()
        log.append(patch(tmp_path))
        assert f"version 1, id {log.head.id}" in log._repr_html_()
    assert "is closed" in log._repr_html_()


def test_entries_of_a_log_are_a_table_in_a_notebook(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        assert "<tbody></tbody>" in log.entries()._repr_html_()
        for number in range(22):
            log.append(patch(tmp_path), author="<Ada>", message=f"number {number}")
        entries = log.entries(2, details=True)
        assert next(entries).version == 2
        shown = entries._repr_html_()
        assert shown == entries._repr_html_() and shown.count("<tr>") == 21 and "number 1<" in shown and "and more" in shown
        assert "&lt;Ada&gt;" in shown and "<th>added</th>" in shown
        # To show it takes nothing away.
        assert [entry.version for entry in entries] == list(range(3, 23))
        plain = log.entries(grep="number 21")._repr_html_()
        assert plain.count("<tr>") == 2 and "and more" not in plain
        assert "<th>version</th><th>time</th><th>id</th></tr>" in log.entries()._repr_html_()
        with pytest.raises(ValueError, match="old='monday': must be a version, a whole number, or a time such as 2024-05-01T12:00:00Z; entries"):
            log.diff("monday", 1)
    assert "is closed" in entries._repr_html_()


def test_a_first_sync_says_what_a_checkpoint_brought(tmp_path: Path) -> None:
    (tmp_path / "state.nt").write_text("".join(f"<urn:s> <urn:p> <urn:{number}> .\n" for number in range(57)))
    with PatchLog.create(tmp_path / "log", state=tmp_path / "state.nt"), Dataset.open("mem:") as dataset:
        for dry_run, begins in ((True, "the checkpoint of version 1 to load, 57 quads; 0 patches to apply"),
                                (False, "the checkpoint of version 1 loaded, 57 quads; 0 patches applied")):
            report = dataset.sync(tmp_path / "log", dry_run=dry_run)
            assert str(report).startswith(begins) and (report.checkpoint, report.checkpoint_quads) == (1, 57)
            assert "57" in report._repr_html_()
        again = dataset.sync(tmp_path / "log")
        assert str(again).startswith("0 patches applied in 0 transactions (+0 -0)") and again.checkpoint_quads is None


def test_what_was_computed_is_applied_appended_and_read(tmp_path: Path) -> None:
    (tmp_path / "one.nt").write_bytes(STATEMENT)
    (tmp_path / "none.nt").touch()
    made = jellybridge.diff(tmp_path / "none.nt", tmp_path / "one.nt")
    with Dataset.open("mem:") as dataset, PatchLog.create(tmp_path / "log") as log:
        assert dataset.apply(made).added == 1
        assert dataset.apply(jellybridge.changes.invert(made)).deleted == 1
        assert log.append(made) == [log.head]
    with read_patch(made) as rows:
        assert [row.op for row in rows] == ["TX", "A", "TC"]


def test_an_open_log_is_followed_published_by_and_compared_with(tmp_path: Path) -> None:
    (tmp_path / "one.nt").write_bytes(STATEMENT)
    with PatchLog.create(tmp_path / "log", state=tmp_path / "one.nt") as log, Dataset.open("mem:") as dataset:
        dataset.load(tmp_path / "one.nt")
        assert dataset.adopt(log).ok
        assert dataset.publish(b"<urn:s> <urn:p> 5 .", format="turtle", log=log).version == 2
        assert dataset.sync(log).patches == dataset.lag(log).patches == 0 and dataset.verify(log).ok
        with Dataset.open("mem:") as follower:
            assert next(follower.follow(log)).checkpoint == 1
    with Dataset.open("mem:") as dataset, pytest.raises(JellybridgeError, match="is closed: open it again"):
        dataset.sync(log)


def test_an_option_leaves_those_of_an_open_log_as_they_are() -> None:
    with PatchLog.open("grpc://localhost:1/log", options={"token": "t", "timeout": 9}) as log:
        assert named_log(log, {"timeout": 5}) == ("grpc://localhost:1/log", {"token": "t", "timeout": 5})
        assert named_log(log, None)[1] == {"token": "t", "timeout": 9}
        assert named_log(log, {"user": "ada", "password": "p"})[1] == {"user": "ada", "password": "p", "timeout": 9}


def test_load_says_what_it_did(tmp_path: Path) -> None:
    quads = b"<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o> <urn:g> .\n"
    store = f"tdb2:{tmp_path / 'store'}"
    for uri in ("mem:", store):
        with Dataset.open(uri) as dataset:
            report = dataset.load(quads, format="nquads")
            assert (report.statements, report.bad, report.positions, len(dataset)) == (3, 0, 0, 2)
            assert str(report) == "3 statements loaded"
            bad = dataset.load(quads + b"wrong\n", format="nquads", bad_statements=tmp_path / "bad.nq")
            assert str(bad) == "3 statements loaded, 1 set aside"
            with pytest.warns(UserWarning, match="left out"):
                some = dataset.load(quads + b"<urn:k> <urn:jellybridge:position> <urn:o> <urn:jellybridge:sync> .\n", format="nquads")
            assert str(some) == "3 statements loaded, 1 left out"


def test_every_report_prints_in_words(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log, Dataset.open("mem:") as dataset:
        written = write_patch(tmp_path / "two.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
        [head] = log.append(tmp_path / "two.jellyp")
        reports: List[Any] = [
            written, head, *log.entries(), dataset.load(STATEMENT, format="turtle"), dataset.apply(tmp_path / "two.jellyp"),
            convert(tmp_path / "two.jellyp", tmp_path / "two.rdfp", progress=False), log.fetch(tmp_path / "all.jellyp"), log.checkpoint(),
            log.state(tmp_path / "state.nq"), log.compact(), log.verify(), dataset.publish(STATEMENT, format="turtle", dry_run=True),
        ]
        log.append(patch(tmp_path, ChangeRow(op="H", name="n", value='"2"')))
        dataset.update("CLEAR ALL")
        reports += [dataset.sync(tmp_path / "log"), dataset.verify(tmp_path / "log"), log.prune(before=2)]
    said = [str(report) for report in reports]
    assert [each.replace(head.id or "", "ID") for each in said[:2]] == ["1 patch, 1 row", "version 1, id ID"]
    assert said[4] == "1 patch applied (+1 -0); 0 of 1 row changed the dataset"
    assert said[11] == "is the same (+0 -0 of 1), 1 quad"
    for report, words in zip(reports, said):
        assert "Report(" not in words and "=" not in words and words in html.unescape(report._repr_html_())
        assert type(report).__name__ in repr(report)
    assert len({type(report) for report in reports}) == len(reports)
    assert list(read_patch(tmp_path / "all.jellyp"))
