"""RDFLib's graphs, terms and plugins meet ours."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import pytest

rdflib = pytest.importorskip("rdflib")
compare = pytest.importorskip("rdflib.compare")

import jellybridge  # noqa: E402
from jellybridge import ChangeRow, Dataset, PatchLog, changes, read_patch, write_patch  # noqa: E402
from jellybridge.rdflib import RecordingDataset, apply, to_dataset, to_node, to_text  # noqa: E402

S, P, G = rdflib.URIRef("urn:s"), rdflib.URIRef("urn:p"), rdflib.URIRef("urn:g")
TERMS = [rdflib.Literal('a "b"\n\\ é😀\t\r'), rdflib.Literal("x", lang="en-gb"), rdflib.Literal("01", datatype=rdflib.XSD.integer, normalize=False),
         rdflib.Literal("1e0", datatype=rdflib.XSD.double), rdflib.BNode("b1"), rdflib.URIRef("http://example.org/é"), rdflib.Literal("")]


def dataset() -> Any:
    made = rdflib.Dataset()
    for term in TERMS:
        made.add((S, P, term))
    made.graph(G).add((S, P, rdflib.BNode("b1")))
    made.bind("ex", "urn:ex:")
    return made


def quads(graph: Any) -> set:
    default = rdflib.graph.DATASET_DEFAULT_GRAPH_ID
    return {(*triple, None if name in (None, default) else name) for *triple, name in graph.quads()}


@pytest.mark.parametrize("term", TERMS, ids=repr)
def test_a_term_comes_back_as_it_was(term: Any) -> None:
    assert to_node(to_text(term)) == term
    assert str(to_node(to_text(term))) == str(term)


def test_what_is_no_term_is_refused() -> None:
    with pytest.raises(ValueError, match="no term of RDF"):
        to_text(rdflib.Variable("x"))
    with pytest.raises(ValueError, match="RDFLib has no such term"):
        to_node("<<( <urn:s> <urn:p> <urn:o> )>>")


def test_graphs_go_in_and_datasets_come_out(tmp_path: Path) -> None:
    with Dataset.open("mem:") as store:
        store.load(dataset())
        back = to_dataset(store)
        assert compare.isomorphic(back.graph(rdflib.graph.DATASET_DEFAULT_GRAPH_ID), dataset().graph(rdflib.graph.DATASET_DEFAULT_GRAPH_ID))
        assert len(back.graph(G)) == 1
        graph = rdflib.Graph().add((S, P, rdflib.Literal("only")))
        assert store.publish(graph, graph="urn:g").changed
        assert to_dataset(store).graph(G).value(S, P) == rdflib.Literal("only")
    jellybridge.convert(dataset(), tmp_path / "all.jelly")
    assert quads(to_dataset(tmp_path / "all.jelly")) == quads(dataset())
    difference = jellybridge.diff(graph, dataset())
    for rows in (difference, [ChangeRow(op="TX"), ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"'), ChangeRow(op="TA")]):
        with pytest.raises(ValueError, match="op (D|TA).* by apply"):
            to_dataset(rows)


def test_graphs_are_compared_by_structure_with_their_prefixes() -> None:
    old = rdflib.Graph().parse(data="PREFIX ex: <urn:ex:> ex:tea ex:parts [ ex:leaf 1 ] ; ex:color 'green' .")
    new = rdflib.Graph().parse(data="PREFIX ex: <urn:ex:> ex:tea ex:parts [ ex:leaf 1 ] ; ex:color 'black' .")
    difference = jellybridge.diff(old, new)
    assert (difference.added, difference.deleted) == (1, 1)
    assert '+     ex:color  "black"' in str(difference)
    apply(difference, old)
    assert compare.isomorphic(old, new)


def test_a_recording_dataset_says_what_changed_it(tmp_path: Path) -> None:
    recorded = RecordingDataset()
    recorded.parse(data="PREFIX ex: <urn:ex:> ex:a ex:b 1 , 2 .", format="turtle")
    recorded.take()
    before = quads(recorded)
    recorded.update("PREFIX ex: <urn:ex:> DELETE { ex:a ex:b 1 } INSERT { ex:a ex:b 3 . GRAPH <urn:g> { ex:a ex:b 4 } } WHERE {}")
    recorded.add((rdflib.URIRef("urn:ex:a"), rdflib.URIRef("urn:ex:b"), rdflib.Literal(2)))  # is there
    recorded.graph(G).remove((None, None, None))
    recorded.remove((S, P, None))  # is not there
    recorded.bind("new", "urn:new:")
    rows = recorded.take()
    assert recorded.take() == []
    assert [row.op for row in rows if row.op in "AD"].count("A") == 2
    write_patch(tmp_path / "p.jellyp", rows)
    other = rdflib.Dataset()
    for *triple, _ in before:
        other.add(tuple(triple))
    apply(tmp_path / "p.jellyp", other)
    assert quads(other) == quads(recorded)
    with PatchLog.create(tmp_path / "log") as log:
        log.append(tmp_path / "p.jellyp")
        assert to_dataset(log.as_of()).query("ASK { ?s ?p 3 }").askAnswer
        [row] = [row for row in log.history(subject=rdflib.URIRef("urn:ex:a")) if row.op == "D" and row.graph is None]
        assert to_node(row.object) == rdflib.Literal(1)


def test_a_recording_dataset_says_which_prefix_went() -> None:
    recorded = RecordingDataset()
    recorded.bind("a", "urn:ns:")
    recorded.take()
    recorded.bind("b", "urn:ns:")
    assert [(row.op, row.name, row.value) for row in recorded.take() if row.name] == [("PD", "a", "<urn:ns:>"), ("PA", "b", "<urn:ns:>")]


def test_an_aborted_transaction_changes_nothing() -> None:
    graph = rdflib.Graph()
    row = {"subject": "<urn:s>", "predicate": "<urn:p>"}
    assert apply([ChangeRow(op="TX"), ChangeRow(op="A", object='"1"', **row), ChangeRow(op="TA"), ChangeRow(op="A", object='"2"', **row)],
                 graph) == (1, 0)
    assert list(graph.objects()) == [rdflib.Literal("2")]
    with pytest.raises(ValueError, match="give a Dataset"):
        apply([ChangeRow(op="A", object='"1"', graph="<urn:g>", **row)], graph)
    dataset = rdflib.Dataset()
    apply([ChangeRow(op="TX"), ChangeRow(op="A", object='"1"', graph="<urn:g>", **row), ChangeRow(op="TA")], dataset)
    assert G not in [each.identifier for each in dataset.graphs()]


@pytest.mark.parametrize("rows, said", [
    ([("TX",), ("A", '"1"'), ("A", '"2"', "<urn:g>"), ("TC",)], "give a Dataset"),
    ([("TX",), ("A", '"1"'), ("A", '"2"@ar--rtl'), ("TC",)], "language tag"),
    ([("TX",), ("A", '"1"')], "end within"),
    ([("TX",), ("A", '"1"'), ("TX",), ("A", '"2"'), ("TC",)], "TX within"),
    ([("TC",)], "TC outside"), ([("TA",)], "TA outside"),
])
def test_a_refused_transaction_changes_nothing(rows: list, said: str) -> None:
    graph = rdflib.Graph()
    with pytest.raises(ValueError, match=said):
        apply([ChangeRow(op=op, subject="<urn:s>", predicate="<urn:p>", object=next(iter(more), None), graph=more[1] if more[1:] else None)
               for op, *more in rows], graph)
    assert len(graph) == 0


@pytest.mark.parametrize("literal", ['"2024-01-01T00:00:00Z"^^<{}dateTime>', '"01"^^<{}integer>', '"1"^^<{}boolean>', '"1E0"^^<{}double>', '"o"^^<{}string>'])
def test_a_deletion_finds_a_literal_that_was_parsed(literal: str, tmp_path: Path) -> None:
    (tmp_path / "old.nt").write_text(f"<urn:s> <urn:p> {literal.format(rdflib.XSD)} .\n")
    (tmp_path / "new.nt").write_text('<urn:s> <urn:p> "new" .\n')
    patch = jellybridge.diff(tmp_path / "old.nt", tmp_path / "new.nt")
    patch.write(tmp_path / "p.jellyp")
    for change in (lambda graph: apply(patch, graph), lambda graph: graph.parse(tmp_path / "p.jellyp", format="jelly-patch")):
        graph = rdflib.Graph().parse(tmp_path / "old.nt")
        change(graph)
        assert list(graph.objects()) == [rdflib.Literal("new")]


def test_a_deletion_from_the_default_graph_of_a_union_spares_the_other_graphs() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        graph = rdflib.ConjunctiveGraph()
    statement = (S, P, rdflib.Literal("o"))
    graph.get_context(G).add(statement)
    graph.default_context.add(statement)
    apply([ChangeRow(op="D", subject="<urn:s>", predicate="<urn:p>", object='"o"')], graph)
    assert statement in graph.get_context(G) and statement not in graph.default_context


def test_a_deletion_spares_an_equal_literal_of_another_form() -> None:
    graph = rdflib.Graph()
    one, two = ('"1"^^<http://www.w3.org/2001/XMLSchema#integer>', '"01"^^<http://www.w3.org/2001/XMLSchema#integer>')
    apply([ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=each) for each in (one, two)], graph)
    apply([ChangeRow(op="D", subject="<urn:s>", predicate="<urn:p>", object=two)], graph)
    assert [to_text(each) for each in graph.objects()] == [one]
    graph = rdflib.Graph().add((S, P, to_node(one)))
    apply([ChangeRow(op=op, subject=S.n3(), predicate=P.n3(), object=each) for op, each in (("A", one), ("D", two))], graph)
    assert [to_text(each) for each in graph.objects()] == [one], "the same call added it"


@pytest.mark.parametrize("normalizes", [True, False])
def test_a_deletion_finds_a_number_that_a_turtle_parser_rewrote(normalizes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", normalizes)
    (tmp_path / "old.ttl").write_text("<urn:s> <urn:p> 01 .")
    graph = rdflib.Graph().parse(tmp_path / "old.ttl")
    apply(jellybridge.diff(tmp_path / "old.ttl", b"<urn:s> <urn:p> 2 .", format="turtle"), graph)
    assert [str(each) for each in graph.objects()] == ["2"]


def test_the_plugins_read_and_write_beside_those_of_pyjelly(tmp_path: Path) -> None:
    for name in ("jelly-patch", "jelly-rdf"):
        data = dataset().serialize(format=name, encoding="utf-8")
        assert quads(rdflib.Dataset().parse(io.BytesIO(data), format=name)) == quads(dataset())
        plain = rdflib.Graph().add((S, P, rdflib.Literal("o")))
        plain.serialize(tmp_path / "plain", format=name)
        assert set(rdflib.Graph().parse(tmp_path / "plain", format=name)) == set(plain)
    assert [row.value for row in read_patch(dataset().serialize(format="jelly-patch", encoding="utf-8"), format="jelly-patch") if row.name == "ex"] == ["<urn:ex:>"]
    graph = rdflib.Graph().add((S, P, rdflib.Literal("gone")))
    write_patch(tmp_path / "p.jellyp", [ChangeRow(op="D", subject="<urn:s>", predicate="<urn:p>", object='"gone"')])
    assert len(graph.parse(tmp_path / "p.jellyp")) == 0  # by its suffix
    pytest.importorskip("pyjelly")
    ours, theirs = (plain.serialize(format=name, encoding="utf-8") for name in ("jelly-rdf", "jelly"))
    assert set(rdflib.Graph().parse(io.BytesIO(ours), format="jelly")) == set(rdflib.Graph().parse(io.BytesIO(theirs), format="jelly-rdf"))


def test_what_changed_is_given_to_pyshacl() -> None:
    pyshacl = pytest.importorskip("pyshacl")
    shapes = rdflib.Graph().parse(data="PREFIX sh: <http://www.w3.org/ns/shacl#> [] a sh:NodeShape ; sh:targetSubjectsOf <urn:p> ; "
                                       "sh:property [ sh:path <urn:p> ; sh:maxCount 1 ] .")
    graph = rdflib.Graph().add((S, P, rdflib.Literal("1")))
    assert pyshacl.validate(graph, shacl_graph=shapes)[0]
    apply(changes.squash(_patch('"2"')), graph)
    assert not pyshacl.validate(graph, shacl_graph=shapes)[0]
    apply(changes.invert(_patch('"2"')), graph)
    assert pyshacl.validate(graph, shacl_graph=shapes)[0]


def _patch(value: str) -> io.BytesIO:
    file = io.BytesIO()
    file.name = "p.jellyp"  # type: ignore[attr-defined]
    write_patch(file, [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=value)])
    file.seek(0)
    return file
