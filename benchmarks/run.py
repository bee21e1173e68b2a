"""Runs the benchmarks, and prints and writes what came out: RESULTS.md for people, results.json for programs.

    python benchmarks/run.py                the full run, about an hour on two cores
    python benchmarks/run.py --quick        at most 13 minutes; leaves out what needs large files
    python benchmarks/run.py --only read    one group: read, write, first, rows, tables, gigabyte, heap, sync, log,
                                            publish, capture, grpc, waits, jobs or cluster;
                                            prints only
    python benchmarks/run.py --data FOLDER  the codec on the N-Triples releases in there; else on those of ../shared, if any

``make bench`` builds what this needs first.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Dict, List, Optional, Sequence, Tuple

import pyspark

import chart
import jellybridge
from cluster_bench import EXECUTORS

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench"
# Releases of a vocabulary, where there are some beside the project.
RELEASES = HERE.parent.parent / "shared" / "data" / "schemaorg"
JAVA = str(Path(os.environ["JAVA_HOME"], "bin", "java")) if "JAVA_HOME" in os.environ else "java"
GROUPS = ("read", "write", "first", "rows", "tables", "gigabyte", "heap", "sync", "log", "publish", "capture", "grpc", "waits", "jobs",
          "cluster")
QUICK_GROUPS = ("read", "write", "tables", "sync", "log", "publish", "capture", "grpc", "waits", "jobs")
# The median of each thing that was measured, lower is better: nanoseconds a row, seconds, or bytes.
Figures = Dict[str, float]


@dataclass(frozen=True)
class Target:
    """What must be reached: the peer's figure divided by ours is at least so much."""

    name: str
    ours: str
    peer: str
    unit: str
    target: float


def codec(name: str, ours: str, peer: str, target: float) -> List[Target]:
    """On real changes first, then on generated ones."""
    return [Target(f"{name}, {title}", f"{ours}, {changes}", f"{peer}, {changes}", "ns a row", target)
            for changes, title in (("releases", "real releases"), ("changes-1m", "generated"))]


TARGETS = (
    *codec("read to UTF-8 terms / jelly-jena to nodes", "read utf8", "read jellyJena", 2.5),
    *codec("read to RDFChanges / jelly-jena to nodes", "read rdfChanges", "read jellyJena", 2),
    *codec("read to RDFChanges / Jena's text reader", "read rdfChanges", "read jenaText", 6),
    *codec("read to RDFChanges / Jena's Thrift reader", "read rdfChanges", "read jenaThrift", 4),
    *codec("write from shared nodes / jelly-jena", "write nodes shared", "write jellyJena shared", 2),
    *codec("write from shared nodes / Jena's Thrift writer", "write nodes shared", "write jenaThrift shared", 1),
    *codec("write from nodes of their own / jelly-jena", "write nodes own", "write jellyJena own", 2),
    *codec("write from nodes of their own / Jena's Thrift writer", "write nodes own", "write jenaThrift own", 1),
    *codec("write from UTF-8 terms / jelly-jena from shared nodes", "write utf8", "write jellyJena shared", 2.5),
    Target("Spark, all columns used / Parquet (snappy)", "read jelly-patch", "read parquet", "s", 1),
    Target("Spark, all columns used / text with regular expressions", "read jelly-patch", "read text", "s", 6),
    Target("Spark write / Parquet (snappy) write", "write jelly-patch", "write parquet", "s", 1),
    Target("one 1 GiB file, two cores / one core", "cores 2", "cores 1", "s", 1.7),
    Target("size with zstd / Parquet with zstd", "zstd jelly-patch", "zstd parquet", "bytes", 1 / 1.2),
    Target("ten million rows / one million", "rows: read utf8, changes-10m", "rows: read utf8, changes-1m", "ns a row",
           1 / 1.15),
    Target("log of patches into TDB2 / RDFPatchOps.applyChange", "sync jellybridge", "sync jena", "s", 3),
    Target("sync of a small patch into TDB2, processor time / tdb2.tdbupdate", "jobs: sync of a patch into TDB2, processor",
           "jobs: sync of a patch into TDB2, the other way, processor", "s", 1),
    Target("convert of a small file, processor time / riot", "jobs: convert, processor", "jobs: convert, the other way, processor", "s", 1),
    Target("dump of TDB2, processor time / tdb2.tdbdump", "jobs: dump, processor", "jobs: dump, the other way, processor", "s", 1),
    Target("publish into TDB2 / clear and load anew", "publish: tdb2", "publish: tdb2, anew", "s", 30),
    Target("publish into a stock Fuseki / PUT of the new file", "publish: fuseki", "publish: fuseki, anew", "s", 30),
    *(Target(f"updates of {graph} by {clients} clients of a Fuseki that records / without a log", f"capture: update of {graph}, clients: {clients}",
             f"capture: update of {graph}, clients: {clients}, without a log", "s", 0.8)
      for graph in ("the default graph", "a named graph") for clients in (1, 16)),
    Target("patches to a subscriber / a bare server of gRPC that sends the same bytes", "grpc: subscribe",
           "grpc: subscribe, bare", "s", 0.5),
    Target("heap an executor needs for a 1 GiB file / 256 MB", "heap needed", "heap aimed at", "MB", 1),
)

