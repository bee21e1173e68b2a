"""Fuseki in a process of its own, of Jena 5 and of Jena 6, with our slim jar beside its jars: what curl would see."""

from __future__ import annotations

import gzip
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Dict, Tuple

import pytest
from fuseki_server import FusekiServer

from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, read_patch, write_patch

JELLY = "application/x-jelly-rdf-patch"
ROWS = [ChangeRow(op="TX"), ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="_:b"), ChangeRow(op="TC")]


JENAS = [5, pytest.param(6, marks=pytest.mark.full("jena6"))]


def send(server: FusekiServer, body: bytes, **headers: str) -> Tuple[int, Dict[str, Any]]:
    request = urllib.request.Request(
        f"{server.url}/patch", body, {name.replace("_", "-"): value for name, value in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as e:
        return e.code, json.load(e)


@pytest.mark.parametrize("jena", JENAS)
def test_the_slim_jar_beside_fuseki_turns_the_module_on(jena: int, tmp_path: Path) -> None:
    patch = tmp_path / "one.jellyp"
    write_patch(patch, ROWS)
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", database=tmp_path / "database", jena=jena) as server:
        status, answer = send(server, gzip.compress(patch.read_bytes()), Content_Type=JELLY, Content_Encoding="gzip")
        assert status == 200
        assert answer == {
            "applied": True, "patches": 1, "transactions": 1, "added": 1, "deleted": 0, "aborted": 0, "changed": 1,
        }
        status, answer = send(server, patch.read_bytes()[:-1], Content_Type=JELLY)
        assert (status, answer["error"], answer["rule"]) == (400, "format", "P-125")
        status, answer = send(server, b"H id <urn:uuid:2> .\nH prev <urn:uuid:1> .", Content_Type="application/rdf-patch")
        assert (status, answer["expected"], answer["found"]) == (409, "<urn:uuid:1>", None)
        with Dataset.open(server.url) as dataset:
            assert dataset.query("SELECT * { ?s ?p ?o }") == [{"s": "<urn:s>", "p": "<urn:p>", "o": "_:b"}]


@pytest.mark.parametrize("jena", JENAS)
@pytest.mark.parametrize("module", [False, True])
def test_what_was_applied_outlives_the_server(module: bool, jena: int, tmp_path: Path) -> None:
    patch = tmp_path / "one.jellyp"
    write_patch(patch, ROWS)
    server = FusekiServer(module=module, log=tmp_path / "fuseki.log", database=tmp_path / "database", jena=jena)
    with server:
        with Dataset.open(server.url, options={"attempts": 1}) as dataset:
            dataset.apply(patch)
            server.kill()
            with pytest.raises(JellybridgeError, match="no connection"):
                dataset.apply(patch)
            server.start_after_kill()
            assert len(dataset) == 1


@pytest.mark.full("jena6")
def test_a_tdb2_folder_goes_from_jena_5_to_6_and_back(tmp_path: Path) -> None:
    objects = ["<<( <urn:a> <urn:b> \"c\"@en )>>", '"text"@ar--rtl', '"1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>']
    log, database = tmp_path / "log", tmp_path / "database"
    log.mkdir()

    def follow(number: int, uri: str) -> None:
        """Has a dataset follow the log, which got one more patch."""
        header = [ChangeRow(op="H", name="id", value=f"<urn:id:{number}>")]
        if number > 1:
            header.append(ChangeRow(op="H", name="prev", value=f"<urn:id:{number - 1}>"))
        rows = [ChangeRow(op="A", subject=f"<urn:{number}>", predicate="<urn:p>", object=term) for term in objects]
        write_patch(log / f"{number}.jellyp", header + ROWS[:1] + rows + ROWS[2:], rdf_star=True)
        with Dataset.open(uri) as dataset:
            assert dataset.sync(log).patches == 1
            assert len(dataset) == number * len(objects)

    follow(1, f"tdb2:{database}")
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", database=database, jena=6) as server:
        follow(2, server.url)
    follow(3, f"tdb2:{database}")
    with Dataset.open(f"tdb2:{database}") as dataset:
        found = dataset.query("SELECT ?s ?o { ?s ?p ?o }")
        assert {(row["s"], row["o"]) for row in found} == {(f"<urn:{n}>", term) for n in (1, 2, 3) for term in objects}
        with dataset.capture(tmp_path / "captured.jellyp"):
            dataset.update('DELETE WHERE { <urn:2> ?p ?o }')
    with read_patch(tmp_path / "captured.jellyp") as captured:
        assert {row.object for row in captured if row.op == "D"} == set(objects)


@pytest.mark.parametrize("module", [False, True])
def test_a_dataset_begins_with_a_checkpoint_and_is_compared_with_its_log(module: bool, tmp_path: Path) -> None:
    integer = "http://www.w3.org/2001/XMLSchema#integer"
    terms = {"subject": "_:b.x", "predicate": "<urn:p>", "graph": "_:g"}
    with PatchLog.create(tmp_path / "log") as log:
        for number in range(1, 6):
            objects = (f'"{number}"@en-gb', f'"0{number}"^^<{integer}>', f'<<( <urn:a> <urn:b> "{number}" )>>')
            rows = [ChangeRow(op="PA", name="x", value="<urn:x>"), *(ChangeRow(op="A", object=o, **terms) for o in objects)]
            write_patch(tmp_path / "one.jellyp", rows, rdf_star=True)
            log.append(tmp_path / "one.jellyp")
        log.checkpoint(3)
        log.prune(before=4)
    with FusekiServer(module=module, log=tmp_path / "fuseki.log") as server, Dataset.open(server.url) as dataset:
        report = dataset.sync(tmp_path / "log")
        assert (report.checkpoint, report.patches, len(dataset)) == (3, 2, 15)
        assert dataset.verify(tmp_path / "log").ok
        dataset.update('INSERT DATA { <urn:new> <urn:p> "x" }')
        assert dataset.verify(tmp_path / "log").surplus_quads == ('<urn:new> <urn:p> "x" .',)


def test_a_server_with_a_torn_entry_in_its_journal_starts_as_the_guide_says(tmp_path: Path) -> None:
    patch = tmp_path / "one.jellyp"
    write_patch(patch, ROWS)
    server = FusekiServer(module=True, log=tmp_path / "fuseki.log", database=tmp_path / "database")
    with server:
        with Dataset.open(server.url) as dataset:
            dataset.apply(patch)
        server.kill()
        # The head of an entry of 1,000 bytes, and none of them.
        with next((tmp_path / "database").glob("Data-*/journal.jrnl")).open("ab") as journal:
            journal.write(bytes.fromhex("00000001000003e80000000000000001"))
        with pytest.raises(RuntimeError, match="did not start"):
            server.start()
        server.start_after_kill()
        with Dataset.open(server.url) as dataset:
            assert len(dataset) == 1
