"""A dataset becomes equal to a snapshot: from Python, from Spark and by the command line, with a log and without."""

from __future__ import annotations

import bz2
import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import pytest

import jellybridge
from jellybridge import Dataset, JellybridgeError, PatchLog, PublishReport, read_patch

_OLD = b'<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> "x" <urn:g> .\n'
_NEW = b'<urn:a> <urn:p> "2" .\n<urn:a> <urn:p> "x" <urn:g> .\n'


def rows(dataset: Dataset) -> List[Any]:
    found = dataset.query("SELECT ?s ?o ?g { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } "
                          "FILTER (?g != <urn:jellybridge:sync>) } } ORDER BY ?g ?s ?o")
    return [tuple(row.get(name) for name in ("s", "o", "g")) for row in found]


@pytest.fixture
def dataset(store: str, tmp_path: Path):
    with Dataset.open(f"tdb2:{tmp_path / 'store'}" if store == "tdb2:" else store) as opened:
        if store.startswith("http"):
            opened.update("CLEAR ALL")
        yield opened


def test_a_dataset_becomes_equal_to_each_snapshot(dataset: Dataset, tmp_path: Path) -> None:
    assert dataset.publish(_OLD, format="nquads") == PublishReport(before=0, deleted=0, added=2, quads=2)
    patch = tmp_path / "difference.jellyp"
    report = dataset.publish(_NEW, format="nquads", patch=patch)
    assert report == PublishReport(before=2, deleted=1, added=1, quads=2) and report.changed
    assert [(row.op, row.object) for row in read_patch(patch) if row.op in ("A", "D")] == [("D", '"1"'), ("A", '"2"')]
    assert not dataset.publish(_NEW, format="nquads").changed
    assert rows(dataset) == [("<urn:a>", '"2"', None), ("<urn:a>", '"x"', "<urn:g>")]


def test_a_dry_run_changes_nothing(dataset: Dataset, tmp_path: Path) -> None:
    assert dataset.publish(_OLD, format="nquads", dry_run=True, patch=tmp_path / "d.rdfp").added == 2
    assert len(dataset) == 0
    assert (tmp_path / "d.rdfp").read_text().startswith("TX .\nA <urn:a>")


def test_a_difference_of_nothing_is_kept_too(tmp_path: Path) -> None:
    with Dataset.open("mem:") as dataset:
        dataset.publish(_OLD, format="nquads")
        with open(tmp_path / "d.rdfp", "wb") as opened:
            assert not dataset.publish(_OLD, format="nquads", patch=opened).changed
    assert (tmp_path / "d.rdfp").read_text() == "TX .\nTC .\n"


def test_several_files_are_one_snapshot_and_a_mapping_is_of_graphs(tmp_path: Path) -> None:
    one, other = tmp_path / "one.nt", tmp_path / "other.nt"
    one.write_text("<urn:a> <urn:p> <urn:o> .\n")
    other.write_text("<urn:b> <urn:p> <urn:o> .\n")
    with Dataset.open("mem:") as dataset:
        assert dataset.publish([one, other]).quads == 2
        assert dataset.publish({"urn:g": one, "urn:h": other}) == PublishReport(0, 0, 2, 2)
        assert dataset.publish(other, graph="urn:g") == PublishReport(1, 1, 1, 1)
        assert rows(dataset) == [("<urn:a>", "<urn:o>", None), ("<urn:b>", "<urn:o>", None),
                                 ("<urn:b>", "<urn:o>", "<urn:g>"), ("<urn:b>", "<urn:o>", "<urn:h>")]


def test_blank_nodes_that_are_numbered_anew_are_those_that_are_there(dataset: Dataset, tmp_path: Path) -> None:
    def shapes(label: str, name: str) -> bytes:
        return "".join(f'<urn:s{i}> <urn:p> _:{label}{i} .\n_:{label}{i} <urn:q> "{name if i == 7 else i}" .\n'
                       for i in range(20)).encode()

    dataset.publish(shapes("a", "old"), format="nquads")
    patch = tmp_path / "difference.jellyp"
    assert dataset.publish(shapes("b", "new"), format="nquads", patch=patch) == PublishReport(40, 1, 1, 40)
    assert [(row.op, row.subject, row.object) for row in read_patch(patch) if row.op in ("A", "D")] == [
        ("D", "_:a7", '"old"'), ("A", "_:a7", '"new"')]
    assert dataset.publish(shapes("b", "new"), format="nquads", blank_nodes="label").deleted == 40