# Sets of changes that the codec's benchmarks run on (ChangeSet.java, BenchmarkFiles.java), and what the tables call them.
CHANGES = {
    "releases": "releases", "releases/10000": "in patches of 10,000", "releases/100": "of 100",
    "releases/10": "of 10", "texts": "texts", "changes-1m": "generated changes",
}
FOR_ALL = ("releases", "changes-1m")
# The rows of the tables beside the targets, each with the name of what was measured.
CODEC = {
    "read": {
        "jellybridge, to UTF-8 terms": "utf8", "jellybridge, to RDFChanges": "rdfChanges",
        "jelly-jena, to nodes": "jellyJena", "Jena's Thrift reader, to RDFChanges": "jenaThrift",
        "Jena's text reader, to RDFChanges": "jenaText", "floor: keys and lengths only": "floor",
        "Jena's making of literals alone, nothing read": "literals",
    },
    "write": {
        "jellybridge, from UTF-8 terms": "utf8",
        "jellybridge, from shared nodes": "nodes shared", "jelly-jena, from shared nodes": "jellyJena shared",
        "Jena's Thrift writer, from shared nodes": "jenaThrift shared",
        "Jena's text writer, from shared nodes": "jenaText shared",
        "jellybridge, from nodes of their own": "nodes own", "jelly-jena, from nodes of their own": "jellyJena own",
        "Jena's Thrift writer, from nodes of their own": "jenaThrift own",
        "Jena's text writer, from nodes of their own": "jenaText own",
        "floor: UTF-8 terms read once, literals copied": "floor",
    },
}
# Reading from the start of a JVM on: of what, and with which heap and collector. FirstRows.java has the marks.
FIRST = {"releases": "one stream", "releases/100": "patches of 100", "releases/10": "patches of 10"}
FIRST_JVMS = [(heap, collector) for heap in ("1g", "2g") for collector in ("G1", "Serial")]
FIRST_MARKS = ("the first 10,000", "to 1,000,000", "to 3,000,000", "to 6,000,000")
# What a patch by itself takes.
SMALL = "releases/10"
SMALL_STATEMENTS = 10
LOG = {
    "append a patch of 20 rows, one writer": "log: append, one writer",
    "the same, four writers at once": "log: append, four writers",
    "the same, what the disk alone takes": "log: append, the disk alone",
    "sync into a dataset in memory, a patch": "log: sync of all, a patch",
    "sync at the head": "log: sync at the head",
    "the state in the middle of the log": "log: state in the middle",
    "the same of one file": "log: state in the middle, compacted",
    "compaction, a megabyte": "log: compaction, a MB",
    "cat and fsync, a megabyte": "log: cat, a MB",
    "append 1,000 patches in one call, a patch": "log: append of many in one call, a patch",
    "append 1,000 patches in as many calls, a patch": "log: append of one in a call",
}
LONG_LOG = {
    f"{what}, {how}": f"log: {name}, many patches{compacted}"
    for how, compacted in (("as appended", ""), ("compacted", ", compacted"))
    for what, name in (("head", "head"), ("sync at the head", "sync at the head"), ("state", "state"))
}
LOG_SIZES = {
    "a patch of 20 rows, an object of its own": "log size: a patch", "the same, compacted": "log size: a patch, compacted",
    "a patch of 5 rows, appended in one call": "log size: many patches", "the same, compacted with others": "log size: many patches, compacted",
}
PUBLISH = {
    "into TDB2, seconds": ("publish: tdb2", "publish: tdb2, anew"),
    "bytes that the store grows by": ("publish: tdb2, bytes more, publish", "publish: tdb2, bytes more, anew"),
    "into a stock Fuseki, seconds": ("publish: fuseki", "publish: fuseki, anew"),
    "longest wait of a reader there, seconds": ("publish: fuseki, longest wait", "publish: fuseki, anew, longest wait"),
    "into a Fuseki with our module, seconds": ("publish: fuseki with module", "publish: fuseki, anew"),
    "longest wait of a reader of that, seconds": (
        "publish: fuseki with module, longest wait", "publish: fuseki, anew, longest wait"),
    "rows of the difference": ("publish: rows",),
}
# What a user waits for; the figure of the other way has that behind its name.
THE_OTHER_WAY = ", the other way"
WAITS = {
    "sync of a patch of 100 rows into memory": ("waits: sync into mem", "SPARQL Update"),
    "the same into TDB2": ("waits: sync into tdb2", "SPARQL Update"),
    "the same into a stock Fuseki": ("waits: sync into fuseki", "SPARQL Update over HTTP"),
    "apply of such a patch, from a file with all, into memory": ("waits: apply into mem", ""),
    "apply into TDB2": ("waits: apply into tdb2", ""),
    "apply into a stock Fuseki": ("waits: apply into fuseki", ""),
    "Spark reads the log of these": ("waits: Spark reads log of small patches", "text, regular expressions"),
    "Spark reads them as one patch": ("waits: Spark reads one large patch", "text, regular expressions"),
    "Spark writes these": ("waits: Spark writes log of small patches", "text"),
    "Spark writes the one": ("waits: Spark writes one large patch", "text"),
    "the one patch to pandas": ("waits: pandas", "text, regular expressions"),
    "diff of two snapshots": ("waits: diff", "sort and comm"),
    "start of the command line": ("waits: start of the command line", "Python's own"),
    "start of a command that needs the JVM": ("waits: start, with the JVM", ""),
}
# What is said of each job on a cluster.
CLUSTER = {
    "seconds": "processor seconds of all tasks", "longest task": "processor seconds of the longest task",
    "shuffled": "bytes shuffled", "driver": "processor seconds of the driver",
}
# Small jobs, each a process, seconds and seconds of processor time.
JOBS = {
    "sync of a patch into TDB2; tdb2.tdbupdate": "sync of a patch into TDB2",
    "the same from a patch log": "sync of a log into TDB2",
    "convert of a small file; riot": "convert",
    "diff of two small files": "diff",
    "dump of 100,000 quads of TDB2; tdb2.tdbdump": "dump",
    "log list": "log list",
}
CAPTURE = {
    **{f"an update of {graph}, clients that write: {clients}": f"capture: update of {graph}, clients: {clients}"
       for graph in ("the default graph", "a named graph") for clients in (1, 16)},
    **{f"{kind} of queries, clients that write: {clients}": f"capture: {name} while clients write: {clients}"
       for kind, name in (("the median", "query"), ("one in a hundred", "slow query")) for clients in (0, 1, 16)},
}
GRPC = {
    "frames a second": ("grpc: subscribe, frames a second", "grpc: subscribe, bare, frames a second"),
    "MB a second": ("grpc: subscribe, MB a second", "grpc: subscribe, bare, MB a second"),
}
SPARK_FORMATS = ("jelly-patch", "parquet", "text")
SPARK = {
    "read, all columns used": "read", "count()": "count()", "subjects only": "subjects only", "op = 'D'": "op = 'D'",
    "one predicate, a rare one": "predicate = a rare one", "one named graph": "graph = a named one", "write": "write",
}


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Runs the benchmarks of jellybridge.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, no large files")
    parser.add_argument("--only", choices=GROUPS, help="one group; its figures are printed and not written")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="releases, as N-Triples: VERSION.nt or VERSION.nt.gz")
    options = parser.parse_args(arguments)
    groups = [options.only] if options.only else list(QUICK_GROUPS if options.quick else GROUPS)
    data = options.data or (RELEASES if RELEASES.is_dir() else None)

    started = time.monotonic()
    make_files(groups, data)
    figures: Figures = {}
    for group in groups:
        print(f"Measuring {group} ...", flush=True)
        measure(group, options.quick, figures)
    command = "make bench" + (" QUICK=1" if options.quick else "") + (f" ONLY={options.only}" if options.only else "")
    report = make_report(figures, command + (" DATA=FOLDER" if options.data else ""), time.monotonic() - started)
    print(report)
    if options.only is None:
        (HERE / "RESULTS.md").write_text(report + "\n" + (HERE / "method.md").read_text())
        (HERE / "results.json").write_text(json.dumps({"ratios": ratios(figures), "figures": figures}, indent=1) + "\n")
        if not options.quick:  # which leaves out what the chart shows
            chart.write()


