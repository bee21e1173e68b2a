"""What a client of Spark Connect can do with our formats and functions. ``test_functions.py`` runs it.

The first argument says where the jar comes from: the ``server`` has it at its start, or the ``client`` adds it to a session.
The second is a folder.
Prints ``connect job done`` when everything was as it should be.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Callable, Type

from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import JellybridgeError, PatchFormatError, TextFormatError
from jellybridge.functions import from_jelly_patch, rdf_value, to_jelly_patch, try_from_jelly_patch


def several_files(spark: SparkSession) -> None:
    """Numbers over files, and the net effect, without a JVM on the client's side."""
    with tempfile.TemporaryDirectory() as folder:
        for number, op in enumerate(("A", "D")):
            row = f"SELECT 0L AS row, '{op}' AS op, '<urn:s>' AS subject, '<urn:p>' AS predicate, '\"o\"' AS object"
            spark.sql(row).coalesce(1).write.format("jelly-patch").save(f"{folder}/{number}")
        read = spark.read.format("jelly-patch").load(f"{folder}/*")
        net = read.transform(jellybridge.number_patches).transform(jellybridge.net_effect)
        assert [row.op for row in net.orderBy("row").collect()] == ["TX", "D", "TC"]
        try:
            read.transform(jellybridge.net_effect).collect()
        except Exception as error:
            assert "patch 0 has rows of two files" in str(error), error
        else:
            raise AssertionError("rows of two files have a net effect")
        try:
            jellybridge.number_patches(read.unionByName(read))
        except ValueError as error:
            assert "right behind load()" in str(error), error
        else:
            raise AssertionError("rows were numbered whose files are not known")


def main() -> None:
    builder = SparkSession.builder.remote("local[1]").config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    if sys.argv[1] == "server":
        builder = builder.config("spark.jars", jellybridge.jar_path())
    spark = jellybridge.configure_spark(builder).getOrCreate()
    if sys.argv[1] == "client":
        quads = spark.read.format("nquads")
        refused(JellybridgeError, "no jellybridge jar: call spark.addArtifacts", lambda: quads.load(sys.argv[2]).columns)
        spark.addArtifacts(jellybridge.jar_path())
    rows = spark.sql(
        """SELECT array(
             named_struct('op', 'TX', 'subject', NULL, 'predicate', NULL, 'object', NULL),
             named_struct('op', 'A', 'subject', '<urn:s>', 'predicate', '<urn:p>', 'object', '"o"@en'),
             named_struct('op', 'TC', 'subject', NULL, 'predicate', NULL, 'object', NULL)) AS changes"""
    )
    streams = rows.select(to_jelly_patch("changes").alias("value"))
    changes = streams.select(F.inline(from_jelly_patch("value", strict=True)))
    assert [row.op for row in changes.collect()] == ["TX", "A", "TC"]
    assert changes.where("op = 'A'").select(rdf_value("object")).collect() == [("o",)]
    broken = streams.select(F.substring("value", 1, 20).alias("value"))
    assert broken.select(try_from_jelly_patch("value")).collect() == [(None,)]
    refused(PatchFormatError, "[P-", broken.select(from_jelly_patch("value")).collect)
    files(spark, Path(sys.argv[2]))
    errors(spark, Path(sys.argv[2]))
    if sys.argv[1] == "server":
        several_files(spark)
    sinks(spark, Path(sys.argv[2]))
    versions(spark, str(Path(sys.argv[2]) / "log"))
    spark.stop()
    print("connect job done")


def files(spark: SparkSession, folder: Path) -> None:
    """Every format is written and read back, compressed too."""
    quads = spark.createDataFrame([("<urn:s>", "<urn:p>", '"o"', "<urn:g>")], jellybridge.QUADS_SCHEMA)
    changes = jellybridge.diff(quads.limit(0), quads).transform(jellybridge.in_order)
    for format, rows in (("nquads", quads), ("jelly", quads), ("jelly-patch", changes), ("rdf-patch", changes)):
        for compression in ("none", "zstd"):
            path = str(folder / format / compression)
            rows.write.format(format).option("compression", compression).save(path)
            assert sorted(spark.read.format(format).load(path).select(*rows.columns).collect()) == sorted(rows.collect())


