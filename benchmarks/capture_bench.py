"""Measures what recording costs a Fuseki; what it prints is an object of figures in JSON, in seconds.

    python benchmarks/capture_bench.py FOLDER SECONDS

Two servers with our module, each with a TDB2 database on disk, take small updates for so many seconds in each of five turns. One
of them records into a log in a folder. A reader asks each of them meanwhile, and once more while nobody writes.
"""

from __future__ import annotations

import http.client
import itertools
import json
import statistics
import sys
import threading
import time
import urllib.parse
from pathlib import Path
from typing import Dict, List, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from fuseki_server import FusekiServer  # noqa: E402

TURNS = 5
CLIENTS = (1, 16)
GRAPHS = {"the default graph": "{0}", "a named graph": "GRAPH <urn:example:graph> {{ {0} }}"}
_NUMBERS = itertools.count()


class Connection:
    """Sends requests over one connection, which stays open."""

    def __init__(self, server: FusekiServer) -> None:
        where = urllib.parse.urlsplit(server.url)
        self._connection, self._path = http.client.HTTPConnection(where.netloc), where.path

    def send(self, path: str, body: str, kind: str) -> None:
        self._connection.request("POST", self._path + path, body.encode(), {"Content-Type": f"application/sparql-{kind}"})
        answer = self._connection.getresponse()
        answer.read()
        assert answer.status in (200, 204), answer.status


class Worker(threading.Thread):
    """Sends one request after the other until it is told to end, and keeps the seconds of each."""

    def __init__(self, server: FusekiServer, ended: threading.Event, pattern: Optional[str]) -> None:
        super().__init__(daemon=True)
        self._connection, self._ended, self._pattern = Connection(server), ended, pattern
        self.times: List[float] = []

    def run(self) -> None:
        while not self._ended.is_set():
            number = next(_NUMBERS)
            begun = time.perf_counter()
            if self._pattern is None:
                self._connection.send("/query", f"SELECT * {{ <urn:example:{number % 100}> ?p ?o }}", "query")
            else:
                data = f'<urn:example:{number}> <urn:example:label> "The label of {number}" ; <urn:example:number> {number} .'
                self._connection.send("/update", f"INSERT DATA {{ {self._pattern.format(data)} }}", "update")
            self.times.append(time.perf_counter() - begun)


def run(server: FusekiServer, seconds: float, patterns: List[Optional[str]]) -> Tuple[float, List[Worker]]:
    """Returns what it took until all had ended, and the workers."""
    ended = threading.Event()
    begun = time.perf_counter()
    workers = [Worker(server, ended, pattern) for pattern in patterns]
    for worker in workers:
        worker.start()
    time.sleep(seconds)
    ended.set()
    for worker in workers:
        worker.join()
    return time.perf_counter() - begun, workers


def measure(servers: Dict[str, FusekiServer], seconds: float) -> Dict[str, float]:
    """Runs the servers in turns, since what else the machine does makes one of them slow for a while."""
    found: Dict[str, List[float]] = {}
    waited: Dict[str, List[float]] = {}
    for turn in range(TURNS + 1):
        for clients, (graph, pattern) in itertools.product(CLIENTS, GRAPHS.items()):
            for way, server in servers.items():
                took, workers = run(server, seconds, [pattern] * clients + [None])
                if turn:  # the first warms all
                    updates = sum(len(worker.times) for worker in workers[:-1])
                    found.setdefault(f"capture: update of {graph}, clients: {clients}{way}", []).append(took / updates)
                    waited.setdefault(f"capture: query while clients write: {clients}{way}", []).extend(workers[-1].times)
        for way, server in servers.items():
            waited.setdefault(f"capture: query while clients write: 0{way}", []).extend(run(server, seconds, [None])[1][0].times)
    figures = {name: statistics.median(values) for name, values in found.items()}
    for name, times in waited.items():
        figures[name] = statistics.median(times)
        figures[name.replace("query", "slow query")] = statistics.quantiles(times, n=100)[-1]
    return figures


def main(folder: Path, seconds: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    recording = FusekiServer(module=True, short=False, log=folder / "recording.log", database=folder / "recording",
                             options=[f"-Djellybridge.capture=/ds={log}"])
    plain = FusekiServer(module=True, short=False, log=folder / "plain.log", database=folder / "plain")
    with recording, plain:
        print(json.dumps(measure({"": recording, ", without a log": plain}, seconds)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