def make_files(groups: Sequence[str], data: Optional[Path]) -> None:
    """Makes the files that the groups need, and makes those again that an older writer of ours made."""
    built = (BUILD / "classpath.txt").stat().st_mtime
    for file in BUILD.glob("*.*"):
        if file.is_file() and (file.stat().st_mtime < built or file.name.startswith("releases.")):
            file.unlink()
    sets = {"changes-1m": {"read", "write", "rows", "tables"}, "changes-10m": {"rows"}, "changes-1g": {"gigabyte", "heap"},
            "texts": {"read", "write"}, f"releases={data}": {"read", "write", "first"}}
    wanted = [name for name, used in sets.items() if used.intersection(groups) and name != "releases=None"]
    java("2g", "io.jellybridge.bench.BenchmarkFiles", str(BUILD), *wanted)


def java(heap: str, *arguments: str, **how: Any) -> "subprocess.CompletedProcess[str]":
    class_path = (BUILD / "classpath.txt").read_text()
    return subprocess.run([JAVA, f"-Xms{heap}", f"-Xmx{heap}", "-cp", class_path, *arguments], check=True, **how)


# --- the groups


def measure(group: str, quick: bool, figures: Figures) -> None:
    if group in CODEC:
        kind = f"{group.capitalize()}Benchmark"
        there = [name for name in CHANGES if file(name, ".rows").exists()]
        figures.update(jmh(kind, [name for name in there if name in FOR_ALL], quick))
        # All of Jena's own are of no interest there, and take long.
        others = [name for name in there if name not in FOR_ALL]
        figures.update(jmh(f"{kind}.(utf8|rdfChanges|nodes|jellyJena)$", others, quick))
    elif group == "first":
        figures.update(first_rows(1 if quick else 5))
    elif group == "rows":
        measured = jmh("ReadBenchmark.utf8", ["changes-1m", "changes-10m"], quick)
        figures.update({f"rows: {name}": value for name, value in measured.items()})
    elif group == "sync":
        figures.update(sync(100 if quick else 1_000))
    elif group == "log":
        figures.update(script("log_bench.py", "log", 400 if quick else 4_000))
    elif group == "publish":
        figures.update(script("publish_bench.py", "publish", 100_000 if quick else 2_000_000))
    elif group == "capture":
        figures.update(script("capture_bench.py", "capture", 1 if quick else 4))
    elif group == "waits":
        figures.update(script("waits_bench.py", "waits", 100 if quick else 1_000))
    elif group == "jobs":
        figures.update(script("jobs_bench.py", "jobs", 5 if quick else 10))
    elif group == "cluster":
        figures.update(script("cluster_bench.py", "cluster", 200_000 if quick else 1_000_000))
    elif group == "grpc":
        figures.update(script("grpc_bench.py", "grpc", 400 if quick else 4_000))
    else:
        figures.update(spark(group, {"tables": 2 if quick else 5, "gigabyte": 3, "heap": 1}[group]))


