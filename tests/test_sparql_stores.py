"""A dataset of a store that is none of Jena's, Oxigraph or RDF4J, each in its own server, by the SPARQL protocol alone."""

from __future__ import annotations

import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Dict, Iterator, List

import pytest
from fuseki_server import java
from jvm_environment import SHORT

from jellybridge import Dataset, JellybridgeError, PatchLog, PublishReport, UnreachableError

PROJECT = Path(__file__).resolve().parent.parent
_SNAPSHOTS = sorted((PROJECT / "examples" / "snapshots").glob("*.nq"))


class Store:
    """A server in a process of its own; the data outlives it."""

    #: What its default graph is called, where it has to be said.
    options: Dict[str, object] = {}

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.address = f"localhost:{free.getsockname()[1]}"

    @property
    def uri(self) -> str:
        raise NotImplementedError

    def command(self) -> List[str]:
        raise NotImplementedError

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self.command(), stdout=log, stderr=log)
        ask = f"{urllib.parse.urljoin(*self.uri[len('sparql:'):].split('?query='))}?query=ASK%7B%7D"
        for _ in range(600):
            try:
                self.answer()
                urllib.request.urlopen(ask, timeout=5).read()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"it does not answer: {(self.folder / 'log').read_text()}")

    def answer(self) -> None:
        """Sees to it that there is a dataset."""

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Oxigraph(Store):
    @property
    def uri(self) -> str:
        return f"sparql:http://{self.address}/update?query=query"

    def command(self) -> List[str]:
        server = str(Path(sys.executable).with_name("oxigraph"))
        return [server, "serve", "--location", str(self.folder / "data"), "--bind", self.address]


class Rdf4j(Store):
    """In Jetty, with a native store."""

    options = {"default_graph": "http://www.openrdf.org/schema/sesame#nil"}
    _CONFIGURATION = """
        @prefix rep: <http://www.openrdf.org/config/repository#> . @prefix sr: <http://www.openrdf.org/config/repository/sail#> .
        @prefix sail: <http://www.openrdf.org/config/sail#> .
        [] a rep:Repository ; rep:repositoryID "ds" ; rep:repositoryImpl [
            rep:repositoryType "openrdf:SailRepository" ; sr:sailImpl [ sail:sailType "openrdf:NativeStore" ] ] .
        """

    @property
    def uri(self) -> str:
        return f"sparql:http://{self.address}/rdf4j-server/repositories/ds/statements?query=../ds"

    def command(self) -> List[str]:
        jetty, war = (PROJECT / "build" / "classpaths" / "rdf4j.txt").read_text().split(os.pathsep)
        host, port = self.address.split(":")
        return [java(5), *SHORT, f"-Dorg.eclipse.rdf4j.appdata.basedir={self.folder}", "-jar", jetty, "--host", host, "--port", port,
                "--path", "/rdf4j-server", war]

    def answer(self) -> None:
        repository = f"http://{self.address}/rdf4j-server/repositories/ds"
        try:
            urllib.request.urlopen(f"{repository}/size", timeout=5).close()
        except urllib.error.HTTPError:
            urllib.request.urlopen(urllib.request.Request(
                repository, self._CONFIGURATION.encode(), {"Content-Type": "text/turtle"}, method="PUT")).close()


@pytest.fixture(params=[Oxigraph, pytest.param(Rdf4j, marks=pytest.mark.full("stores"))])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param is Rdf4j and os.pathsep not in (PROJECT / "build" / "classpaths" / "rdf4j.txt").read_text():
        pytest.skip("RDF4J's server was not to be had when the project was built")
    folder = tmp_path / "server"
    folder.mkdir()
    server = request.param(folder)
    server.start()
    yield server
    server.kill()


def opened(store: Store, **options: object) -> Dataset:
    return Dataset.open(store.uri, options={**store.options, **options})


def content(dataset: Dataset, file: Path) -> list[str]:
    dataset.dump(file)
    return sorted(file.read_text().splitlines())


