"""Fuseki in a process of its own, with our slim jar beside its jars: what curl would see."""

from __future__ import annotations

import gzip
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Dict, Tuple

import pytest
from fuseki_server import FusekiServer

from jellybridge import ChangeRow, Dataset, JellybridgeError, write_patch

JELLY = "application/x-jelly-rdf-patch"
ROWS = [ChangeRow(op="TX"), ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="_:b"), ChangeRow(op="TC")]


def send(server: FusekiServer, body: bytes, **headers: str) -> Tuple[int, Dict[str, Any]]:
    request = urllib.request.Request(
        f"{server.url}/patch", body, {name.replace("_", "-"): value for name, value in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as e:
        return e.code, json.load(e)


def test_the_slim_jar_beside_fuseki_turns_the_module_on(tmp_path: Path) -> None:
    patch = tmp_path / "one.jellyp"
    write_patch(patch, ROWS)
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", database=tmp_path / "database") as server:
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


@pytest.mark.parametrize("module", [False, True])
def test_what_was_applied_outlives_the_server(module: bool, tmp_path: Path) -> None:
    patch = tmp_path / "one.jellyp"
    write_patch(patch, ROWS)
    server = FusekiServer(module=module, log=tmp_path / "fuseki.log", database=tmp_path / "database")
    with server:
        with Dataset.open(server.url, options={"attempts": 1}) as dataset:
            dataset.apply(patch)
            server.kill()
            with pytest.raises(JellybridgeError, match="no connection"):
                dataset.apply(patch)
            server.start()
            assert len(dataset) == 1