def file(changes: str, suffix: str) -> Path:
    """A file of a set of changes, or of that which is cut to make it."""
    return BUILD / (changes.split("/")[0] + suffix)


def jmh(benchmarks: str, changes: Sequence[str], quick: bool) -> Figures:
    """Median nanoseconds a row, and bytes allocated a row (``allocated ...``), over the iterations of all rounds; a round
    runs each benchmark in a JVM of its own."""
    rows = {name: int(file(name, ".rows").read_text()) for name in changes}
    measured: Dict[str, List[float]] = {}
    for _ in range(1 if quick else 2):
        results = run_jmh(benchmarks, changes, "-wi", "2", "-w", "1" if quick else "2", "-i", "3",
                          "-r", "500ms" if quick else "1", "-prof", "gc")
        for result in results:
            kind, method = result["benchmark"].split(".")[-2:]
            name = result["params"]["changes"]
            nodes = " " + result["params"]["nodes"] if "nodes" in result["params"] else ""
            key = f"{kind.removesuffix('Benchmark').lower()} {method}{nodes}, {name}"
            iterations = [value / rows[name] for fork in result["primaryMetric"]["rawData"] for value in fork]
            measured.setdefault(key, []).extend(iterations)
            allocated = next(value for metric, value in result["secondaryMetrics"].items() if "alloc.rate.norm" in metric)
            measured.setdefault(f"allocated {key}", []).append(allocated["score"] / rows[name])
    return {name: median(values) for name, values in measured.items()}