def test_each_file_has_blank_nodes_of_its_own(tmp_path: Path) -> None:
    one, other = tmp_path / "one.nt", tmp_path / "other.nt"
    one.write_text("_:b <urn:p> <urn:one> .\n")
    other.write_text("_:b <urn:p> <urn:other> .\n")
    with Dataset.open("mem:") as dataset:
        dataset.publish([one, other])
        assert len(dataset.query("SELECT DISTINCT ?s { ?s ?p ?o }")) == 2
        assert not dataset.publish([other, one]).changed
        dataset.publish([one, other], blank_nodes="label")
        assert len(dataset.query("SELECT DISTINCT ?s { ?s ?p ?o }")) == 1


def test_new_blank_nodes_of_a_graph_are_none_of_other_graphs() -> None:
    with Dataset.open("mem:") as dataset:
        dataset.publish(b"_:b <urn:p> <urn:o> <urn:g> .", format="nquads")
        dataset.publish(b"_:b <urn:p> <urn:o> .", format="nquads", graph="urn:h")
        assert len(dataset.query("SELECT DISTINCT ?s { GRAPH ?g { ?s ?p ?o } }")) == 2


@pytest.mark.parametrize("wrong", [
    {"source": b"", "blank_nodes": 1},
    {"source": []}, {"source": {}}, {"source": {"urn:g": b""}, "graph": "urn:h"}, {"source": b"", "graph": ""},
    {"source": b"", "log_options": {"timeout": 1}}, {"source": b"", "dry_run": 1}, {"source": {"": b""}},
])
def test_a_call_that_makes_no_sense_is_refused(wrong: Any) -> None:
    with Dataset.open("mem:") as dataset, pytest.raises(ValueError):
        dataset.publish(wrong.pop("source"), format="nquads", **wrong)


def test_a_graph_that_is_named_by_no_iri_is_refused_by_what_it_is(tmp_path: Path) -> None:
    with Dataset.open("mem:") as dataset:
        with pytest.raises(TypeError, match="a graph is named by an IRI, and one is None; .* default graph"):
            dataset.publish({None: b""}, format="nquads")  # type: ignore[dict-item]
        with pytest.raises(ValueError, match="^graph='a b': must be an IRI such as"):
            dataset.publish(b"", format="nquads", graph="a b")


def test_a_snapshot_that_deletes_too_much_is_refused(dataset: Dataset) -> None:
    dataset.publish(_OLD, format="nquads")
    with pytest.raises(JellybridgeError, match="would delete 1 of 2 quads, and max_delete .--max-delete. allows 20%"):
        dataset.publish(_NEW, format="nquads", max_delete="20%")
    with pytest.raises(JellybridgeError, match="^bytes has no statement, and 2 quads would be deleted; .* or by max_delete"):
        dataset.publish(b"", format="nquads")
    assert dataset.publish(_NEW, format="nquads", max_delete=1).deleted == 1
    assert dataset.publish(b"", format="nquads", max_delete="100%").quads == 0


#: What has no statement.
_EMPTY = {
    "empty.nt": b"", "comments.nt": b"# nothing\n\n", "prefixes.ttl": b"@prefix e: <urn:e:> .\n", "block.trig": b"<urn:g> { }\n",
    "empty.rdf": b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", "empty.jsonld": b"[]",
    "empty.nt.gz": gzip.compress(b""), "comment.nq.bz2": bz2.compress(b"# nothing\n"), "empty.rj": b"{}",
}


_OF_QUADS = (".trig", ".jsonld", ".nq.bz2")


