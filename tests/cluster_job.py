"""A job for two executor JVMs: writes, reads and applies a patch log, and breaks a file. ``test_cluster.py`` runs it.

The jar comes by ``spark.jars`` when an argument says ``spark.jars``, and then Kryo is the serializer; else the jar comes from
the ``spark-submit --jars`` above it.
Prints ``cluster job done`` when everything was as it should be.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import functions
from jvm_environment import short_jvm

CHANGE_COLUMNS = ("patch", "tx", "row", "op", "subject", "predicate", "object", "graph", "name", "value")
FILES = 4
ROWS = 500


def main() -> None:
    builder = SparkSession.builder.appName("cluster job")
    if "spark.jars" in sys.argv:
        builder = builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.executor.defaultJavaOptions", " ".join(short_jvm("spark")))
        builder = builder.config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        builder = jellybridge.configure_spark(builder)
    spark = builder.getOrCreate()
    assert spark.sparkContext.master.startswith("local-cluster")
    spark.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        run(spark, Path(folder))
    spark.stop()
    print("cluster job done")


def run(spark: SparkSession, folder: Path) -> None:
    # One patch a partition, each written by a task of its own; both executors take part.
    rows = spark.range(0, FILES * ROWS, 1, FILES).select(
        F.floor(F.col("id") / ROWS).alias("patch"),
        F.col("id").alias("row"),
        F.lit("A").alias("op"),
        F.format_string("<http://example.org/s%d>", "id").alias("subject"),
        F.lit("<http://example.org/p>").alias("predicate"),
        F.format_string('"%d"', "id").alias("object"),
        F.lit("<http://example.org/g>").alias("graph"),
    )
    rows.write.format("jelly-patch").save(str(folder / "log"))
    files = sorted((folder / "log").glob("*.jellyp"))
    assert len(files) == FILES, files

    log = spark.read.format("jelly-patch").option("strict", True).load(str(folder / "log"))
    assert log.count() == FILES * ROWS
    assert log.select("subject").distinct().count() == FILES * ROWS
    executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    assert executors == 2, f"{executors} executors"

    with jellybridge.Dataset.open(f"tdb2:{folder / 'tdb2'}", spark=spark) as dataset:
        for file in files:
            report = dataset.apply(spark.read.format("jelly-patch").load(str(file)))
            assert (report.patches, report.added) == (1, ROWS), report
        assert len(dataset) == FILES * ROWS
        assert dataset.to_dataframe(spark).select("object").distinct().count() == FILES * ROWS

    follow_and_stream(spark, folder, rows)

    broken = folder / "broken.jellyp"
    broken.write_bytes(files[0].read_bytes()[:-5])
    try:
        spark.read.format("jelly-patch").load(str(broken)).collect()
    except jellybridge.PatchFormatError as error:
        assert error.rule == "P-125" and str(error.file).endswith("broken.jellyp"), error
    else:
        raise AssertionError("a file that was cut was read")


def follow_and_stream(spark: SparkSession, folder: Path, rows: DataFrame) -> None:
    """Splits, filters, functions, sync, the sink and a patch log, on the executors."""
    one = folder / "one.jellyp"
    ordered = rows.withColumn("patch", F.lit(0).cast("bigint")).coalesce(1).sortWithinPartitions("row")
    ordered.write.format("jelly-patch").options(restartBytes=2000, frameRows=50).save(str(folder / "one"))
    next((folder / "one").glob("*.jellyp")).rename(one)
    spark.conf.set("spark.sql.files.maxPartitionBytes", "6000")
    spark.conf.set("spark.sql.files.openCostInBytes", "0")
    parts = spark.read.format("jelly-patch").load(str(one))
    assert parts.rdd.getNumPartitions() > 3
    assert [r.row for r in parts.orderBy("row").collect()] == list(range(FILES * ROWS))
    assert parts.where("predicate = '<http://example.org/p>' and object = '\"7\"'").count() == 1
    assert parts.where("graph is null").count() == 0

    packed = rows.groupBy("patch").agg(
        functions.to_jelly_patch(F.array_sort(F.collect_list(F.struct(*(
            F.lit(0).cast("bigint").alias(c) if c in ("patch", "tx") else
            F.col(c) if c in rows.columns else F.lit(None).cast("string").alias(c)
            for c in CHANGE_COLUMNS
        ))))).alias("message")
    )
    unpacked = packed.select(F.explode(functions.from_jelly_patch("message")).alias("c")).select("c.*")
    assert unpacked.select("subject").distinct().count() == FILES * ROWS

    with jellybridge.Dataset.open(f"tdb2:{folder / 'followed'}", spark=spark) as dataset:
        assert dataset.sync(folder / "log", progress=False).added == FILES * ROWS
        assert dataset.sync(folder / "log", progress=False).patches == 0

    # Patches of several files have the same numbers, so each file is a batch.
    source = spark.readStream.format("jelly-patch").schema(jellybridge.CHANGES_SCHEMA).option("maxFilesPerTrigger", 1)
    stream = source.load(str(folder / "log"))
    target = f"tdb2:{folder / 'streamed'}"
    for _ in range(2):
        query = (stream.writeStream.format("jena").option("target", target)
                 .option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True).start())
        query.awaitTermination(240)
    with jellybridge.Dataset.open(target, spark=spark) as dataset:
        assert dataset.query("SELECT (count(*) AS ?n) { GRAPH <http://example.org/g> { ?s ?p ?o } }") == [
            {"n": f'"{FILES * ROWS}"^^<http://www.w3.org/2001/XMLSchema#integer>'}
        ]

    with jellybridge.PatchLog.create(str(folder / "patch-log")) as log:
        log.append(str(one))
    found = spark.read.format("rdf-patch-log").load(str(folder / "patch-log"))
    assert found.where("op = 'A'").count() == FILES * ROWS


if __name__ == "__main__":
    main()
