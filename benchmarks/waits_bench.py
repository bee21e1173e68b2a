"""Measures what a user waits for, each beside the obvious other way; what it prints is an object of figures in JSON, in seconds.

    python benchmarks/waits_bench.py FOLDER PATCHES

A log has so many patches of 100 statements. It goes into TDB2 and into a stock Fuseki, where the other way is a request of
SPARQL Update for each patch; Spark reads and writes it, as a log of small patches and as one large patch, where the other way is
lines of text and regular expressions; it becomes a pandas DataFrame, where the other way is a loop over those lines. Two
snapshots are compared on the command line, where the other way is ``sort`` and ``comm``, which know no blank nodes.
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
from typing import Any, Dict, Iterator, List

import pandas

import jellybridge
from jellybridge import ChangeRow, Dataset, PatchLog

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from fuseki_server import FusekiServer  # noqa: E402
from publish_bench import catalogue, seconds  # noqa: E402

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


def datasets(folder: Path, log: Path, text: Path, patches: int) -> Dict[str, float]:
    figures = {}
    updates = []
    for line in lines(text):
        if line.startswith("TX"):
            updates.append({"A": [], "D": []})
        elif line[0] in "AD":
            updates[-1][line[0]].append(line[2:])
    bodies = [f"DELETE DATA {{ {' '.join(update['D'])} }} ; INSERT DATA {{ {' '.join(update['A'])} }}" for update in updates]

    def update_each(dataset: Dataset) -> None:
        for body in bodies:
            dataset.update(body)

    for kind in ("mem", "tdb2", "fuseki"):
        for way, work in ((kind, lambda dataset: dataset.sync(log)), (f"{kind}, the other way", update_each)):
            place = folder / way.replace(", ", "-").replace(" ", "-")
            if kind != "fuseki":
                with Dataset.open("mem:" if kind == "mem" else f"tdb2:{place}") as dataset:
                    figures[f"waits: sync into {way}"] = seconds(lambda: work(dataset)) / patches
                continue
            with FusekiServer(module=False, log=folder / "fuseki.log", database=place) as server:
                if work is update_each:
                    figures[f"waits: sync into {way}"] = seconds(lambda: post(server.url, bodies)) / patches
                else:
                    with Dataset.open(server.url) as dataset:
                        figures[f"waits: sync into {way}"] = seconds(lambda: work(dataset)) / patches
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

    figures = {}
    ways = {
        "log of small patches": lambda: used(session.read.format("rdf-patch-log").load(str(log)),
                                             "op", "subject", "predicate", "object"),
        "one large patch": lambda: used(session.read.format("jelly-patch").load(str(large)),
                                        "op", "subject", "predicate", "object"),
    }
    for name, ours in ways.items():
        figures[f"waits: Spark reads {name}"] = min(seconds(ours) for _ in range(3))
        figures[f"waits: Spark reads {name}, the other way"] = min(seconds(lambda: text(texts[name])) for _ in range(3))

    changes = session.read.format("jelly-patch").load(str(small)).transform(jellybridge.in_order).cache()
    one = session.read.format("jelly-patch").load(str(large)).transform(jellybridge.in_order).cache()
    for name, df in (("log of small patches", changes), ("one large patch", one)):
        df.count()
        as_text = df.select(F.concat_ws(" ", "op", "subject", "predicate", "object", "graph").alias("value"))

        def write(way: str, writer: Any) -> None:
            target = folder / f"written-{way}"
            shutil.rmtree(target, ignore_errors=True)
            writer.save(str(target))

        figures[f"waits: Spark writes {name}"] = min(
            seconds(lambda: write("ours", df.write.format("jelly-patch"))) for _ in range(3))
        figures[f"waits: Spark writes {name}, the other way"] = min(
            seconds(lambda: write("text", as_text.write.format("text"))) for _ in range(3))
    session.stop()
    return figures


def command_line(folder: Path, patches: int) -> Dict[str, float]:
    old, new = folder / "old.nt", folder / "new.nt"
    catalogue(old, patches * STATEMENTS, False, "a")
    catalogue(new, patches * STATEMENTS, True, "a")

    def run(*command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})

    both = f"comm -3 <(sort -u '{old}') <(sort -u '{new}')"
    return {
        "waits: start of the command line": min(seconds(lambda: run(str(_COMMAND), "--version")) for _ in range(3)),
        "waits: start of the command line, the other way": min(
            seconds(lambda: run(sys.executable, "-c", "import argparse, json")) for _ in range(3)),
        "waits: start, with the JVM": min(
            seconds(lambda: run(str(_COMMAND), "convert", "--from", "ntriples", "--to", "nquads", "/dev/null", "-o", "-"))
            for _ in range(3)),
        "waits: diff": min(seconds(lambda: run(
            str(_COMMAND), "diff", str(old), str(new), "--to", "rdf-patch", "-o", str(folder / "diff.rdfp"))) for _ in range(2)),
        "waits: diff, the other way": min(seconds(lambda: run("bash", "-c", both)) for _ in range(2)),
    }


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
    figures = datasets(folder, log, small.with_suffix(".rdfp"), patches)
    figures["waits: pandas"] = min(seconds(lambda: jellybridge.read_patch(large).to_pandas()) for _ in range(3))
    figures["waits: pandas, the other way"] = min(seconds(lambda: frame(large.with_suffix(".rdfp"))) for _ in range(3))
    figures.update(command_line(folder, patches))
    figures.update(spark(folder, log, small, large, {"log of small patches": texts, "one large patch": large.with_suffix(".rdfp")}))
    shutil.rmtree(folder)
    return figures


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))
