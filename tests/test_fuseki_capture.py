"""A Fuseki that records, in a process of its own: how it ends and starts again, and who follows it."""

from __future__ import annotations

import contextlib
import json
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Callable, List, Tuple

import pytest
from fuseki_server import FusekiServer

from jellybridge import Dataset, JellybridgeError, PatchLog, _dataset

JENAS = [5, pytest.param(6, marks=pytest.mark.full("jena6"))]
READERS = "-Djellybridge.patch-logs.readers=_"


def update(server: FusekiServer, sparql: str) -> Tuple[int, str]:
    body = urllib.parse.urlencode({"update": sparql}).encode()
    try:
        with urllib.request.urlopen(f"{server.url}/update", body, timeout=60) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()


def insert(server: FusekiServer, number: int) -> Tuple[int, str]:
    return update(server, f"INSERT DATA {{ GRAPH <urn:g> {{ <urn:s{number}> <urn:p> {number} }} }}")


def quads(dataset: str) -> List[str]:
    with Dataset.open(dataset) as opened:
        found = opened.query("SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }")
    return sorted(" ".join(str(row.get(name)) for name in "gspo") for row in found if row.get("g") != "<urn:jellybridge:sync>")


def address(server: FusekiServer) -> str:
    return f"http://localhost:{server.port}/$/patch-logs/ds"


@pytest.mark.parametrize("jena", JENAS)
def test_what_was_acknowledged_outlives_a_kill(jena: int, tmp_path: Path) -> None:
    log = tmp_path / "history"
    server = FusekiServer(
        module=True, log=tmp_path / "fuseki.log", database=tmp_path / "database", jena=jena,
        options=[f"-Djellybridge.capture=/ds={log}", READERS],
    )
    acknowledged: List[int] = []

    def write(first: int) -> None:
        with contextlib.suppress(OSError):
            for number in range(first, first + 10_000):
                assert insert(server, number)[0] < 300
                acknowledged.append(number)

    with server:
        for first in (0, 10_000):
            writer = threading.Thread(target=write, args=(first,))
            writer.start()
            until = time.monotonic() + 60
            while sum(number >= first for number in acknowledged) < 20 and time.monotonic() < until:
                time.sleep(0.02)
            server.kill()
            writer.join()
            server.start_after_kill()
        served = quads(server.url)
        for number in acknowledged:
            assert any(f"<urn:s{number}>" in quad for quad in served), f"{number} was acknowledged and is lost"
        with Dataset.open("mem:") as replica:
            replica.sync(address(server))
            assert len(replica) == len(served)
        assert len(acknowledged) >= 40 and quads(server.url) == served
        assert insert(server, 5)[0] < 300
        server.stop()
    with PatchLog.open(log) as ended, Dataset.open("mem:") as replica:
        assert replica.sync(log).patches == ended.head.version
        with Dataset.open(f"tdb2:{tmp_path / 'database'}") as database:
            assert len(replica) == len(database)
        assert not list(log.glob(".*.part")), "SIGTERM left an open file"


def test_a_full_disk_refuses_changes_until_there_is_room(tmp_path: Path) -> None:
    log = tmp_path / "history"
    options = [f"-Djellybridge.capture=/ds={log}", READERS]
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", options=options) as server:
        assert insert(server, 1)[0] < 300
        process = server._process
        assert process is not None
        before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))
        for _ in range(2):
            status, answer = update(server, 'INSERT DATA { <urn:large> <urn:p> "%s" }' % ("x" * 100_000))
            assert status == 500 and "change log" in answer, answer
        assert len(quads(server.url)) == 1
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)
        assert insert(server, 2)[0] < 300
        with Dataset.open("mem:") as replica:
            assert replica.sync(address(server)).patches == 2
            assert len(replica) == 2


def test_a_restart_in_memory_refuses_or_resets_its_log(tmp_path: Path) -> None:
    options = [f"-Djellybridge.capture=/ds={tmp_path / 'history'}", READERS]
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", options=options) as server:
        insert(server, 1)
        server.stop()
        with pytest.raises(RuntimeError, match="the dataset /ds can't be recorded: .*never captured into it"):
            server.start()
    options.append("-Djellybridge.capture.start=reset")
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", options=options) as server, Dataset.open("mem:") as replica:
        replica.sync(address(server))
        assert (len(replica), insert(server, 2)[0] < 300) == (0, True)
        assert (replica.sync(address(server)).patches, len(replica)) == (1, 1)


