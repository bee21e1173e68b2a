"""Archives of the classes that Spark and Fuseki load (class data sharing, JEP 350): the tests start a hundred of these JVMs.

``python tests/class_archives.py`` makes both: it runs what most tests do, in a JVM that writes down its classes when it ends. A
JVM that can't take an archive, since its Java or a jar is another, starts without.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import pyspark
from fuseki_server import FusekiServer
from jvm_environment import class_archive, spark_environment
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import jellybridge

SNAPSHOTS = Path(__file__).resolve().parent.parent / "examples" / "snapshots"


@contextmanager
def written(name: str) -> Iterator[str]:
    """The JVM's option by which it writes an archive; only what is whole gets the archive's name. Tests run without one as well."""
    archive = class_archive(name)
    unfinished = archive.with_suffix(".unfinished")
    archive.parent.mkdir(parents=True, exist_ok=True)
    unfinished.unlink(missing_ok=True)
    archive.unlink(missing_ok=True)
    yield f"-XX:ArchiveClassesAtExit={unfinished} -Xlog:cds=off -Xlog:cds+dynamic=off"
    if unfinished.is_file():
        unfinished.rename(archive)
    else:
        print(f"the JVM of {name} wrote no archive of its classes: the tests take longer without", file=sys.stderr)


def of_fuseki() -> None:
    with written("fuseki") as option, tempfile.TemporaryDirectory() as folder:
        with FusekiServer(module=False, jena=5, log=Path(folder) / "log", options=option.split()) as server:
            update = urllib.parse.urlencode({"update": "INSERT DATA { <urn:s> <urn:p> 1 }"}).encode()
            urllib.request.urlopen(f"{server.url}/update", update).close()
            server.stop()


def of_spark() -> None:
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"  # which ends when the JVM does
    with written("spark") as option:
        subprocess.run([submit, "--jars", jellybridge.jar_path(), __file__, "session"], env=spark_environment(option), check=True)


def session() -> None:
    """What most sessions have in common."""
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        old, new = (spark.read.format("nquads").load(str(SNAPSHOTS / f"{release}.nq")) for release in ("1.0", "1.1"))
        changes = jellybridge.diff(old, new)
        for name, frame in (("jelly-patch", changes), ("rdf-patch", changes), ("jelly", new)):
            frame.write.format(name).save(f"{folder}/{name}")
            spark.read.format(name).load(f"{folder}/{name}").groupBy("subject").agg(F.count("*")).orderBy("subject").toPandas()
        jellybridge.PatchLog.create(f"{folder}/log").close()
        changes.write.format("rdf-patch-log").mode("append").save(f"{folder}/log")
        spark.read.format("rdf-patch-log").load(f"{folder}/log").count()
        stream = spark.readStream.format("jelly-patch").schema(jellybridge.CHANGES_SCHEMA).load(f"{folder}/jelly-patch")
        sink = stream.writeStream.format("jena").option("target", f"tdb2:{folder}/database").trigger(availableNow=True)
        sink.option("checkpointLocation", f"{folder}/checkpoint").start().awaitTermination()
        with jellybridge.Dataset.open(f"tdb2:{folder}/database") as dataset:
            dataset.query("SELECT * { ?s ?p ?o }")
    spark.stop()


if __name__ == "__main__":
    if sys.argv[1:] == ["session"]:
        session()
    else:
        of_fuseki()
        of_spark()