def sinks(spark: SparkSession, folder: Path) -> None:
    """A dataset takes a batch and a stream, and a log begins with a state."""
    quads = spark.createDataFrame([("<urn:s>", "<urn:p>", '"o"', None)], jellybridge.QUADS_SCHEMA)
    target, staging = f"tdb2:{folder / 'tdb2'}", str(folder / "staging")
    changes = jellybridge.diff(quads.limit(0), quads)
    changes.write.format("jena").mode("append").options(target=target, stagingDir=staging).save()
    assert spark.read.format("jena").options(target=target, stagingDir=staging).load().collect() == quads.collect()
    quads.write.format("rdf-dataset").mode("append").save(str(folder / "begun"))
    assert spark.read.format("rdf-dataset").load(str(folder / "begun")).collect() == quads.collect()
    files = spark.readStream.format("jelly-patch").schema(jellybridge.CHANGES_SCHEMA).load(str(folder / "jelly-patch" / "none"))
    target = f"tdb2:{folder / 'streamed'}"
    query = files.writeStream.format("jena").option("target", target).option("checkpointLocation", str(folder / "checkpoint"))
    query.trigger(availableNow=True).start().awaitTermination(240)
    assert spark.read.format("jena").options(target=target, stagingDir=staging).load().count() == 1


def versions(spark: SparkSession, log: str) -> None:
    """A log of two patches is read at its versions, and appended to."""
    states = [
        spark.createDataFrame([(f"<urn:{name}>", "<urn:p>", '"o"', None) for name in names], jellybridge.QUADS_SCHEMA)
        for names in ("", "ab", "bc")
    ]
    states.append(states[0])
    emptied = jellybridge.diff(states[2], states[0])
    emptied.write.format("rdf-patch-log").mode("append").option("stagingDir", log + "-staging").save(log)
    spark.conf.set("spark.sql.catalog.kg", "io.jellybridge.spark.catalog.JellyCatalog")
    for version, expected in enumerate(states):
        by_format = spark.read.format("rdf-dataset").option("versionAsOf", version).load(log)
        by_sql = spark.sql(f"SELECT * FROM kg.`{log}` VERSION AS OF {version}")
        assert sorted(by_format.collect()) == sorted(by_sql.collect()) == sorted(expected.collect())
    said = jellybridge.history(spark.read.format("rdf-patch-log").load(log), subject="<urn:a>")
    assert [(row.version, row.op) for row in said.collect()] == [(1, "A"), (2, "D")]
    changes = jellybridge.diff(states[1], states[2])
    assert sorted(jellybridge.apply_changes(states[1], changes).collect()) == sorted(states[2].collect())


def refused(error: Type[Exception], says: str, action: Callable[[], object]) -> None:
    try:
        action()
    except error as raised:
        assert says in str(raised) and "\n" not in str(raised), raised
    else:
        raise AssertionError(f"{error.__name__} was to be raised, which says {says!r}")


def errors(spark: SparkSession, folder: Path) -> None:
    """They are ours, on one line, whether a task or the server found them."""
    text = folder / "broken.nq"
    text.write_text("<urn:s> <urn:p> <urn:o> .\n<urn:s> .\n")
    stream = folder / "broken.jellyp"
    stream.write_bytes(b"\xff" * 20)
    refused(TextFormatError, "broken.nq, line 2, column ", spark.read.format("nquads").load(str(text)).collect)
    refused(PatchFormatError, "broken.jellyp, frame 0, row ", spark.read.format("jelly-patch").load(str(stream)).collect)
    rows = spark.createDataFrame([(7, 41, "TX")], "patch BIGINT, row BIGINT, op STRING").coalesce(1)
    out = rows.write.format("jelly-patch")
    refused(PatchFormatError, f"{folder}/out, after patch 7, row 41: ", lambda: out.save(str(folder / "out")))
    twice = rows.unionAll(rows).coalesce(1).write.format("rdf-patch")
    refused(TextFormatError, f"{folder}/twice, patch 7, row 41: two rows", lambda: twice.save(str(folder / "twice")))
    unknown = spark.read.format("nquads").option("strct", "true")
    refused(IllegalArgumentException, "unknown option 'strct' of nquads", lambda: unknown.load(str(text)).collect())
    query = (
        spark.readStream.format("nquads").schema(jellybridge.QUADS_SCHEMA).load(str(folder / "broken*"))
        .writeStream.format("noop").option("checkpointLocation", str(folder / "state")).trigger(availableNow=True).start()
    )
    refused(TextFormatError, "broken.nq, line 2, column ", query.awaitTermination)
    refused(PatchFormatError, "[P-", lambda: rows.select(from_jelly_patch(F.lit(b"\xff\xff"))).collect())


if __name__ == "__main__":
    main()