def test_a_follower_is_told_of_a_new_version_without_a_poll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: List[bool] = []

    def watched_waiting(*given: Any) -> Callable[[int], bool]:
        wait = waiting(*given)
        assert wait is not None

        def watched(after: int) -> bool:
            threading.Timer(0.2, insert, (server, after)).start()
            waits.append(wait(after))
            return waits[-1]

        return watched

    waiting = _dataset.waiting
    monkeypatch.setattr(_dataset, "waiting", watched_waiting)
    options = [f"-Djellybridge.capture=/ds={tmp_path / 'history'}", READERS]
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", options=options) as server, Dataset.open("mem:") as replica:
        insert(server, 0)
        for number, report in enumerate(replica.follow(address(server), poll_seconds=60)):
            assert (report.version, report.head, waits) == (number + 1, number + 1, [True] * number)
            if number == 2:
                break


def scrape(port: int, name: str, value: float) -> bool:
    """Whether a metric of a follower has that value within a while."""
    for _ in range(600):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            if re.search(rf"^jellybridge_{name}{{.*}} {value}$", answer.read().decode(), re.MULTILINE):
                return True
        time.sleep(0.05)
    return False


def test_a_follower_goes_on_over_an_outage_and_ends_after_its_batch(tmp_path: Path) -> None:
    server = FusekiServer(
        module=True, log=tmp_path / "fuseki.log", database=tmp_path / "database",
        options=[f"-Djellybridge.capture=/ds={tmp_path / 'history'}", READERS],
    )
    replica = f"tdb2:{tmp_path / 'replica'}"
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port: int = free.getsockname()[1]
    with server, (tmp_path / "errors").open("wb") as errors:
        insert(server, 1)
        follower = subprocess.Popen(
            [sys.executable, "-m", "jellybridge", "sync", "--follow", "--poll", "0.2", "--json", "--metrics", str(port), address(server),
             "--to", replica], stdout=subprocess.PIPE, stderr=errors,
        )
        assert follower.stdout is not None
        try:
            assert json.loads(follower.stdout.readline())["patches"] == 1
            server.kill()
            assert scrape(port, "follower_healthy", 0)
            server.start()
            insert(server, 2)
            assert json.loads(follower.stdout.readline())["added"] == 1
            assert scrape(port, "follower_healthy", 1) and scrape(port, "follower_version", 2)
            follower.send_signal(signal.SIGTERM)
            assert follower.wait(timeout=60) == 0
        finally:
            follower.kill()
        state = subprocess.run(
            [sys.executable, "-m", "jellybridge", "status", replica, address(server), "--json"], stdout=subprocess.PIPE, check=True,
        )
        found = json.loads(state.stdout)
        assert (found["version"], found["head"], found["seconds"], found["error"]) == (2, 2, 0.0, None)
        assert quads(replica) == quads(server.url)


def test_a_server_follows_by_a_property_and_takes_nothing_else(tmp_path: Path) -> None:
    primary = FusekiServer(
        module=True, log=tmp_path / "primary.log", database=tmp_path / "database",
        options=[f"-Djellybridge.capture=/ds={tmp_path / 'history'}", READERS],
    )
    with primary:
        options = [f"-Djellybridge.follow=/ds={address(primary)}", "-Djellybridge.follow.poll-seconds=0.1", READERS]
        with FusekiServer(module=True, log=tmp_path / "replica.log", database=tmp_path / "replica", options=options) as replica:
            insert(primary, 1)
            until = time.monotonic() + 30
            while not quads(replica.url) and time.monotonic() < until:
                time.sleep(0.05)
            assert quads(replica.url) == quads(primary.url)
            with Dataset.open(replica.url) as dataset:
                assert str(dataset.lag(address(primary))) == "at version 1 of 1, 0 patches behind"
                insert(primary, 2)
                with pytest.raises(JellybridgeError, match="follows a patch log"):
                    dataset.update("INSERT DATA { <urn:a> <urn:b> 1 }")
            replica.kill()
            primary.kill()
            primary.start()
            insert(primary, 3)
            replica.start()
            while len(quads(replica.url)) < 3 and time.monotonic() < until + 60:
                time.sleep(0.05)
            assert quads(replica.url) == quads(primary.url)
