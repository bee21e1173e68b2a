"""Measures a publication of a catalogue of which a little changed; what it prints is an object of figures in JSON.

    python benchmarks/publish_bench.py FOLDER TRIPLES

The catalogue has eight triples a record, two of them about a blank node, whose labels are others each time. One record in a
hundred changed. Beside the publication stands the way that needs no jellybridge: to clear the store and load the new file. A
reader asks the Fuseki all the time; its longest wait for an answer is measured too. Seconds, bytes and rows.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Dict, Iterator, Tuple

from jellybridge import Dataset

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from fuseki_server import FusekiServer  # noqa: E402
from stopwatch import seconds  # noqa: E402

_NAME = "http://catalogue.example/"
_VOCABULARY = "http://catalogue.example/vocabulary#"


def catalogue(file: Path, triples: int, changed: bool, label: str) -> None:
    """Writes N-Triples. The same records each time; with ``changed`` one in a hundred has another title."""
    dice = random.Random(1)
    with file.open("w") as out:
        for i in range(triples // 8):
            title = f"Record {i} of {dice.randrange(10**9)}" + (", revised" if changed and i % 100 == 0 else "")
            blank = f"_:{label}{i * 7919 % 1000003}x{i}"
            out.write("".join(f"{s} <{_VOCABULARY}{p}> {o} .\n" for s, p, o in (
                (f"<{_NAME}{i}>", "title", f'"{title}"@en'),
                (f"<{_NAME}{i}>", "creator", f"<{_NAME}person/{dice.randrange(50000)}>"),
                (f"<{_NAME}{i}>", "topic", f"<{_NAME}topic/{dice.randrange(5000)}>"),
                (f"<{_NAME}{i}>", "pages", f'"{dice.randrange(900)}"^^<http://www.w3.org/2001/XMLSchema#integer>'),
                (f"<{_NAME}{i}>", "note", f'"A note of {dice.randrange(10**6)} words, of which few are read"'),
                (f"<{_NAME}{i}>", "issue", blank),
                (blank, "year", f'"{1900 + dice.randrange(120)}"^^<http://www.w3.org/2001/XMLSchema#gYear>'),
                (blank, "place", f'"Place {dice.randrange(20000)}"'),
            )))


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


class Reader(threading.Thread):
    """Asks a server for one record again and again."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url = f"{url}/query?query=SELECT%20*%20%7B%20%3C{_NAME}1%3E%20%3Fp%20%3Fo%20%7D"
        self.longest = 0.0
        self.answers = 0
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.is_set():
            self.longest = max(self.longest, seconds(lambda: urllib.request.urlopen(self.url, timeout=600).read()))
            self.answers += 1

    def __enter__(self) -> Reader:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.done.set()
        self.join()


def put(url: str, file: Path) -> None:
    """Replaces the default graph, as SPARQL's protocol for graph stores has it."""
    with file.open("rb") as body:
        request = urllib.request.Request(f"{url}/data?default", body, {
            "Content-Type": "application/n-triples", "Content-Length": str(file.stat().st_size)}, method="PUT")
        urllib.request.urlopen(request, timeout=3600).read()


def stores(folder: Path, name: str) -> Iterator[Tuple[str, Path]]:
    for kind in ("publish", "anew"):
        yield kind, folder / f"{name}-{kind}"


def measure(folder: Path, triples: int) -> Dict[str, float]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    old, new = folder / "old.nt", folder / "new.nt"
    catalogue(old, triples, False, "a")
    catalogue(new, triples, True, "b")
    figures: Dict[str, float] = {}

    for kind, place in stores(folder, "tdb2"):
        with Dataset.open(f"tdb2:{place}") as dataset:
            dataset.publish(old, progress=False)
            before = size(place)
            if kind == "publish":
                figures["publish: tdb2"] = seconds(lambda: figures.update(rows=rows(dataset, new)))
            else:
                figures["publish: tdb2, clear"] = seconds(lambda: dataset.update("CLEAR ALL"))
                figures["publish: tdb2, anew"] = figures["publish: tdb2, clear"] + seconds(lambda: dataset.load(new))
        figures[f"publish: tdb2, bytes more, {kind}"] = size(place) - before
        shutil.rmtree(place)
    figures["publish: rows"] = figures.pop("rows")

    for kind, place in stores(folder, "fuseki"):
        with Dataset.open(f"tdb2:{place}") as dataset:
            dataset.publish(old, progress=False)
        with FusekiServer(module=False, log=folder / "fuseki.log", database=place) as server, \
                Dataset.open(server.url) as dataset, Reader(server.url) as reader:
            if kind == "publish":
                figures["publish: fuseki"] = seconds(lambda: rows(dataset, new))
            else:
                figures["publish: fuseki, anew"] = seconds(lambda: put(server.url, new))
            figures[f"publish: fuseki, longest wait, {kind}"] = reader.longest
        shutil.rmtree(place)
    shutil.rmtree(folder)
    return figures


def rows(dataset: Dataset, file: Path) -> int:
    report = dataset.publish(file, progress=False)
    return report.deleted + report.added


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))