@pytest.mark.parametrize("name", _EMPTY)
def test_an_empty_file_of_several_is_refused_unless_it_is_named(tmp_path: Path, name: str) -> None:
    full, other, empty = tmp_path / "full.nt", tmp_path / "other.nt", tmp_path / name
    full.write_bytes(b'<urn:a> <urn:p> "1" .')
    other.write_bytes(b'<urn:b> <urn:p> "2" .')
    empty.write_bytes(_EMPTY[name])
    with Dataset.open("mem:") as dataset:
        dataset.publish([full, other])
        dataset.publish({"urn:one": full, "urn:two": other})
        with pytest.raises(JellybridgeError, match=f"{name} has no statement, and 1 quads of the graph <urn:two> would"):
            dataset.publish({"urn:one": full, "urn:two": empty}, max_delete="100%")
        with pytest.raises(JellybridgeError, match=f"{name} has no statement, and 1 quads of the graph <urn:one> would"):
            dataset.publish([other, empty], graph="urn:one")
        quads = "3 quads" if name.endswith(_OF_QUADS) else "1 quads of the default graph"  # a file of triples is one graph
        with pytest.raises(JellybridgeError, match=f"{name} has no statement, and {quads} would"):
            dataset.publish([full, empty], dry_run=True)
        assert len(dataset) == 4
        assert dataset.publish({"urn:one": full, "urn:two": empty}, allow_empty=["<urn:two>"]).deleted == 1
        assert dataset.publish([full, empty], allow_empty=str(empty)).deleted == (2 if name.endswith(_OF_QUADS) else 1)
        with pytest.raises(ValueError, match="allow_empty='urn:typo': no file and no graph"):
            dataset.publish({"urn:one": full, "urn:two": empty}, allow_empty=["urn:typo"])


def test_a_dataframe_without_rows_is_refused_unless_it_is_named(spark: Any) -> None:
    full = spark.createDataFrame([("<urn:a>", "<urn:p>", '"1"', None)], jellybridge.QUADS_SCHEMA)
    empty = full.where("false")
    with Dataset.open("mem:") as dataset:
        dataset.publish({"urn:one": full, "urn:two": full})
        with pytest.raises(JellybridgeError, match="^DataFrame has no statement, and 1 quads of the graph <urn:two> would"):
            dataset.publish({"urn:one": full, "urn:two": empty})
        assert dataset.publish([full, empty], allow_empty=[empty]).deleted == 2