def run_jmh(benchmarks: str, changes: Sequence[str], *options: str, jvm: str = "") -> List[Dict[str, Any]]:
    """What JMH writes of benchmarks by a pattern of their names, each run in a JVM of its own."""
    out = BUILD / "jmh.json"
    java("256m", "org.openjdk.jmh.Main", benchmarks, "-p", f"folder={BUILD}", "-p", f"changes={','.join(changes)}",
         "-f", "1", "-foe", "true", *options, "-jvmArgs", f"-Xms3g -Xmx3g -XX:+AlwaysPreTouch {jvm}".strip(),
         "-rf", "json", "-rff", str(out), stdout=subprocess.DEVNULL)
    return list(json.loads(out.read_text()))


def first_rows(forks: int) -> Figures:
    """Median nanoseconds a row between the marks, over JVMs that take turns."""
    figures: Figures = {}
    for changes in FIRST if file("releases", ".rows").exists() else ():
        streams = str(BUILD / f"first-{changes.replace('/', '-')}")
        java("2g", "io.jellybridge.bench.FirstRows", "prepare", str(BUILD), changes, streams)
        measured: Dict[str, List[List[float]]] = {}
        for _ in range(forks):
            for heap, collector in FIRST_JVMS:
                for side in ("ours", "peer"):
                    out = java(heap, f"-XX:+Use{collector}GC", "io.jellybridge.bench.FirstRows", side, f"{streams}.{side}",
                               stdout=subprocess.PIPE, text=True)
                    measured.setdefault(f"first: {changes}, {heap}, {collector}, {side}", []).append(json.loads(out.stdout))
        for name, times in measured.items():
            for mark, values in zip(FIRST_MARKS, zip(*times)):
                figures[f"{name}, {mark}"] = median(values)
    return figures


