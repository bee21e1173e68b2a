"""Kills a primary Fuseki, its replicas and a follower at random while sixteen clients write, and compares all of them at the end.

``make storm-fuseki KILLS=30`` runs it. It first measures updates a second without and with a log, and how late a change arrives.
Between the primary and those that follow it is a proxy that delays and cuts connections.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Set

from fuseki_server import FusekiServer

from jellybridge import Dataset, PatchLog

CLIENTS = 16
READERS = "-Djellybridge.patch-logs.readers=_"


def send(url: str, sparql: str, timeout: float = 20) -> None:
    with urllib.request.urlopen(f"{url}/update", urllib.parse.urlencode({"update": sparql}).encode(), timeout=timeout):
        pass


def has(url: str, triple: str) -> bool:
    query = urllib.parse.urlencode({"query": f"ASK {{ {triple} }}"})
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/query?{query}", timeout=5) as answer:
        return b"true" in answer.read()
    return False


def quads(location: str) -> List[str]:
    with Dataset.open(location) as dataset:
        return sorted(" ".join(str(row.get(name)) for name in "spo") for row in dataset.query("SELECT ?s ?p ?o { ?s ?p ?o }"))


def digest(found: List[str]) -> str:
    return hashlib.sha256("\n".join(found).encode()).hexdigest()[:16]


class Proxy:
    """Passes connections on to a port, with delays, and cuts some of them. A setting switches both off."""

    def __init__(self, port: int, seed: int) -> None:
        self._target = port
        self._random = random.Random(seed)
        self._listener = socket.create_server(("localhost", 0))
        self.port: int = self._listener.getsockname()[1]
        self.is_bad = False
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            try:
                server = socket.create_connection(("localhost", self._target), timeout=5)
            except OSError:
                client.close()
                continue
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for data in iter(lambda: one.recv(65536), b""):
                if self.is_bad:
                    time.sleep(self._random.random() * 0.05)
                    if self._random.random() < 0.05:
                        self.cuts += 1
                        other.sendall(data[: len(data) // 2])
                        break
                other.sendall(data)
        for each in (one, other):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
                each.close()


class Client(threading.Thread):
    """Adds and deletes triples of its own, and notes what was acknowledged. What got no answer may be there or not."""

    def __init__(self, number: int, url: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._url, self._stop_event, self._random, self._name = url, stop, random.Random(number), f"urn:c{number}"
        self.there: Set[str] = set()
        self.unsure: Set[str] = set()
        self.deleted: Set[str] = set()
        self.count = 0

    def run(self) -> None:
        number = 0
        while not self._stop_event.is_set():
            number += 1
            old = self._random.choice(sorted(self.there)) if len(self.there) > 5 and self._random.random() < 0.3 else None
            triple = old or f"<{self._name}:{number}> <urn:p> {number}"
            try:
                send(self._url, f"{'DELETE' if old else 'INSERT'} DATA {{ {triple} }}")
            except OSError:
                self.unsure.add(triple)
                self.there.discard(triple)
                self._stop_event.wait(0.2)
                continue
            self.count += 1
            (self.deleted if old else self.there).add(triple)
            if old:
                self.there.discard(old)

    def faults(self, found: Set[str]) -> List[str]:
        lost = [triple for triple in self.there if triple not in found]
        return lost + [triple for triple in self.deleted - self.unsure if triple in found]


@contextlib.contextmanager
def clients(url: str) -> Iterator[List[Client]]:
    stop = threading.Event()
    running = [Client(number, url, stop) for number in range(CLIENTS)]
    for client in running:
        client.start()
    try:
        yield running
    finally:
        stop.set()
        for client in running:
            client.join()


def rate(url: str, seconds: float) -> float:
    begun = time.monotonic()
    with clients(url) as running:
        time.sleep(seconds)
    return sum(client.count for client in running) / (time.monotonic() - begun)


def compare_rates(folder: Path, seconds: float, rounds: int = 5) -> None:
    """Measures two servers in turn, since other processes of the machine make one of them slow for a while."""
    capture = f"-Djellybridge.capture=/ds={folder / 'rate-log'}"
    plain = FusekiServer(module=True, log=folder / "plain.log", database=folder / "plain")
    logged = FusekiServer(module=True, log=folder / "logged.log", database=folder / "logged", options=[capture])
    with plain, logged:
        for server in (plain, logged):
            rate(server.url, seconds)  # until it is warm
        found = [(rate(plain.url, seconds), rate(logged.url, seconds)) for _ in range(rounds)]
    without, with_log = (statistics.median(each) for each in zip(*found))
    ratio = statistics.median(one / other for other, one in found)
    print(f"updates a second of {CLIENTS} clients: {without:.0f} without a log, {with_log:.0f} with one, in each round {ratio:.2f}", flush=True)


def lags(primary: str, replica: str, count: int) -> List[float]:
    found = []
    for number in range(count):
        triple = f"<urn:lag:{number}> <urn:p> {number}"
        send(primary, f"INSERT DATA {{ {triple} }}")
        begun = time.monotonic()
        while not has(replica, triple):
            time.sleep(0.005)
        found.append(time.monotonic() - begun)
    return sorted(found)


class Follower:
    """A process that follows a log into a server."""

    def __init__(self, source: str, target: str, log: Path) -> None:
        self._command = [sys.executable, "-m", "jellybridge", "sync", "--follow", "--poll", "0.2", "--quiet", source, "--to", target]
        self._log = log
        self._process: Optional[subprocess.Popen[bytes]] = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def storm(folder: Path, kills: int, pause: float, seed: int) -> None:
    chosen = random.Random(seed)
    primary = FusekiServer(
        module=True, log=folder / "primary.log", database=folder / "primary", options=[f"-Djellybridge.capture=/ds={folder / 'log'}", READERS],
    )
    proxy = Proxy(primary.port, seed)
    source = f"http://localhost:{proxy.port}/$/patch-logs/ds"
    replica = FusekiServer(
        module=True, log=folder / "replica.log", database=folder / "replica",
        options=[f"-Djellybridge.follow=/ds={source}", "-Djellybridge.follow.poll-seconds=0.1", "-Djellybridge.follow.timeout=5", READERS],
    )
    other = FusekiServer(module=True, log=folder / "other.log", database=folder / "other")
    follower = Follower(source, other.url, folder / "follower.log")
    with primary, replica, other:
        follower.start()
        try:
            found = lags(primary.url, replica.url, 100)
            print(f"lag of the replica: p50 {statistics.median(found) * 1000:.0f} ms, p99 {found[98] * 1000:.0f} ms", flush=True)
            proxy.is_bad = True
            victims: Dict[str, Callable[[], None]] = {}
            for name, server in (("primary", primary), ("replica", replica), ("other", other)):
                victims[name] = lambda server=server: (server.kill(), server.start())[0]  # type: ignore[misc]
            victims["follower"] = lambda: (follower.kill(), follower.start())[0]  # type: ignore[func-returns-value]
            done: Dict[str, int] = dict.fromkeys(victims, 0)
            recovery: List[float] = []
            with clients(primary.url) as running:
                for _ in range(kills):
                    time.sleep(pause * (0.5 + chosen.random()))
                    name = chosen.choice(sorted(victims))
                    begun = time.monotonic()
                    victims[name]()
                    recovery.append(time.monotonic() - begun)
                    done[name] += 1
            print(f"killed: {done}, cuts of the proxy: {proxy.cuts}, longest restart {max(recovery):.1f} s", flush=True)
            proxy.is_bad = False
            served = quads(primary.url)
            begun = time.monotonic()
            while any(quads(server.url) != served for server in (replica, other)):
                if time.monotonic() - begun > 120:
                    break
                time.sleep(0.5)
            print(f"replicas caught up within {time.monotonic() - begun:.1f} s", flush=True)
            hashes = {name: digest(quads(server.url)) for name, server in (("primary", primary), ("replica", replica), ("other", other))}
            faults = [fault for client in running for fault in client.faults({line for line in map(as_data, served)})]
            print(f"acknowledged: {sum(client.count for client in running)}, without an answer: "
                  f"{sum(len(client.unsure) for client in running)}, quads: {len(served)}, hashes: {hashes}", flush=True)
        finally:
            follower.kill()
        primary.stop()
    with PatchLog.open(folder / "log") as log:
        print(f"the log ends with version {log.head.version}", flush=True)
    assert not faults, f"acknowledged and lost: {faults[:5]}"
    assert len(set(hashes.values())) == 1, hashes


def as_data(line: str) -> str:
    subject, predicate, value = line.split(" ")
    return f"{subject} {predicate} {value.split(chr(34))[1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two kills, on average")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a rate is measured in each round")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jellybridge-storm-") as name:
        folder = Path(name)
        if given.seconds:
            compare_rates(folder, given.seconds)
        if given.kills:
            storm(folder, given.kills, given.pause, given.seed)


if __name__ == "__main__":
    main()
