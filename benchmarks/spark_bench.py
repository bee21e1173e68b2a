"""Measures jelly-patch on Spark against Parquet and text, over the files that BenchmarkFiles made.

    python benchmarks/spark_bench.py GROUP --folder build/bench --rounds 5 --out FILE

GROUP is ``tables`` (reading and writing one million rows), ``gigabyte`` (one file of 1 GiB, on one core and on two) or
``heap`` (the same file, by an executor with little memory). FILE gets a JSON object: by the name of what was measured a
list of seconds, one a round, or a number. What is compared is measured in turn within a round; one round before the
first warms up and is not counted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge

LOGGING = Path(__file__).resolve().parent.parent / "examples" / "log4j2.properties"
# Jena's RDF Patch text: `A <s> <p> "o" <g> .`, with no graph for the default graph. Possessive, so that a long literal does
# not overflow the stack of Java's matcher.
LITERAL = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"\S*'
TEXT_COLUMNS = {
    "op": r"^([A-Z]+) ",
    "subject": r"^[AD] (\S+)",
    "predicate": r"^[AD] \S+ (\S+)",
    "object": rf"^[AD] \S+ \S+ (<[^>]*>|{LITERAL})",
    "graph": rf"^[AD] \S+ \S+ (?:<[^>]*>|{LITERAL}) (\S+) \.$",
}
HEAPS_MB = (256, 512, 1024)
Figures = Dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures jelly-patch on Spark against its peers.")
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--folder", type=Path, required=True, help="the files of BenchmarkFiles")
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is measured")
    parser.add_argument("--out", type=Path, required=True, help="where the figures go")
    options = parser.parse_args()
    figures = GROUPS[options.group](options.folder, options.rounds)
    options.out.write_text(json.dumps(figures, indent=1) + "\n")


def session(master: str, settings: Mapping[str, str] = {}) -> SparkSession:
    builder = (
        SparkSession.builder.master(master)
        .appName("jellybridge benchmarks")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "3g")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
    )
    for name, value in settings.items():
        builder.config(name, value)
    return jellybridge.configure_spark(builder).getOrCreate()


def in_turn(rounds: int, tasks: Mapping[str, Callable[[], Any]]) -> Dict[str, List[float]]:
    """The seconds of each task, a round at a time; what the first round takes is dropped."""
    seconds: Dict[str, List[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            started = time.perf_counter()
            task()
            if number > 0:
                seconds[name].append(time.perf_counter() - started)
    return seconds


def use(rows: DataFrame) -> int:
    """Reads every column of every row, and says what was read: equal for the same rows in any order."""
    return int(one(rows.agg(F.bit_xor(F.xxhash64(*rows.columns)))))


def one(row: DataFrame) -> Any:
    """The first column of a frame's first row."""
    return row.collect()[0][0]


# --- one million rows


def tables(folder: Path, rounds: int) -> Figures:
    """Reads and writes: each format has the same rows in two files, as Spark wrote them from two partitions."""
    spark = session("local[2]")
    changes = in_two_partitions(spark.read.format("jelly-patch").load(str(folder / "changes-1m.jellyp"))).cache()
    rows = changes.count()
    ours, parquet, text = (str(folder / "spark" / name) for name in ("jelly-patch", "parquet", "rdf-patch"))
    figures: Figures = {"rows": rows}

    figures.update(in_turn(rounds, {
        "write jelly-patch": lambda: write(changes, "jelly-patch", ours),
        "write parquet": lambda: write(changes, "parquet", parquet, compression="snappy"),
    }))
    write(changes, "rdf-patch", text)
    sizes(changes, folder / "spark", figures)
    changes.unpersist()

    def read_ours() -> DataFrame:
        return spark.read.format("jelly-patch").load(ours)

    def read_parquet() -> DataFrame:
        return spark.read.parquet(parquet)

    def read_text() -> DataFrame:
        lines = spark.read.text(text)
        return lines.select(*(F.regexp_extract("value", regex, 1).alias(name) for name, regex in TEXT_COLUMNS.items()))

    check("all columns", use(read_ours()), use(read_parquet()))
    check("statements in the text", statements(read_ours()), statements(read_text()))
    predicate = one(read_parquet().where("op = 'A'").groupBy("predicate").count().sort("count").select("predicate").limit(1))
    graph = one(read_parquet().select(F.min("graph")))
    conditions = {
        "op = 'D'": F.col("op") == "D",
        "predicate = a rare one": F.col("predicate") == predicate,
        "graph = a named one": F.col("graph") == graph,
    }
    tasks: Dict[str, Callable[[], int]] = {
        "read jelly-patch": lambda: use(read_ours()),
        "read parquet": lambda: use(read_parquet()),
        "read text": lambda: use(read_text()),
        "count() jelly-patch": lambda: read_ours().count(),
        "count() parquet": lambda: read_parquet().count(),
        "subjects only jelly-patch": lambda: use(read_ours().select("subject")),
        "subjects only parquet": lambda: use(read_parquet().select("subject")),
    }
    for name, condition in conditions.items():
        ours_where, parquet_where = read_ours().where(condition), read_parquet().where(condition)
        check(name, use(ours_where), use(parquet_where))
        tasks[f"{name} jelly-patch"] = partial(use, ours_where)
        tasks[f"{name} parquet"] = partial(use, parquet_where)
    figures.update(in_turn(rounds, tasks))
    spark.stop()
    return figures


