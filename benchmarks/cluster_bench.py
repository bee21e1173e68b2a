"""Measures how work on a cluster grows with its executors; what it prints is an object of figures in JSON.

    python benchmarks/cluster_bench.py FOLDER TRIPLES

A catalogue of so many triples and its next release, one record in a hundred changed, go through the jobs of a log on Spark's
``local-cluster`` with two, four and eight executors of one core, over the same data. There are four tasks for each executor.
Each job runs twice in a session, and the second time counts. Of each: the processor time of all its tasks, that of its longest
task, its number of tasks, the bytes that it shuffles, and the processor time of the driver's JVM meanwhile. Executors share the
machine's cores, so seconds on the clock say nothing here.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import PatchLog

sys.path.insert(0, str(Path(__file__).resolve().parent))
from publish_bench import TITLES, catalogue, unchanged  # noqa: E402

EXECUTORS = (2, 4, 8)
_TASKS_OF_EACH = 4
_LOGGING = Path(__file__).resolve().parent.parent / "examples" / "log4j2.properties"
_STEP = "bench.step"


def used(rows: DataFrame) -> None:
    """Reads all columns."""
    rows.agg(F.bit_xor(F.xxhash64(*rows.columns))).collect()


def jobs(spark: SparkSession, folder: Path) -> Dict[str, Callable[[], object]]:
    old, new = (spark.read.format("nquads").load(str(folder / f"{name}.nt")) for name in ("old", "new"))
    log, patch, large = folder / "log", folder / "patch", folder / "large"

    def initial() -> None:
        shutil.rmtree(log, ignore_errors=True)
        PatchLog.create(log, state=old).close()

    def difference(partitions: Any) -> DataFrame:
        with PatchLog.open(log) as opened:
            return jellybridge.diff(old, new, partitions=partitions, prev=f"<urn:uuid:{opened.head.id}>")

    def to_log() -> None:
        difference(None).write.format("rdf-patch-log").option("inOrder", True).mode("append").save(str(log))

    def one_patch_with_all() -> None:
        shutil.rmtree(large, ignore_errors=True)
        PatchLog.create(large).close()
        changes = jellybridge.diff(old.limit(0), old, partitions=None)
        changes.write.format("rdf-patch-log").option("inOrder", True).mode("append").save(str(large))

    def on_log(folder: Path, call: Callable[[PatchLog], object]) -> None:
        with PatchLog.open(folder) as opened:
            call(opened)

    return {
        "initial state": initial,
        "diff, one file": lambda: difference(1).write.format("jelly-patch").mode("overwrite").save(str(patch)),
        "diff into a log": to_log,
        "as_of, a checkpoint and a small patch": lambda: on_log(log, lambda opened: used(opened.as_of(spark))),
        "all quads as one patch into a log": one_patch_with_all,
        "as_of, that patch": lambda: on_log(large, lambda opened: used(opened.as_of(spark))),
        "checkpoint": lambda: on_log(log, lambda opened: opened.checkpoint()),
    }


def session(executors: int, folder: Path) -> None:
    """Runs the jobs, and writes what the driver took. Spark writes the rest into its log of events."""
    size = (folder / "old.nt").stat().st_size
    events = folder / "events"
    events.mkdir(exist_ok=True)
    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}", "spark.scheduler.minRegisteredResourcesRatio": 1,
        "spark.jellybridge.stagingDir": (folder / "staging").as_uri(), "spark.executor.memory": "512m", "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(), "spark.eventLog.rolling.enabled": "false", "spark.eventLog.compress": "false",
        "spark.sql.shuffle.partitions": executors * _TASKS_OF_EACH, "spark.sql.adaptive.enabled": "false",
        "spark.sql.files.maxPartitionBytes": math.ceil(size / executors / _TASKS_OF_EACH), "spark.sql.files.openCostInBytes": 0,
        "spark.app.name": str(executors), "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,512]")
    for name, value in settings.items():
        builder.config(name, value)
    spark = jellybridge.configure_spark(builder).getOrCreate()
    context: Any = spark.sparkContext
    context.setLogLevel("ERROR")
    process = context._jvm.java.lang.ProcessHandle.current()
    took: Dict[str, float] = {}
    for turn in (0, 1):
        for name, job in jobs(spark, folder).items():
            context.setLocalProperty(_STEP, name if turn else None)
            before = process.info().totalCpuDuration().get().toNanos()
            job()
            took[name] = (process.info().totalCpuDuration().get().toNanos() - before) / 1e9
    (folder / f"driver-{executors}.json").write_text(json.dumps(took))
    spark.stop()


def of_events(file: Path) -> Dict[str, Dict[str, float]]:
    """Returns what the tasks of each job took."""
    step_of: Dict[int, str] = {}
    tasks: Dict[str, Dict[int, List[Dict[str, Any]]]] = {}
    with file.open() as lines:
        for event in map(json.loads, lines):
            if event["Event"] == "SparkListenerJobStart":
                step = event["Properties"].get(_STEP)
                step_of.update({stage: step for stage in event["Stage IDs"] if step})
            elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in step_of:
                tasks.setdefault(step_of[event["Stage ID"]], {}).setdefault(event["Stage ID"], []).append(event["Task Metrics"])
    found = {}
    for step, stages in tasks.items():
        every = [task for stage in stages.values() for task in stage]
        found[step] = {
            "tasks": len(every), "seconds": sum(task["Executor CPU Time"] for task in every) / 1e9,
            "longest task": max(task["Executor CPU Time"] for task in every) / 1e9,
            "shuffled": sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in every),
            "largest fetch": max(sum(task["Shuffle Read Metrics"][f"{kind} Bytes Read"] for kind in ("Local", "Remote")) for task in every),
            "results": sum(task["Result Size"] for task in every),
        }
    return found


def measure(folder: Path, triples: int) -> Dict[str, float]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    catalogue(folder / "old.nt", triples, unchanged, "a")
    catalogue(folder / "new.nt", triples, TITLES, "a")
    figures: Dict[str, float] = {"cluster: triples": triples}
    for executors in EXECUTORS:
        # A process for each, since one process has one driver.
        subprocess.run([sys.executable, __file__, str(folder), "--executors", str(executors)], check=True, stdout=sys.stderr)
        [events] = (file for file in (folder / "events").iterdir() if not file.name.startswith("."))
        of_tasks = of_events(events)
        events.unlink()
        for job, driver in json.loads((folder / f"driver-{executors}.json").read_text()).items():
            for name, value in {**of_tasks.get(job, {}), "driver": driver}.items():
                figures[f"cluster: {job}, {name}, {executors}"] = value
    shutil.rmtree(folder)
    return figures


if __name__ == "__main__":
    if sys.argv[2] == "--executors":
        session(int(sys.argv[3]), Path(sys.argv[1]))
    else:
        print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))