def sync(patches: int) -> Figures:
    """Seconds of each side, once: what the disk does to one it does to the other."""
    folder = BUILD / "sync"
    shutil.rmtree(folder, ignore_errors=True)
    out = BUILD / "sync.json"
    with out.open("w") as to:
        java("2g", "io.jellybridge.bench.SyncComparison", str(folder), str(patches), stdout=to)
    shutil.rmtree(folder)
    return dict(json.loads(out.read_text()))


def script(name: str, folder: str, how_many: int) -> Figures:
    """What a script beside this prints."""
    out = subprocess.run([sys.executable, str(HERE / name), str(BUILD / folder), str(how_many)], check=True,
                         stdout=subprocess.PIPE, text=True)
    return dict(json.loads(out.stdout))


def spark(group: str, rounds: int) -> Figures:
    out = BUILD / "spark.json"
    subprocess.run([sys.executable, str(HERE / "spark_bench.py"), group, "--folder", str(BUILD),
                    "--rounds", str(rounds), "--out", str(out)], check=True)
    return {name: median(value) if isinstance(value, list) else value for name, value in json.loads(out.read_text()).items()}


# --- the report


def ratios(figures: Figures) -> List[Dict[str, Any]]:
    rows = []
    for target in TARGETS:
        ours, peer = figures.get(target.ours), figures.get(target.peer)
        ratio = None if ours is None or peer is None else peer / ours
        rows.append({"name": target.name, "ratio": ratio, "target": target.target, "ours": ours, "peer": peer,
                     "unit": target.unit})
    return rows


def make_report(figures: Figures, command: str, seconds: float) -> str:
    parts = ["# Benchmarks\n", f"Written by `{command}`, in {seconds / 60:.1f} minutes.\n", machine(), "## Targets\n"]
    parts.append("Ratio: the peer's figure divided by ours; a target is met by a ratio as large or larger.\n")
    lines = [["what", "ours", "peer", "unit", "ratio", "target", ""]]
    for row in ratios(figures):
        ratio = row["ratio"]
        verdict = "not run" if ratio is None else "met" if ratio >= row["target"] else "**missed**"
        lines.append([row["name"], number(row["ours"]), number(row["peer"]), row["unit"], number(ratio),
                      f"{row['target']:.3g}", verdict])
    parts.append(table(lines))
    for kind, benchmarks in CODEC.items():
        keys = {name: [f"{kind} {method}, {changes}" for changes in CHANGES] for name, method in benchmarks.items()}
        parts += section(figures, kind.capitalize(), ["ns a row", *CHANGES.values()], keys)
    parts += section(*small_patches(figures))
    parts += section(figures, "Read from the start of a JVM on", ["ns a row", *FIRST_MARKS], {
        f"{title}, {heap}, {collector}: {name}": [f"first: {changes}, {heap}, {collector}, {side}, {mark}" for mark in FIRST_MARKS]
        for changes, title in FIRST.items() for heap, collector in FIRST_JVMS
        for name, side in {"jellybridge": "ours", "jelly-jena": "peer"}.items()})
    keys = {name: [f"{key} {format}" for format in SPARK_FORMATS] for name, key in SPARK.items()}
    keys["bytes on disk"] = ["size jelly-patch", "size parquet", "size rdf-patch"]
    parts += section(figures, "Spark", ["seconds", "jelly-patch", "Parquet (snappy)", "text"], keys)
    keys = {name: [key] for name, key in LOG.items()}
    logs = {key: value * 1000 for key, value in figures.items() if key.startswith("log: ")}
    parts += section(logs, "Patch log in a folder", ["milliseconds", "once"], keys)
    parts += section(logs, "Patch log of 50,000 patches", ["milliseconds", "with caches", "without"],
                     {name: [key, f"{key}, no caches"] for name, key in LONG_LOG.items()})
    parts += section(figures, "Size of a log", ["bytes", "once"], {name: [key] for name, key in LOG_SIZES.items()})
    parts += section(figures, "Publish a catalogue of which one record in a hundred changed", ["", "publish", "anew"],
                     {name: [*row, ""][:2] for name, row in PUBLISH.items()})
    kinds = [key.partition(": ")[2] for key in figures if key.startswith("publish after: ")]
    parts += section(figures, "Publish it into TDB2 after a change", ["what changed", "seconds", "rows"],
                     {kind: [f"publish after: {kind}", f"publish after, rows: {kind}"] for kind in kinds})
    parts += section(figures, "A Fuseki that records", ["seconds", "with a log", "without"],
                     {name: [key, f"{key}, without a log"] for name, key in CAPTURE.items()})
    parts += section(figures, "Patches over gRPC", ["", "serve", "bare"], {name: list(row) for name, row in GRPC.items()})
    waits = {f"{name}{f'; {other}' if other else ''}": [key, key + THE_OTHER_WAY] for name, (key, other) in WAITS.items()}
    parts += section(figures, "What a user waits for", ["seconds; the other way", "jellybridge", "the other way"], waits)
    jobs = {f"{name}{kind}": [f"jobs: {key}{kind}", f"jobs: {key}{THE_OTHER_WAY}{kind}"] for name, key in JOBS.items()
            for kind in ("", ", processor")}
    for name, title in CLUSTER.items():
        parts += section(figures, f"On a cluster: {title}", ["executors", *map(str, EXECUTORS)], {
            job: [f"cluster: {job}, {name}, {executors}" for executors in EXECUTORS] for job in cluster_jobs(figures)})
    parts += section(figures, "Small jobs, a process each", ["seconds", "jellybridge", "Jena"], jobs)
    return "\n".join(parts)


