"""A job for two executor JVMs: writes, reads and applies a patch log, and breaks a file. ``test_cluster.py`` runs it.

The jar comes by ``spark.jars`` when an argument says ``spark.jars``, else from the ``spark-submit --jars`` above it.
Prints ``cluster job done`` when everything was as it should be.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import jellybridge

FILES = 4
ROWS = 500


def main() -> None:
    builder = SparkSession.builder.appName("cluster job")
    if "spark.jars" in sys.argv:
        builder = builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
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

    broken = folder / "broken.jellyp"
    broken.write_bytes(files[0].read_bytes()[:-5])
    try:
        spark.read.format("jelly-patch").load(str(broken)).collect()
    except jellybridge.PatchFormatError as error:
        assert error.rule == "P-125" and str(error.file).endswith("broken.jellyp"), error
    else:
        raise AssertionError("a file that was cut was read")


if __name__ == "__main__":
    main()
