"""A dataset of a store that is none of Jena's: Oxigraph's own server, by the SPARQL protocol alone."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Iterator

import pytest

from jellybridge import Dataset, JellybridgeError, PatchLog, PublishReport, UnreachableError

_OXIGRAPH = Path(sys.executable).with_name("oxigraph")
_SNAPSHOTS = sorted((Path(__file__).resolve().parent.parent / "examples" / "snapshots").glob("*.nq"))


class Oxigraph:
    """The server in a process of its own; the data outlives it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self._address = f"localhost:{free.getsockname()[1]}"
        self.uri = f"sparql:http://{self._address}/update?query=query"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [str(_OXIGRAPH), "serve", "--location", str(self._folder), "--bind", self._address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://{self._address}/query?query=ASK%7B%7D", timeout=5).read()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("Oxigraph does not answer")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def oxigraph(tmp_path: Path) -> Iterator[Oxigraph]:
    server = Oxigraph(tmp_path / "oxigraph")
    server.start()
    yield server
    server.kill()


def content(dataset: Dataset, file: Path) -> list[str]:
    dataset.dump(file)
    return sorted(file.read_text().splitlines())


def test_snapshots_are_published_into_oxigraph_and_nothing_the_second_time(oxigraph: Oxigraph, tmp_path: Path) -> None:
    with Dataset.open(oxigraph.uri) as dataset, Dataset.open("mem:") as expected:
        for snapshot in _SNAPSHOTS:
            expected.publish(snapshot, blank_nodes="label")
            assert dataset.publish(snapshot, blank_nodes="label").changed
            assert content(dataset, tmp_path / "dump.nq") == content(expected, tmp_path / "expected.nq")
            assert not dataset.publish(snapshot).changed
        renamed = tmp_path / "renamed.nq"
        renamed.write_text(_SNAPSHOTS[-1].read_text().replace("_:", "_:other"))
        assert not dataset.publish(renamed).changed


def test_oxigraph_follows_a_log_over_its_own_death(oxigraph: Oxigraph, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log"), Dataset.open("mem:") as source:
        for snapshot in _SNAPSHOTS[:-1]:
            source.publish(snapshot, log=tmp_path / "log")
        with Dataset.open(oxigraph.uri) as dataset:
            assert dataset.sync(tmp_path / "log", batch_rows=10).patches == len(_SNAPSHOTS) - 1
            source.publish(_SNAPSHOTS[-1], log=tmp_path / "log")
            oxigraph.kill()
            with Dataset.open("mem:") as mirror:
                mirror.sync(tmp_path / "log")
            with pytest.raises(UnreachableError):
                dataset.sync(tmp_path / "log")
            oxigraph.start()
            assert dataset.sync(tmp_path / "log").patches == 1
            assert dataset.sync(tmp_path / "log").patches == 0
            assert content(dataset, tmp_path / "one.nq") == content(source, tmp_path / "other.nq")


def test_a_step_of_many_requests_arrives_whole(oxigraph: Oxigraph, tmp_path: Path) -> None:
    quads = "".join(f'<urn:s{i}> <urn:p> "{i}" .\n' for i in range(500)).encode()
    with Dataset.open(oxigraph.uri, options={"request_rows": 7}) as dataset:
        assert dataset.publish(quads, format="nquads") == PublishReport(0, 0, 500, 500)
        assert dataset.publish(quads[: len(quads) // 2].rpartition(b"\n")[0] + b"\n", format="nquads").deleted > 200


def test_a_store_that_can_not_be_asked_or_is_none_is_an_error(oxigraph: Oxigraph) -> None:
    oxigraph.kill()
    with pytest.raises(UnreachableError):
        Dataset.open(oxigraph.uri, options={"attempts": 1})
    oxigraph.start()
    with Dataset.open(oxigraph.uri.replace("/update", "/none"), options={"attempts": 1}) as dataset:
        with pytest.raises(JellybridgeError):
            dataset.publish(b"<urn:s> <urn:p> <urn:o> .", format="nquads")