def test_with_a_log_the_difference_is_its_next_version(dataset: Dataset, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        assert dataset.publish(_OLD, format="nquads", log=tmp_path / "log").version == 1
        assert dataset.publish(_OLD, format="nquads", log=tmp_path / "log") == PublishReport(2, 0, 0, 2, version=None)
        assert dataset.publish(_NEW, format="nquads", log=tmp_path / "log").version == 2
        assert dataset.position() == f"<urn:uuid:{log.head.id}>"
    with Dataset.open("mem:") as replica:
        assert replica.sync(tmp_path / "log").patches == 2
        assert rows(replica) == rows(dataset)


def test_a_difference_that_reached_the_log_alone_reaches_the_dataset_the_next_time(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with PatchLog.create(log), Dataset.open("mem:") as dataset, Dataset.open("mem:") as killed:
        dataset.publish(_OLD, format="nquads", log=log)
        killed.publish(_NEW, format="nquads", log=log)  # the first dataset does not have it
        done = dataset.publish(_NEW, format="nquads", log=log)
        assert done == PublishReport(2, 0, 0, 2, followed=1)
        assert str(done) == "1 patch of the log applied first, then is the same (+0 -0 of 2), 2 quads"
        assert rows(dataset) == rows(killed)


def test_a_log_without_what_the_dataset_holds_is_refused(tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log"), Dataset.open("mem:") as dataset:
        dataset.publish(_OLD, format="nquads")
        for dry_run in (True, False):
            with pytest.raises(JellybridgeError, match="^the dataset is at no version of the log [^()']*log, and has 2 quads.*"
                               "jellybridge log adopt LOG --dataset DATASET"):
                dataset.publish(_NEW, format="nquads", log=tmp_path / "log", dry_run=dry_run)
        assert len(dataset) == 2


def test_a_dataset_with_data_adopts_a_log_of_its_dump_and_goes_on(dataset: Dataset, tmp_path: Path) -> None:
    dataset.publish(_OLD, format="nquads")
    dataset.dump(tmp_path / "dump.nq")
    log = tmp_path / "log"
    PatchLog.create(log, state=tmp_path / "dump.nq").close()
    assert str(dataset.adopt(log)) == "at version 1, 2 quads, as the log"
    assert dataset.publish(_NEW, format="nquads", log=log).version == 2
    assert dataset.verify(log).ok and dataset.verify(log).head == 2
    with pytest.raises(JellybridgeError, match="does not hold what version 1 of the log .*log says: it lacks 1 quads of it, and has "
                       "1 others .it lacks <urn:a> <urn:p> .1. .; it has <urn:a> <urn:p> .2. ..; its position was not changed"):
        dataset.adopt(log, version=1)
    assert not dataset.publish(_NEW, format="nquads", log=log).changed


def test_a_publication_by_a_log_notes_the_version_that_it_checked(dataset: Dataset, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log"):
        for snapshot in (_OLD, _NEW):
            dataset.publish(snapshot, format="nquads", log=tmp_path / "log")
            assert dataset.position("urn:jellybridge:publish") == dataset.position() is not None


def test_a_dataset_that_holds_something_gets_nothing_of_a_log_that_it_does_not_follow(dataset: Dataset, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with PatchLog.create(log), Dataset.open("mem:") as other:
        other.publish(_OLD, format="nquads", log=log)
    dataset.update("INSERT DATA { <urn:mine> <urn:p> 'mine' }")
    for options in ({}, {"max_delete": 0}, {"dry_run": True}, {"graph": "urn:another"}):
        with pytest.raises(JellybridgeError, match="is at no version of the log .*, and has 1 quads, .* nothing was changed"):
            content = b"<urn:s> <urn:p> 1 ." if "graph" in options else _NEW
            dataset.publish(content, format="ttl" if "graph" in options else "nquads", log=log, **options)
        assert rows(dataset) == [("<urn:mine>", '"mine"', None)] and dataset.position() is None


def test_a_dry_run_does_not_guess_what_the_log_has_new(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with PatchLog.create(log), Dataset.open("mem:") as dataset, Dataset.open("mem:") as other:
        other.publish(_OLD, format="nquads", log=log)
        with pytest.raises(JellybridgeError, match="has versions that the dataset has not, .* sync the dataset with the log first"):
            dataset.publish(_NEW, format="nquads", log=log, dry_run=True)
        dataset.sync(log)
        assert dataset.publish(_NEW, format="nquads", log=log, dry_run=True).changed


@pytest.mark.parametrize("wrong, says", [
    ('<urn:a> <urn:q> "99999999999999999999"^^<http://www.w3.org/2001/XMLSchema#integer> .', "more than 64 bits"),
    ('<urn:a> <urn:q> "o"@ar--rtl .\n<urn:b> <urn:q> "o"@ar--ltr .', "they differ in base direction alone"),
    ('<urn:b> <urn:q> "known"@ar--ltr .', "they differ in base direction alone"),
    ("<urn:a> <urn:q> <urn:o> <urn:x-arq:UnionGraph> .", "x-arq:UnionGraph"),
])
def test_what_the_dataset_can_not_hold_is_in_no_version_of_its_log(tmp_path: Path, wrong: str, says: str) -> None:
    log, snapshot = tmp_path / "log", tmp_path / "snapshot.nq"
    PatchLog.create(log).close()
    good = '<urn:a> <urn:p> "known"@ar--rtl .\n'
    with Dataset.open(f"tdb2:{tmp_path / 'tdb2'}") as dataset:
        dataset.publish(good.encode(), format="nquads", log=log)
        snapshot.write_text(f"{good}{wrong}\n", encoding="utf-8")
        for options in ({"log": log}, {"dry_run": True}, {}):
            with pytest.raises(JellybridgeError, match=f"snapshot.nq.*{says}.*nothing of the snapshot was applied|{says}; take it out"):
                dataset.publish(snapshot, **options)
        with PatchLog.open(log) as opened:
            assert opened.head.version == 1
        assert rows(dataset) == [("<urn:a>", '"known"@ar--rtl', None)]


def test_a_dataset_that_was_changed_past_its_log_is_refused(dataset: Dataset, tmp_path: Path) -> None:
    log = tmp_path / "log"
    PatchLog.create(log).close()
    dataset.publish(_OLD, format="nquads", log=log)
    for change in (lambda: dataset.publish(_NEW, format="nquads"),
                   lambda: dataset.update("DELETE DATA { <urn:a> <urn:p> '1' }; INSERT DATA { <urn:a> <urn:p> '2' }")):
        change()
        for snapshot in (_NEW, _OLD):
            for dry_run in (True, False):
                with pytest.raises(JellybridgeError, match="does not hold what the log says.* it was changed past the log"):
                    dataset.publish(snapshot, format="nquads", log=log, dry_run=dry_run)
        with PatchLog.open(log) as opened:
            assert [entry.version for entry in opened.entries()] == [1]
        dataset.publish(_OLD, format="nquads")  # which is the state of the log
        assert not dataset.publish(_OLD, format="nquads", log=log).changed
    assert dataset.publish(_NEW, format="nquads", log=log).version == 2


def test_what_a_sync_brought_is_compared_with_the_log(dataset: Dataset, tmp_path: Path) -> None:
    log = tmp_path / "log"
    PatchLog.create(log).close()
    with Dataset.open("mem:") as other:
        other.publish(_OLD, format="nquads", log=log)
    dataset.sync(log)
    dataset.update("INSERT DATA { <urn:a> <urn:p> 'more' }")
    with pytest.raises(JellybridgeError, match="lacks 0 quads of that version, and has 1 others"):
        dataset.publish(_NEW, format="nquads", log=log)
    dataset.update("DELETE DATA { <urn:a> <urn:p> 'more' }")
    assert dataset.publish(_NEW, format="nquads", log=log).version == 2


def test_a_graph_is_published_by_a_log_whatever_was_published_before(dataset: Dataset, tmp_path: Path) -> None:
    log = tmp_path / "log"
    PatchLog.create(log).close()
    versions = [dataset.publish(b"<urn:s> <urn:p> %d ." % number, format="turtle", graph=graph, log=log).version
                for number, graph in enumerate(["urn:one", "urn:one", "urn:two", "urn:one", None])]
    assert versions == [1, 2, 3, 4, 5]
    dataset.update("INSERT DATA { GRAPH <urn:one> { <urn:a> <urn:p> 'past it' } }")
    with pytest.raises(JellybridgeError, match="it was changed past the log"):
        dataset.publish(b"<urn:s> <urn:p> 7 .", format="turtle", graph="urn:one", log=log)


@pytest.mark.parametrize("with_log", [True, False])
def test_publications_of_different_graphs_at_once_all_arrive(store: str, tmp_path: Path, with_log: bool) -> None:
    if not store.startswith("http"):
        pytest.skip("one process has it open, and publishes one after the other")
    files = {f"urn:{number}": tmp_path / f"{number}.nt" for number in range(3)}
    for number, file in enumerate(files.values()):
        file.write_text("".join(f'<urn:s{i}> <urn:p> "{number}" .\n' for i in range(200)))
    log = ["--log", str(tmp_path / "log")] if with_log else []
    with PatchLog.create(tmp_path / "log"), Dataset.open(store) as dataset:
        dataset.update("CLEAR ALL")
        if with_log:
            dataset.publish(b'<urn:s> <urn:p> "begun" .', format="ntriples", log=tmp_path / "log")
        line = [sys.executable, "-m", "jellybridge", "publish", "--to", store, *log, "--graph-file"]
        running = [subprocess.Popen([*line, *map(str, pair)], stderr=subprocess.PIPE) for pair in files.items()]
        said = [process.communicate(timeout=300)[1] for process in running]
        assert [process.returncode for process in running] == [0, 0, 0], said
        assert len(dataset) == 600 + len(log[:1])
        with PatchLog.open(tmp_path / "log") as opened:
            assert len(list(opened.entries())) == (4 if with_log else 0)


def test_a_dataframe_is_published(spark: Any) -> None:
    def frame(*quads: Any) -> Any:
        return spark.createDataFrame(list(quads), jellybridge.QUADS_SCHEMA)

    with Dataset.open("mem:") as dataset:
        assert dataset.publish(frame(("<urn:a>", "<urn:p>", '"\\u0041"', None), ("<urn:a>", "<urn:p>", '"A"', None),
                                     ("<urn:a>", "<urn:p>", '"x"@EN', "<urn:g>"))).quads == 2
        assert rows(dataset) == [("<urn:a>", '"A"', None), ("<urn:a>", '"x"@en', "<urn:g>")]
        assert dataset.publish(frame(("<urn:b>", "<urn:p>", '"A"', None)).drop("graph"), graph="urn:g").deleted == 1
        for wrong in (("<urn:a>", "urn:p", '"1"', None), ("<urn:a>", None, '"1"', None), ('"1"', "<urn:p>", '"1"', None)):
            with pytest.raises(JellybridgeError, match="DataFrame: a row has in column"):
                dataset.publish(frame(wrong))
        with pytest.raises(JellybridgeError, match="no column 'object'"):
            dataset.publish(frame().drop("object"))
        assert len(dataset) == 2
