"""The file logs that a stock Fuseki writes by its configuration, ``patch:LoggedDataset``, followed while it writes."""

from __future__ import annotations

import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Dict, List

import pytest
from fuseki_server import FusekiServer

from jellybridge import Dataset

POLICIES = ["date", "index", "rotate", "none"]
PREFIXES = """
PREFIX : <#> PREFIX fuseki: <http://jena.apache.org/fuseki#> PREFIX patch: <http://jena.apache.org/rdf-patch#>
PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
"""
SERVICE = """
:{name} a fuseki:Service ; fuseki:name "{name}" ;
    fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "query" ] , [ fuseki:operation fuseki:update ] ;
    fuseki:dataset [ a patch:LoggedDataset ; patch:log "{file}" ; patch:logPolicy "{policy}" ; ja:dataset :db-{name} ] .
:db-{name} a ja:DatasetTxnMem .
"""
#: Long enough that Fuseki writes out the beginning of a transaction before its end.
ROWS = 300


def update(server: FusekiServer, policy: str, number: int) -> None:
    """Takes back what the one before added, in one transaction."""
    old, new = ("".join(f"<urn:s:{row}> <urn:p> {value} . " for row in range(ROWS)) for value in (number - 1, number))
    name = "ds" if policy == "none" else policy
    text = f"DELETE DATA {{ {old} }} ; INSERT DATA {{ {new} }}"
    request = urllib.request.Request(
        f"{server.url.rpartition('/')[0]}/{name}", urllib.parse.urlencode({"update": text}).encode())
    with urllib.request.urlopen(request, timeout=60):
        pass


def values(dataset: Dataset) -> List[str]:
    return [row["o"].split('"')[1] for row in dataset.query("SELECT DISTINCT ?o { ?s ?p ?o }")]


def test_the_file_logs_of_a_stock_fuseki_are_followed_while_it_writes_and_when_it_starts_again(tmp_path: Path) -> None:
    folders = {policy: tmp_path / policy for policy in POLICIES}
    config = tmp_path / "config.ttl"
    services = ""
    for policy, folder in folders.items():
        folder.mkdir()
        services += SERVICE.format(name="ds" if policy == "none" else policy, policy=policy, file=folder / "log.rdfp")
    config.write_text(PREFIXES + services)
    server = FusekiServer(module=False, log=tmp_path / "fuseki.log", config=config)
    replicas: Dict[str, Dataset] = {policy: Dataset.open("mem:") for policy in POLICIES}
    patches = {policy: 0 for policy in POLICIES}

    def follow() -> None:
        for policy, replica in replicas.items():
            if any(folders[policy].iterdir()):
                patches[policy] += replica.sync(folders[policy]).patches
            assert len(values(replica)) <= 1, "a transaction is applied whole"

    per_run = 8
    for run in range(2):
        with server:
            def write(first: int = 1 + run * per_run) -> None:
                for number in range(first, first + per_run):
                    for policy in POLICIES:
                        update(server, policy, number)

            writer = threading.Thread(target=write)
            writer.start()
            while writer.is_alive():
                follow()
            writer.join()
            follow()
            last = str((run + 1) * per_run)
            assert {policy: values(replica) for policy, replica in replicas.items()} == {policy: [last] for policy in POLICIES}
            assert {policy: len(replica) for policy, replica in replicas.items()} == {policy: ROWS for policy in POLICIES}
    assert patches == {policy: 2 * per_run for policy in POLICIES}, "each transaction is a patch"
    assert len(list(folders["rotate"].iterdir())) == 2 and len(list(folders["index"].iterdir())) == 2 * per_run
    for replica in replicas.values():
        replica.close()
