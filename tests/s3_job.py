"""The job of test_s3.py: logs in a bucket, with a Spark that has Hadoop's client of S3. Its last line is what it found, as JSON."""

from __future__ import annotations

import json
import os
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any, Callable, Dict, List

from pyspark.sql import SparkSession

from jellybridge import CHANGES_SCHEMA, ChangeRow, Dataset, PatchLog, configure_spark, write_patch


def session() -> SparkSession:
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
    for name, value in json.loads(os.environ["S3_SETTINGS"]).items():
        builder = builder.config(name, value)
    return configure_spark(builder.config("spark.jars", os.environ["S3_JARS"])).getOrCreate()


def fault(name: str, number: int) -> None:
    urllib.request.urlopen(f"{os.environ['S3_SERVER']}/faults?{name}={number}").close()


def error(call: Callable[[], Any]) -> str:
    try:
        return f"no error: {call()}"
    except Exception as e:
        return str(e)


def main(folder: Path) -> None:
    spark = session()
    found: Dict[str, Any] = {}

    def save(names: List[str], address: str) -> None:
        rows = [ChangeRow(patch, None, 0, "A", f"<urn:{name}>", "<urn:p>", '"o"') for patch, name in enumerate(names)]
        spark.createDataFrame(rows, CHANGES_SCHEMA).write.format("rdf-patch-log").mode("append").save(address)

    def subjects(address: str) -> List[Any]:
        rows = spark.read.format("rdf-patch-log").load(address).where("op = 'A'").select("patch", "subject").collect()
        return sorted(map(list, rows))

    address = "s3a://bucket/by spark"
    with PatchLog.create(address) as log:
        save(["a", "b", "c", "d"], address)
        read = spark.read.format("rdf-patch-log").option("patchesPerPartition", 1).load(address)
        found |= {"tasks": read.rdd.getNumPartitions(), "read": subjects(address),
                  "as_of": sorted(row.subject for row in log.as_of(spark, version=2).collect())}

    source, target = "s3a://bucket/source", "s3a://bucket/target"
    PatchLog.create(source).close()
    PatchLog.create(target).close()
    for names in (["a", "b", "c"], ["d", "e"]):
        save(names, source)
        for _ in range(2):
            spark.readStream.format("rdf-patch-log").option("maxPatchesPerTrigger", 2).load(source).writeStream.format(
                "rdf-patch-log").option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True).start(
                target).awaitTermination(300)
    for name, place in (("source", source), ("target", target)):
        with PatchLog.open(place) as log:
            found[name] = [(entry.version, entry.id, entry.prev) for entry in log.entries()]

    followed = "s3a://bucket/followed"
    PatchLog.create(followed).close()
    found["followed"] = []
    with Dataset.open("mem:") as dataset:
        for names in (["a", "b"], ["c"], []):
            save(names, followed)
            found["followed"].append([dataset.sync(followed).patches, len(dataset)])

    one, two = folder / "one.jellyp", folder / "two.jellyp"
    for file in (one, two):
        write_patch(file, [ChangeRow(op="A", subject=f"<urn:{file.stem}>", predicate="<urn:p>", object='"o"')])
    with PatchLog.create("s3a://bucket/lost") as log:
        found["lost"] = []
        for file in (one, two, two):
            fault("lose", 1)
            log.append(file)
            found["lost"].append(log.head.version)
        fault("lose", 0)
        first = next(iter(log.entries())).id
        conflict = error(lambda: log.append(one, prev=first))

    writers = "s3a://bucket/writers"
    PatchLog.create(writers).close()

    def write(writer: int) -> None:
        for number in range(3):
            while "LogConflict" in (said := error(lambda: save([f"{writer}-{number}"], writers))):
                pass
            assert said == "no error: None", said

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found["writers"] = sorted(subject for _, subject in subjects(writers))

    def forgetful() -> None:
        # A client of its own has not seen yet whether its server keeps conditions.
        spark._jvm.org.apache.hadoop.fs.FileSystem.closeAll()  # type: ignore[union-attr]
        fault("forget", 1)
        try:
            with PatchLog.open("s3a://bucket/lost") as log:
                log.append(one)
                log.append(two)
        finally:
            fault("forget", 0)

    found["errors"] = {
        "conflict": conflict,
        "none": error(lambda: PatchLog.open("s3a://bucket/none")),
        "there": error(lambda: PatchLog.create(source)),
        "bucket": error(lambda: PatchLog.create("s3a://nowhere/log")),
        "s3": error(lambda: PatchLog.open("s3://bucket/log")),
        "gs": error(lambda: PatchLog.open("gs://bucket/log")),
        "forgetful": error(forgetful),
    }
    spark.stop()
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
