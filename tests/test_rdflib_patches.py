"""RDF Patch from RDFLib and for it. ``make peers`` has RDFLib, and runs this; elsewhere it is passed over without it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from jellybridge import ChangeRow, Dataset, TextFormatError, convert, read_patch, write_patch
from jellybridge.cli import main

sys.path.append(str(Path(__file__).resolve().parent.parent / "build" / "peers" / "site"))
rdflib = pytest.importorskip("rdflib", reason="make peers installs rdflib")

QUADS = """
PREFIX : <http://example.org/>
:s :p "chat"@fr , 1 , _:b , "a \\"quoted\\" line\\n" .
_:b :q "é😀" .
:g { :s :p :o }
"""


def rows(dataset: rdflib.Dataset) -> set:
    return {(s, p, o, None if g == dataset.default_graph.identifier else g) for s, p, o, g in dataset.quads()}


@pytest.mark.parametrize("name", ["log.rdfp", "log.rdp.gz"])
def test_rdflib_reads_a_patch_of_ours(tmp_path: Path, name: str) -> None:
    patch = tmp_path / "log.jellyp"
    statement = {"subject": "<http://example.org/s>", "predicate": "<http://example.org/p>"}
    write_patch(patch, [
        ChangeRow(op="H", name="id", value="<urn:uuid:1>"), ChangeRow(op="TX"),
        ChangeRow(op="PA", name="ex", value="<http://example.org/>"),
        ChangeRow(op="D", object='"old"', **statement), ChangeRow(op="A", object='"é \\"q\\"\\n"@fr', **statement),
        ChangeRow(op="A", object="_:b1", graph="<http://example.org/g>", **statement), ChangeRow(op="TC"),
    ])
    convert(patch, tmp_path / name)
    convert(tmp_path / name, tmp_path / "text.rdfp")
    graph = rdflib.Dataset()
    s, p = (rdflib.URIRef(statement[key][1:-1]) for key in ("subject", "predicate"))
    graph.add((s, p, rdflib.Literal("old")))
    graph.parse(tmp_path / "text.rdfp", format="patch")
    assert rows(graph) == {
        (s, p, rdflib.Literal('é "q"\n', lang="fr"), None),
        (s, p, rdflib.BNode("b1"), rdflib.URIRef("http://example.org/g")),
    }
    assert "Z" not in (tmp_path / "text.rdfp").read_text()


def test_a_difference_of_ours_is_one_that_rdflib_applies(tmp_path: Path) -> None:
    old, new, patch = (str(tmp_path / name) for name in ("old.nq", "new.nq", "patch.rdfp"))
    Path(old).write_text('<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" <urn:g> .\n')
    Path(new).write_text('<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "3"^^<urn:d> <urn:g> .\n')
    assert main(["diff", old, new, "-o", patch, "--quiet"]) == 0
    graphs = [rdflib.Dataset(), rdflib.Dataset()]
    for graph, file in zip(graphs, (old, new)):
        graph.parse(file, format="nquads")
    graphs[0].parse(patch, format="patch")
    assert rows(graphs[0]) == rows(graphs[1])


@pytest.mark.parametrize("prev", [None, "uuid:before"])
def test_a_patch_of_rdflibs_is_read_and_applied(tmp_path: Path, prev: str, capsys: pytest.CaptureFixture[str]) -> None:
    graph = rdflib.Dataset()
    graph.parse(data=QUADS, format="trig")
    file = tmp_path / "rdflib.rdp"
    graph.serialize(file, format="patch", operation="add", header_id="uuid:this", **({} if prev is None else {"header_prev": prev}))
    read = list(read_patch(file))
    assert [(row.name, row.value) for row in read if row.op == "H"] == [
        ("id", "<uuid:this>"), *([("prev", "<uuid:before>")] if prev else [])]
    assert [row.op for row in read if row.op in ("TX", "TC")] == ["TX", "TC"]
    assert sum(row.op == "A" for row in read) == len(graph) == 6
    with Dataset.open("mem:") as dataset:
        dataset.apply(file)
        assert len(dataset) == 6
        dataset.dump(tmp_path / "dump.nq")
    again = rdflib.Dataset()
    again.parse(tmp_path / "dump.nq", format="nquads")
    assert {len(list(again.quads((None, p, o)))) for _, p, o, _ in graph.quads() if isinstance(o, rdflib.Literal)} == {1}
    assert main(["validate", str(file), "--json"]) == 0
    (found,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (found["valid"], found["warnings"]) == (True, int(prev is not None))
    if prev is not None:
        assert main(["validate", str(file), "--strict"]) == 1
        with pytest.raises(TextFormatError, match=r"rdflib.rdp, line 2, column 1 .*a header row without its dot, as RDFLib writes it"):
            list(read_patch(file, strict=True))


def test_a_difference_of_rdflibs_is_applied(tmp_path: Path) -> None:
    old, new = rdflib.Dataset(), rdflib.Dataset()
    old.parse(data="<urn:s> <urn:p> 1 , 2 .", format="trig")
    new.parse(data="<urn:s> <urn:p> 2 , 3 .", format="trig")
    old.serialize(tmp_path / "patch.rdp", format="patch", target=new, header_prev="urn:uuid:1")
    with Dataset.open("mem:") as dataset:
        dataset.load(b"<urn:s> <urn:p> 1 , 2 .", format="turtle")
        dataset.apply(tmp_path / "patch.rdp")
        assert sorted(row["o"].split('"')[1] for row in dataset.query("SELECT ?o { ?s ?p ?o }")) == ["2", "3"]