def in_two_partitions(changes: DataFrame) -> DataFrame:
    """The first half of the patches, then the second; so no transaction is cut."""
    last = one(changes.select(F.max("patch")))
    first_half = F.col("patch") <= last // 2
    first, second = (changes.where(half).coalesce(1).sortWithinPartitions("row") for half in (first_half, ~first_half))
    return first.union(second)


def write(changes: DataFrame, format: str, path: str, **options: str) -> None:
    changes.write.format(format).options(**options).mode("overwrite").save(path)


def statements(rows: DataFrame) -> int:
    return rows.where("op in ('A', 'D') and subject <> '' and predicate <> '' and object <> ''").count()


def check(what: str, ours: int, peers: int) -> None:
    if ours != peers:
        raise SystemExit(f"{what}: jelly-patch and its peer do not read the same rows, {ours} and {peers}")


def sizes(changes: DataFrame, folder: Path, figures: Figures) -> None:
    """The bytes on disk, with zstd as Spark has it, and without."""
    for name in ("jelly-patch", "parquet"):
        write(changes, name, str(folder / f"{name}-zstd"), compression="zstd")
        figures[f"zstd {name}"] = sum(file.stat().st_size for file in (folder / f"{name}-zstd").glob("part-*"))
    for name in ("jelly-patch", "parquet", "rdf-patch"):
        figures[f"size {name}"] = sum(file.stat().st_size for file in (folder / name).glob("part-*"))


# --- one gigabyte


def gigabyte(folder: Path, rounds: int) -> Figures:
    """Reads the file on one core and on two, in turn, each in a session of its own in the same JVM."""
    seconds: Dict[str, List[float]] = {}
    for number in range(rounds + 1):
        for cores in (1, 2):
            spark = session(f"local[{cores}]")
            started = time.perf_counter()
            use(gigabyte_of(spark, folder))
            if number > 0:
                seconds.setdefault(f"cores {cores}", []).append(time.perf_counter() - started)
            spark.stop()
    return {**seconds, "gigabyte bytes": (folder / "changes-1g.jellyp").stat().st_size}


def gigabyte_of(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.read.format("jelly-patch").load(str(folder / "changes-1g.jellyp"))


def heap(folder: Path, rounds: int) -> Figures:
    """The heap that an executor needs to read the file: the first that suffices, of some sizes."""
    expected = int((folder / "changes-1g.rows").read_text())
    for megabytes in HEAPS_MB:
        # Spark keeps 300 MB for itself, unless this setting of its tests says less.
        spark = session(f"local-cluster[1,1,{megabytes}]", {
            "spark.executor.memory": f"{megabytes}m", "spark.testing.reservedMemory": str(32 << 20)
        })
        rows = gigabyte_of(spark, folder)
        try:
            read = one(rows.agg(F.count("op"), F.bit_xor(F.xxhash64(*rows.columns))))
            check("rows of the file", read, expected)
            return {"heap aimed at": HEAPS_MB[0], "heap needed": megabytes}
        except (Py4JError, PySparkException) as e:  # whatever Spark says of an executor that ran out of memory
            print(f"reading with {megabytes} MB failed: {str(e)[:2000]}", file=sys.stderr)
        finally:
            spark.stop()
    raise SystemExit(f"{HEAPS_MB[-1]} MB do not suffice to read the file")


GROUPS: Dict[str, Callable[[Path, int], Figures]] = {"tables": tables, "gigabyte": gigabyte, "heap": heap}

if __name__ == "__main__":
    main()