def cluster_jobs(figures: Figures) -> List[str]:
    return [key.removeprefix("cluster: ").removesuffix(f", driver, {EXECUTORS[0]}") for key in figures
            if key.startswith("cluster: ") and key.endswith(f", driver, {EXECUTORS[0]}")]


def small_patches(figures: Figures) -> Tuple[Figures, str, List[str], Dict[str, List[str]]]:
    """The table of what a patch of a few statements takes by itself."""
    patch = {name: value * SMALL_STATEMENTS / (1 if name.startswith("allocated ") else 1000)
             for name, value in figures.items()}
    keys = {f"{kind}: {name}": [f"{kind} {method}, {SMALL}", f"allocated {kind} {method}, {SMALL}"]
            for kind, benchmarks in CODEC.items() for name, method in benchmarks.items()}
    return patch, f"A patch of {SMALL_STATEMENTS} statements", ["each", "µs", "bytes allocated"], keys


def section(figures: Figures, title: str, head: List[str], keys: Dict[str, List[str]]) -> List[str]:
    """A table under its title, or nothing where none of its figures was measured."""
    lines = [[name, *(number(figures.get(key)) for key in row)] for name, row in keys.items()]
    measured = any(key in figures for row in keys.values() for key in row)
    return [f"## {title}\n", table([head, *lines])] if measured else []


def number(value: Optional[float]) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]) + "\n"


def machine() -> str:
    class_path = (BUILD / "classpath.txt").read_text()
    versions = dict(re.findall(r"/(jena-arq|jelly-jena|jmh-core)-([0-9.]+)\.jar", class_path))
    java_version = subprocess.run([JAVA, "-version"], capture_output=True, text=True, check=True).stderr.splitlines()
    commit = subprocess.run(["git", "-C", str(HERE), "describe", "--always", "--dirty"], capture_output=True, text=True)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return table([
        ["", ""],
        ["machine", f"{processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()} {platform.release()}"],
        ["Java", java_version[1]],
        ["jellybridge", f"{jellybridge.__version__}, commit {commit.stdout.strip() or 'unknown'}"],
        ["Spark", pyspark.__version__],
        *([name, versions[name]] for name in sorted(versions)),
        ["Python", platform.python_version()],
    ])


def processor() -> str:
    information = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", information.read_text()) if information.exists() else None
    return found.group(1) if found else platform.processor() or platform.machine()


if __name__ == "__main__":
    main(sys.argv[1:])