def test_snapshots_are_published_into_a_store_and_nothing_the_second_time(store: Store, tmp_path: Path) -> None:
    with opened(store) as dataset, Dataset.open("mem:") as expected:
        for snapshot in _SNAPSHOTS:
            expected.publish(snapshot, blank_nodes="label")
            assert dataset.publish(snapshot, blank_nodes="label").changed
            assert content(dataset, tmp_path / "dump.nq") == content(expected, tmp_path / "expected.nq")
            assert not dataset.publish(snapshot).changed
        renamed = tmp_path / "renamed.nq"
        renamed.write_text(_SNAPSHOTS[-1].read_text().replace("_:", "_:other"))
        assert not dataset.publish(renamed).changed


def test_a_store_follows_a_log_over_its_own_death(store: Store, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log"), Dataset.open("mem:") as source:
        for snapshot in _SNAPSHOTS[:-1]:
            source.publish(snapshot, log=tmp_path / "log")
        with opened(store) as dataset:
            assert dataset.sync(tmp_path / "log", batch_rows=10).patches == len(_SNAPSHOTS) - 1
            source.publish(_SNAPSHOTS[-1], log=tmp_path / "log")
            store.kill()
            with Dataset.open("mem:") as mirror:
                mirror.sync(tmp_path / "log")
            with pytest.raises(UnreachableError):
                dataset.sync(tmp_path / "log")
            store.start()
            assert dataset.sync(tmp_path / "log").patches == 1
            assert dataset.sync(tmp_path / "log").patches == 0
            assert content(dataset, tmp_path / "one.nq") == content(source, tmp_path / "other.nq")


def test_a_step_of_many_requests_arrives_whole(store: Store, tmp_path: Path) -> None:
    quads = "".join(f'<urn:s{i}> <urn:p> "{i}" .\n' for i in range(500)).encode()
    with opened(store, request_rows=7) as dataset:
        assert dataset.publish(quads, format="nquads") == PublishReport(0, 0, 500, 500)
        assert dataset.publish(quads[: len(quads) // 2].rpartition(b"\n")[0] + b"\n", format="nquads").deleted > 200


def test_a_store_that_can_not_be_asked_or_is_none_is_an_error(store: Store) -> None:
    store.kill()
    with pytest.raises(UnreachableError):
        opened(store, attempts=1)
    store.start()
    with Dataset.open(re.sub("/update|/statements", "/none", store.uri), options={**store.options, "attempts": 1}) as dataset:
        with pytest.raises(JellybridgeError):
            dataset.publish(b"<urn:s> <urn:p> <urn:o> .", format="nquads")


_KILLS = 5
_SYNC = """
import json, sys, jellybridge
with jellybridge.Dataset.open(sys.argv[1], options=json.loads(sys.argv[2])) as dataset:
    dataset.sync(sys.argv[3], batch_rows=1)
"""


@pytest.mark.full("stores")
def test_a_sync_that_is_killed_between_its_requests_ends_right_when_it_runs_again(store: Store, tmp_path: Path) -> None:
    states = [[]]
    with PatchLog.create(tmp_path / "log"), Dataset.open("mem:") as source:
        for step in range(12):  # each is several requests, and takes most of the one before away
            quads = "".join(f'<urn:s{i}> <urn:p> "{i}"{" <urn:g>" if i % 2 else ""} .\n' for i in range(step * 30, step * 30 + 40))
            source.publish(quads.encode(), format="nquads", log=tmp_path / "log")
            states.append(content(source, tmp_path / "state.nq"))
    options = json.dumps({**store.options, "request_rows": 3, "break_lease": True})
    command = [sys.executable, "-c", _SYNC, store.uri, options, str(tmp_path / "log")]
    chance = random.Random(5)
    within = 0
    with opened(store) as dataset:
        for _ in range(_KILLS):
            before = len(dataset)
            process = subprocess.Popen(command)
            while process.poll() is None and len(dataset) == before:
                pass
            time.sleep(chance.uniform(0, 0.02))
            process.kill()
            process.wait()
            within += content(dataset, tmp_path / "state.nq") not in states
        assert within > 0, "no process was killed between two requests"
        subprocess.run(command, check=True)
        assert dataset.sync(tmp_path / "log").patches == 0
        assert content(dataset, tmp_path / "state.nq") == states[-1]
