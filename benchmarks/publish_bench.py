"""Measures a publication of a catalogue of which a little changed; what it prints is an object of figures in JSON.

    python benchmarks/publish_bench.py FOLDER TRIPLES

The catalogue has eight triples a record, two of them about a blank node, whose labels are others each time. One record in a
hundred changed; and then it is published into TDB2 after each kind of change. Beside the publication stands the way that needs
no jellybridge: to clear the store and load the new file. A reader asks the Fuseki all the time; its longest wait for an answer
is measured too. Seconds, bytes and rows.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Callable, Dict, List, Tuple

from jellybridge import Dataset

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from fuseki_server import FusekiServer  # noqa: E402
from stopwatch import seconds  # noqa: E402

_NAME = "http://catalogue.example/"
_VOCABULARY = "http://catalogue.example/vocabulary#"


Triple = Tuple[str, str, str]
#: What is made of a record's triples, by its number.
Change = Callable[[int, List[Triple]], List[Triple]]


def record(dice: random.Random, i: int, label: str) -> List[Triple]:
    """The same each time, but for the label of its blank node."""
    item, blank = f"<{_NAME}{i}>", f"_:{label}{i * 7919 % 1000003}x{i}"
    return [(subject, f"<{_VOCABULARY}{name}>", value) for subject, name, value in (
        (item, "title", f'"Record {i} of {dice.randrange(10**9)}"@en'),
        (item, "creator", f"<{_NAME}person/{dice.randrange(50000)}>"),
        (item, "topic", f"<{_NAME}topic/{dice.randrange(5000)}>"),
        (item, "pages", f'"{dice.randrange(900)}"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        (item, "note", f'"A note of {dice.randrange(10**6)} words, of which few are read"'),
        (item, "issue", blank),
        (blank, "year", f'"{1900 + dice.randrange(120)}"^^<http://www.w3.org/2001/XMLSchema#gYear>'),
        (blank, "place", f'"Place {dice.randrange(20000)}"'),
    )]


def unchanged(i: int, triples: List[Triple]) -> List[Triple]:
    return triples


def in_a_hundredth(change: Callable[[List[Triple]], List[Triple]]) -> Change:
    return lambda i, triples: change(triples) if i % 100 == 0 else triples


def other(place: int, value: Callable[[str], str]) -> Callable[[List[Triple]], List[Triple]]:
    """With another value in one of the triples."""
    return lambda triples: [(s, p, value(o) if n == place else o) for n, (s, p, o) in enumerate(triples)]


TITLES = in_a_hundredth(other(0, lambda title: title.replace('"@en', ', revised"@en')))
#: What may become of a catalogue from one day to the next; its blank nodes have other labels each time.
CHANGES: Dict[str, Change] = {
    "nothing": unchanged,
    "a title in one record of a hundred": TITLES,
    "a value of the blank node in one of a hundred": in_a_hundredth(other(7, lambda place: place.replace('"Place', '"Town'))),
    "a statement more in one of a hundred": in_a_hundredth(
        lambda triples: [*triples, (triples[5][2], f"<{_VOCABULARY}pages>", '"1"')]),
    "one record of a hundred gone": in_a_hundredth(lambda triples: []),
    "another name of a property, in all": lambda i, triples: [
        (s, p.replace("#note>", "#remark>"), o) for s, p, o in triples],
    "another property of the blank node, in all": lambda i, triples: [
        (s, p.replace("#place>", "#town>"), o) for s, p, o in triples],
    "all of another order": lambda i, triples: triples[::-1],
}


def catalogue(file: Path, triples: int, change: Change, label: str) -> None:
    """Writes N-Triples, eight a record."""
    dice = random.Random(1)
    with file.open("w") as out:
        for i in range(triples // 8):
            out.write("".join(f"{s} {p} {o} .\n" for s, p, o in change(i, record(dice, i, label))))


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


def publish(url: str, file: Path) -> None:
    with Dataset.open(url) as dataset:
        rows(dataset, file)


def put(url: str, file: Path) -> None:
    """Replaces the default graph, as SPARQL's protocol for graph stores has it."""
    with file.open("rb") as body:
        request = urllib.request.Request(f"{url}/data?default", body, {
            "Content-Type": "application/n-triples", "Content-Length": str(file.stat().st_size)}, method="PUT")
        urllib.request.urlopen(request, timeout=3600).read()


def measure(folder: Path, triples: int) -> Dict[str, float]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    old, new = folder / "old.nt", folder / "new.nt"
    catalogue(old, triples, unchanged, "a")
    catalogue(new, triples, TITLES, "b")
    figures: Dict[str, float] = {}

    for kind in ("publish", "anew"):
        place = folder / "tdb2"
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

    for way, module in (("", False), (" with module", True), (", anew", False)):
        place = folder / "fuseki"
        with Dataset.open(f"tdb2:{place}") as dataset:
            dataset.publish(old, progress=False)
        with FusekiServer(module=module, short=False, log=folder / "fuseki.log", database=place) as server, \
                Reader(server.url) as reader:
            changing = put if way == ", anew" else publish
            figures[f"publish: fuseki{way}"] = seconds(lambda: changing(server.url, new))
            figures[f"publish: fuseki{way}, longest wait"] = reader.longest
        shutil.rmtree(place)
    figures.update(changes(folder, triples))
    shutil.rmtree(folder)
    return figures


def changes(folder: Path, triples: int) -> Dict[str, float]:
    """A catalogue in TDB2 after each kind of change: what the store has then is counted, and published again, which does nothing."""
    figures: Dict[str, float] = {}
    file, place = folder / "catalogue.nt", folder / "changes"
    with Dataset.open(f"tdb2:{place}") as dataset:
        for number, (name, change) in enumerate(CHANGES.items()):
            for label, kind in (("before", unchanged), ("then", change)):
                catalogue(file, triples, kind, f"{label}{number}")
                took = seconds(lambda: figures.update({f"publish after, rows: {name}": rows(dataset, file)}))
                with file.open() as lines:
                    lost = sum(1 for _ in lines) - len(dataset)
                if lost or rows(dataset, file):
                    raise AssertionError(f"{name}, {label}: {lost} statements are lost")
            figures[f"publish after: {name}"] = took
    return figures


def rows(dataset: Dataset, file: Path) -> int:
    report = dataset.publish(file, progress=False)
    return report.deleted + report.added


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))
