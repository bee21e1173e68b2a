"""Kills a primary Fuseki, its replicas and a follower at random while sixteen clients write, and compares all of them at the end.

``make storm-fuseki KILLS=30`` runs it. It first measures updates a second without and with a log, and how late a change arrives.
Between the primary and those that follow it is a proxy that delays, repeats and cuts. One more is before a server that a follower
changes. Once, the disk of the log is full.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import http.client
import http.server
import random
import socketserver
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
from typing import Callable, Dict, Iterator, List, Optional, Set, Tuple

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
    """Passes requests on to a port. A setting makes it bad: it then delays requests, so that later ones overtake them, sends some
    once more when their answer is long there, and cuts some answers.
    """

    def __init__(self, port: int, seed: int) -> None:
        self._target = port
        self._random = random.Random(seed)
        self.is_bad = False
        self.counts = dict.fromkeys(("delays", "repeats", "cuts"), 0)
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline(65537)
                if not self.raw_requestline or not self.parse_request():
                    self.close_connection = True
                else:
                    proxy._pass(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 100

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # the client is gone

        self._server = Server(("localhost", 0), Handler)
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _happens(self, what: str, chance: float) -> bool:
        if not self.is_bad or self._random.random() >= chance:
            return False
        self.counts[what] += 1
        return True

    def _pass(self, handler: http.server.BaseHTTPRequestHandler) -> None:
        body = self._body(handler)
        if self.is_bad:
            time.sleep(self._random.random() * (1 if self._happens("delays", 0.05) else 0.05))
        try:
            answer, content = self._send(handler, body)
        except (OSError, http.client.HTTPException):
            handler.close_connection = True  # without an answer
            return
        if self._happens("repeats", 0.1):
            threading.Timer(self._random.random(), self._repeat, (handler, body)).start()
        handler.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                handler.send_header(name, value)
        handler.send_header("Content-Length", str(answer.getheader("Content-Length") or len(content)))
        handler.end_headers()
        if self._happens("cuts", 0.05):
            content = content[: len(content) // 2]
            handler.close_connection = True
        handler.wfile.write(content)

    def _send(self, handler: http.server.BaseHTTPRequestHandler, body: bytes) -> Tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("localhost", self._target, timeout=60)
        with contextlib.closing(connection):
            headers = {name: value for name, value in handler.headers.items() if name.lower() not in ("transfer-encoding", "expect")}
            if body:
                headers["Content-Length"] = str(len(body))
            connection.request(handler.command, handler.path, body or None, headers)
            answer = connection.getresponse()
            return answer, answer.read()

    def _repeat(self, handler: http.server.BaseHTTPRequestHandler, body: bytes) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            self._send(handler, body)

    @staticmethod
    def _body(handler: http.server.BaseHTTPRequestHandler) -> bytes:
        if "chunked" not in handler.headers.get("Transfer-Encoding", ""):
            return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        found = b""
        while size := int(handler.rfile.readline().partition(b";")[0], 16):
            found += handler.rfile.read(size)
            handler.rfile.readline()
        handler.rfile.readline()
        return found


class SmallDisk:
    """A file system of its own in a folder, which can be full. ``problem`` says why there is none, in other places than Linux as root."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        try:
            done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512m", "tmpfs", folder], capture_output=True, text=True, check=False)
            self.problem: Optional[str] = done.stderr.strip() if done.returncode else None
        except OSError as e:
            self.problem = str(e)

    def fill(self) -> None:
        with contextlib.suppress(OSError), (self._folder / "fill").open("wb", buffering=0) as file:
            while file.write(bytes(1 << 16)):
                pass

    def make_room(self) -> None:
        (self._folder / "fill").unlink()

    def close(self) -> None:
        if self.problem is None:
            subprocess.run(["umount", "--lazy", self._folder], check=False)


def fill_once(disk: SmallDisk, url: str) -> None:
    """Lets the disk of a log be full until the server refuses a change, and then until it takes one again."""
    if disk.problem is not None:
        print(f"no full disk, since a small file system can't be mounted: {disk.problem}", flush=True)
        return
    number, refused = 0, 0
    disk.fill()
    until = time.monotonic() + 60
    try:
        while not refused:
            assert time.monotonic() < until, "the disk is full, and the server takes each change"
            number += 1
            try:
                send(url, f"INSERT DATA {{ <urn:full> <urn:p> {number} }}")
            except urllib.error.HTTPError as e:
                refused = e.code
        assert refused == 500, refused
        assert has(url, "?s ?p ?o"), "a server whose disk is full answers no queries"
    finally:
        disk.make_room()
    begun = time.monotonic()
    send(url, "INSERT DATA { <urn:full> <urn:p> 0 }", timeout=60)
    print(f"the disk was full: changes were refused, and taken {time.monotonic() - begun:.1f} s after there was room", flush=True)


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
    disk = SmallDisk(folder / "disk")
    try:
        storm_on(disk, folder, kills, pause, seed)
    finally:
        disk.close()


def storm_on(disk: SmallDisk, folder: Path, kills: int, pause: float, seed: int) -> None:
    chosen = random.Random(seed)
    log = folder / "disk" / "log"
    primary = FusekiServer(
        module=True, log=folder / "primary.log", database=folder / "primary", options=[f"-Djellybridge.capture=/ds={log}", READERS],
    )
    proxy = Proxy(primary.port, seed)
    source = f"http://localhost:{proxy.port}/$/patch-logs/ds"
    replica = FusekiServer(
        module=True, log=folder / "replica.log", database=folder / "replica",
        options=[f"-Djellybridge.follow=/ds={source}", "-Djellybridge.follow.poll-seconds=0.1", "-Djellybridge.follow.timeout=5", READERS],
    )
    other = FusekiServer(module=True, log=folder / "other.log", database=folder / "other")
    before_other = Proxy(other.port, seed + 1)
    follower = Follower(source, f"http://localhost:{before_other.port}/ds", folder / "follower.log")
    with primary, replica, other:
        follower.start()
        try:
            found = lags(primary.url, replica.url, 100)
            print(f"lag of the replica: p50 {statistics.median(found) * 1000:.0f} ms, p99 {found[98] * 1000:.0f} ms", flush=True)
            proxy.is_bad = before_other.is_bad = True
            victims: Dict[str, Callable[[], None]] = {}
            for name, server in (("primary", primary), ("replica", replica), ("other", other)):
                victims[name] = lambda server=server: (server.kill(), server.start_after_kill())[0]  # type: ignore[misc]
            victims["follower"] = lambda: (follower.kill(), follower.start())[0]  # type: ignore[func-returns-value]
            done: Dict[str, int] = dict.fromkeys(victims, 0)
            recovery: List[float] = []
            with clients(primary.url) as running:
                for number in range(kills):
                    if number == kills // 2:
                        fill_once(disk, primary.url)
                    time.sleep(pause * (0.5 + chosen.random()))
                    name = chosen.choice(sorted(victims))
                    begun = time.monotonic()
                    victims[name]()
                    recovery.append(time.monotonic() - begun)
                    done[name] += 1
            print(f"killed: {done}, the proxies: {proxy.counts} and {before_other.counts}, longest restart {max(recovery):.1f} s", flush=True)
            proxy.is_bad = before_other.is_bad = False
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
    with PatchLog.open(log) as ended:
        print(f"the log ends with version {ended.head.version}", flush=True)
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
