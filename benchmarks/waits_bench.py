"""Measures what a user waits for, each beside the obvious other way; what it prints is an object of figures in JSON, in seconds.

    python benchmarks/waits_bench.py FOLDER PATCHES

A log has so many patches of 100 statements. It goes into TDB2 and into a stock Fuseki by sync, and its patches as one file by
apply, where the other way is a request of SPARQL Update for each patch; Spark reads and writes it, as a log of small patches
and as one large patch, where the other way is lines of text and regular expressions; it becomes a pandas DataFrame, where the
other way is a loop over those lines. Two snapshots are compared on the command line, where the other way is ``sort`` and
``comm``, which know no blank nodes.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import pandas

import jellybridge
from jellybridge import ChangeRow, Dataset, PatchLog

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from fuseki_server import FusekiServer  # noqa: E402
from publish_bench import TITLES, catalogue, unchanged  # noqa: E402
from stopwatch import in_turns, seconds  # noqa: E402

STATEMENTS = 100
_LINE = r"^(A|D) (<[^>]*>|_:\S+) (<[^>]*>) (.*?)( <[^>]*>)? \.$"
_COMMAND = Path(sys.executable).with_name("jellybridge")


def rows(patches: int, joined: bool) -> Iterator[ChangeRow]:
    """Half of the statements of a patch are new, the others take back what the patch before it added."""
    for patch in range(patches):
        number = 0 if joined else patch
        if not joined:
            yield ChangeRow(patch=patch, op="H", name="id", value=f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, str(patch))}>")
        if not joined or patch == 0:
            yield ChangeRow(patch=number, op="TX")
        for op, of in (("D", patch - 1), ("A", patch)):
            for i in range(STATEMENTS // 2 if patch else STATEMENTS // 2 * (op == "A")):
                yield ChangeRow(patch=number, op=op, subject=f"<http://example.org/item/{of}-{i}>",
                                predicate=f"<http://example.org/vocabulary#p{i % 7}>",
                                object=f'"The value of number {i}, as it was said in {of}"')
        if not joined or patch == patches - 1:
            yield ChangeRow(patch=number, op="TC")


def lines(file: Path) -> List[str]:
    return file.read_text().splitlines()


def datasets(folder: Path, log: Path, small: Path, patches: int) -> Dict[str, float]:
    updates: List[Dict[str, List[str]]] = []
    for line in lines(small.with_suffix(".rdfp")):
        if line.startswith("TX"):
            updates.append({"A": [], "D": []})
        elif line[0] in "AD":
            updates[-1][line[0]].append(line[2:])
    bodies = [f"DELETE DATA {{ {' '.join(update['D'])} }} ; INSERT DATA {{ {' '.join(update['A'])} }}" for update in updates]

    def update_each(dataset: Dataset) -> None:
        for body in bodies:
            dataset.update(body)

    ways: Dict[str, Callable[[Dataset], object]] = {
        "sync into {}": lambda dataset: dataset.sync(log),
        "sync into {}, the other way": update_each,
        "apply into {}": lambda dataset: dataset.apply(small, progress=False),
    }
    figures = {}
    # The first time warms what all ways use.
    for turn in (0, 1):
        for number, (name, way) in enumerate(ways.items()):
            for kind, place in (("mem", "mem:"), ("tdb2", f"tdb2:{folder / 'database'}-{turn}-{number}")):
                with Dataset.open(place) as dataset:
                    figures[f"waits: {name.format(kind)}"] = seconds(lambda: way(dataset)) / patches
    for number, (name, way) in enumerate(ways.items()):
        served = folder / f"served-{number}"
        with FusekiServer(module=False, short=False, log=folder / "fuseki.log", database=served) as server, \
                Dataset.open(server.url) as dataset:
            figures[f"waits: {name.format('fuseki')}"] = seconds(
                lambda: post(server.url, bodies) if way is update_each else way(dataset)) / patches
    return figures


def post(url: str, bodies: List[str]) -> None:
    """Over one connection, which stays open."""
    where = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(where.netloc)
    for body in bodies:
        connection.request("POST", f"{where.path}/update", body.encode(), {"Content-Type": "application/sparql-update"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status in (200, 204), answer.status
    connection.close()


def frame(text: Path) -> pandas.DataFrame:
    pattern = re.compile(_LINE)
    return pandas.DataFrame([match.groups() for match in map(pattern.match, lines(text)) if match],
                            columns=["op", "subject", "predicate", "object", "graph"])


def spark(folder: Path, log: Path, small: Path, large: Path, texts: Dict[str, Path]) -> Dict[str, float]:
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    session = (jellybridge.configure_spark(SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
               .config("spark.sql.shuffle.partitions", "2")).getOrCreate())
    session.sparkContext.setLogLevel("ERROR")

    def used(df: Any, *columns: str) -> None:
        df.agg(*(F.sum(F.length(column)) for column in columns)).collect()

    def text(path: Path) -> None:
        found = [F.regexp_extract("value", _LINE, i).alias(name) for i, name in enumerate(
            ("op", "subject", "predicate", "object"), start=1)]
        used(session.read.text(str(path)).where(F.col("value").rlike("^[AD] ")).select(*found),
             "op", "subject", "predicate", "object")

    ways: Dict[str, Callable[[], object]] = {
        "reads log of small patches": lambda: used(session.read.format("rdf-patch-log").load(str(log)),
                                                   "op", "subject", "predicate", "object"),
        "reads one large patch": lambda: used(session.read.format("jelly-patch").load(str(large)),
                                              "op", "subject", "predicate", "object"),
    }
    for name, path in texts.items():
        ways[f"reads {name}, the other way"] = lambda path=path: text(path)
    for name, file in (("log of small patches", small), ("one large patch", large)):
        df = session.read.format("jelly-patch").load(str(file)).transform(jellybridge.in_order).cache()
        df.count()
        as_text = df.select(F.concat_ws(" ", "op", "subject", "predicate", "object", "graph").alias("value"))
        target = str(folder / "written")
        ways[f"writes {name}"] = lambda df=df: df.write.format("jelly-patch").mode("overwrite").save(target)
        ways[f"writes {name}, the other way"] = (
            lambda df=as_text: df.write.format("text").mode("overwrite").save(target))
    figures = {f"waits: Spark {name}": least for name, least in in_turns(ways).items()}
    session.stop()
    return figures


def command_line(folder: Path, patches: int) -> Dict[str, float]:
    old, new = folder / "old.nt", folder / "new.nt"
    catalogue(old, patches * STATEMENTS, unchanged, "a")
    catalogue(new, patches * STATEMENTS, TITLES, "a")

    # As users have it: Python keeps what it compiled.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(*command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**environment, "LC_ALL": "C"})

    both = f"comm -3 <(sort -u '{old}') <(sort -u '{new}')"
    nothing = ("convert", "--from-format", "ntriples", "--to-format", "nquads", "/dev/null", "-o", "-")
    figures = in_turns({
        "start of the command line": lambda: run(str(_COMMAND), "--version"),
        "start of the command line, the other way": lambda: run(sys.executable, "-c", "import argparse, json"),
        "start, with the JVM": lambda: run(str(_COMMAND), *nothing),
        "diff": lambda: run(str(_COMMAND), "diff", str(old), str(new), "--to-format", "rdf-patch", "-o", str(folder / "diff.rdfp")),
        "diff, the other way": lambda: run("bash", "-c", both),
    }, times=3)
    return {f"waits: {name}": least for name, least in figures.items()}


def measure(folder: Path, patches: int) -> Dict[str, float]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    small, large, log = folder / "small.jellyp", folder / "large.jellyp", folder / "log"
    for file, joined in ((small, False), (large, True)):
        jellybridge.write_patch(file, rows(patches, joined))
        jellybridge.convert(file, file.with_suffix(".rdfp"))
    texts = folder / "texts"
    texts.mkdir()
    parts = re.split(r"(?m)^(?=H id)", small.with_suffix(".rdfp").read_text())[1:]
    for number, part in enumerate(parts):
        (texts / f"{number:06}.rdfp").write_text(part)
    with PatchLog.create(log) as opened:
        opened.append(small)
    figures = datasets(folder, log, small, patches)
    figures["waits: pandas"] = min(seconds(lambda: jellybridge.read_patch(large).to_pandas()) for _ in range(3))
    figures["waits: pandas, the other way"] = min(seconds(lambda: frame(large.with_suffix(".rdfp"))) for _ in range(3))
    figures.update(command_line(folder, patches))
    figures.update(spark(folder, log, small, large, {"log of small patches": texts, "one large patch": large.with_suffix(".rdfp")}))
    shutil.rmtree(folder)
    return figures


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))
