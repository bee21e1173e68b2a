"""A log that begins with a state: version 1 is a checkpoint without a patch, which many tasks write."""

from __future__ import annotations

import http.server
import json
import re
import shutil
import threading
from functools import partial
from pathlib import Path
from typing import Iterator, List, Set

import pyspark
import pytest
from conftest import spark_settings
from fuseki_server import FusekiServer
from log_histories import GRAPHS, OBJECTS, SUBJECTS, Quad, quads, state
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import QUADS_SCHEMA, ChangeRow, Dataset, JellybridgeError, PatchLog, write_patch

pytestmark = pytest.mark.settings

HAS_CHANGES = tuple(map(int, pyspark.__version__.split(".")[:2])) >= (4, 2)
#: Of each kind of term, with what sorts otherwise where a line is not compared as a whole.
STATE: Set[Quad] = {
    (subject, predicate, object, graph) for subject in (*SUBJECTS, "_:b", "_:b-1", "_:b0.x", "<urn:s/>", "<urn:S>")
    for predicate in ("<urn:p>", "<urn:pp>") for object in (*OBJECTS, '"o"@a', '"o "', '"o!"', '"😀"', '"\uffff0"'.replace(
        "\uffff", "\ufffd")) for graph in GRAPHS
}
PARTS = 7
MANY_TASKS = {"spark.sql.shuffle.partitions": str(PARTS), "spark.sql.adaptive.coalescePartitions.enabled": "false"}


@pytest.fixture(autouse=True)
def many_tasks(spark: SparkSession) -> Iterator[None]:
    with spark_settings(spark, {**MANY_TASKS, "spark.sql.catalog.kg": "io.jellybridge.spark.catalog.JellyCatalog"}):
        yield


def frame(spark: SparkSession, rows: Set[Quad]) -> DataFrame:
    return spark.createDataFrame(sorted(rows, key=str), QUADS_SCHEMA)


def parts(folder: Path) -> List[Path]:
    return sorted((folder / "checkpoints" / f"{1:020}").glob("part-*.jelly"))


def line(quad: Quad) -> bytes:
    return " ".join([*filter(None, quad), "."]).encode()


@pytest.fixture(scope="module")
def begun(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a state alone."""
    folder = tmp_path_factory.mktemp("begun") / "log [a]*"
    twice = frame(spark, STATE).union(frame(spark, STATE)).union(
        spark.createDataFrame([("<urn:s>", "<urn:p>", '"x"', "<urn:jellybridge:sync>")], QUADS_SCHEMA)).repartition(5)
    with spark_settings(spark, MANY_TASKS):
        PatchLog.create(folder, state=twice).close()
    return folder


def append(log: PatchLog, folder: Path, *rows: ChangeRow) -> None:
    write_patch(folder / "one.jellyp", rows, rdf_star=True)
    log.append(folder / "one.jellyp")


def test_many_tasks_write_the_state_in_the_order_of_its_lines_each_quad_once(spark: SparkSession, begun: Path) -> None:
    files = parts(begun)
    assert len(files) == PARTS
    found = [quads(spark.read.format("jelly").option("__globPaths__", False).load(f"file://{file}").drop("frame"))
             for file in files]
    lines = [line(quad) for of_file in found for quad in of_file]
    assert lines == sorted(set(lines)) == sorted(map(line, STATE))
    assert max(map(len, found)) < len(STATE) / 3
    said = json.loads((begun / "checkpoints" / f"{1:020}" / "checkpoint.json").read_text())
    assert (said["version"], said["quads"]) == (1, len(STATE))
    assert [entry.name for entry in (begun / "checkpoints").iterdir()] == [f"{1:020}"]


def test_version_one_is_the_state_for_all_who_read_the_log(spark: SparkSession, begun: Path) -> None:
    with PatchLog.open(begun) as log:
        assert (log.head.version, list(log.entries()), log.check()) == (1, [], [])
        verified = log.verify(progress=False)
        assert (verified.ok, verified.patches, verified.checkpoints) == (True, 0, 1)
        for asked in ({}, {"version": 1}, {"id": log.head.id}, {"time": "2100-01-01T00:00:00Z"}):
            assert state(log.as_of(spark, **asked)) == STATE  # type: ignore[arg-type]
        assert state(log.as_of(spark, version=0)) == set()
        assert log.state(begun.parent / "state.nq", progress=False).quads == len(STATE)
        assert (begun.parent / "state.nq").read_bytes().splitlines() == sorted(map(line, STATE))
        checkpoint = log.checkpoint(progress=False)
        assert (checkpoint.is_new, checkpoint.quads, checkpoint.id) == (False, len(STATE), log.head.id)
        story = log.history(spark, subject="_:b-1").collect()
        assert {(row.version, row.op) for row in story} == {(1, "A")} and len(story) == len(STATE) / 9
        assert all(row.time is not None for row in story)
    assert state(spark.sql(f"SELECT * FROM kg.`{begun}` VERSION AS OF 1 WHERE graph = '<urn:g>'")) == {
        quad for quad in STATE if quad[3] == "<urn:g>"}
    assert spark.read.format("rdf-patch-log").option("startingVersion", "earliest").load(str(begun)).count() == 0
    if HAS_CHANGES:
        made = spark.sql(f"SELECT * FROM kg.`{begun}` CHANGES FROM VERSION 1 TO VERSION 1")
        assert {(*row[:4], row[4], row[5]) for row in made.collect()} == {(*quad, "insert", 1) for quad in STATE}
        assert made.where("_commit_timestamp IS NULL").count() == 0


def test_patches_follow_the_state(spark: SparkSession, begun: Path, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    old, new = set(sorted(STATE, key=str)[:100]), set(sorted(STATE, key=str)[50:150])
    with PatchLog.create(folder, state=frame(spark, old)) as log:
        id = log.head.id
        changes = jellybridge.diff(log.as_of(spark), frame(spark, new), prev=f"<urn:uuid:{id}>")
        changes.write.format("rdf-patch-log").mode("append").save(str(folder))
        [entry] = log.entries()
        assert (entry.version, entry.prev) == (2, id)
        assert [state(log.as_of(spark, version=version)) for version in (0, 1, 2)] == [set(), old, new]
        append(log, tmp_path, ChangeRow(op="D", subject="<urn:none>", predicate="<urn:p>", object="<urn:o>"))
        assert (log.head.version, state(log.as_of(spark))) == (3, new)
        assert log.verify(progress=False).ok and log.check() == []
        if HAS_CHANGES:
            asked = f"SELECT * FROM kg.`{folder}` CHANGES FROM VERSION"
            found = {(*row[:4], row[4], row[5]) for row in spark.sql(f"{asked} 1").collect()}
            deleted = {(*quad, "delete", 2) for quad in old - new}
            inserted = {(*quad, "insert", 2) for quad in new - old}
            assert found == {(*quad, "insert", 1) for quad in old} | deleted | inserted
            later = spark.sql(f"{asked} 2 TO VERSION 3").collect()
            assert {(*row[:4], row[4], row[5]) for row in later} == deleted | inserted
            with pytest.raises(Exception, match="version 1 is no patch that a stream could say, the first one is version 2"):
                spark.readStream.option("startingVersion", 1).changes(f"kg.`{folder}`").writeStream.format("noop").option(
                    "checkpointLocation", str(tmp_path / "c")).trigger(availableNow=True).start().awaitTermination()
        with Dataset.open(f"tdb2:{tmp_path / 'db'}") as dataset:
            report = dataset.sync(folder)
            assert (report.checkpoint, report.patches, len(dataset)) == (1, 2, len(new))
            assert dataset.verify(folder).ok
            assert dataset.sync(folder).patches == 0
        with Dataset.open("mem:") as dataset:
            report = dataset.sync(folder, until=f"<urn:uuid:{id}>")
            assert (report.checkpoint, report.patches, len(dataset)) == (1, 0, len(old))
            assert dataset.sync(folder).patches == 2


def test_a_stream_of_the_patches_of_a_log_begins_behind_the_state(spark: SparkSession, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log", state=frame(spark, {("<urn:s>", "<urn:p>", "<urn:o>", None)})) as log:
        def run() -> List[int]:
            seen: List[int] = []
            patches = spark.readStream.format("rdf-patch-log").option("startingVersion", "earliest").load(str(tmp_path / "log"))
            patches.writeStream.foreachBatch(
                lambda rows, _: seen.extend(row.patch for row in rows.select("patch").distinct().collect())
            ).option("checkpointLocation", str(tmp_path / "c")).trigger(availableNow=True).start().awaitTermination()
            return seen

        assert run() == []
        append(log, tmp_path, ChangeRow(op="A", subject="<urn:t>", predicate="<urn:p>", object="<urn:o>"))
        assert run() == [2] and run() == []


def test_a_dataset_begins_with_the_state_over_http(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    PatchLog.create(tmp_path / "logs" / "changes", state=frame(spark, STATE)).close()
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", logs=tmp_path / "logs") as server:
        url = server.url.replace("/ds", "/$/patch-logs/changes")
        with PatchLog.open(url) as log, Dataset.open(f"tdb2:{tmp_path / 'db'}") as dataset:
            assert log.head.version == 1
            planned = dataset.sync(url, dry_run=True)
            assert (planned.checkpoint, len(dataset), dataset.position()) == (1, 0, None)
            report = dataset.sync(url)
            assert (report.checkpoint, report.patches, len(dataset)) == (1, 0, len(STATE))
            append(log, tmp_path, ChangeRow(op="A", subject="<urn:t>", predicate="<urn:p>", object="<urn:o>"))
            assert log.head.version == 2
            report = dataset.sync(url)
            assert (report.checkpoint, report.patches, len(dataset)) == (None, 1, len(STATE) + 1)
            assert dataset.verify(tmp_path / "logs" / "changes").ok
            whole = {*STATE, ("<urn:t>", "<urn:p>", "<urn:o>", None)}
            assert state(log.as_of(spark)) == whole and state(log.as_of(spark, version=1)) == STATE
            assert {tuple(quad) for quad in log.as_of()} == whole
            assert log.state(tmp_path / "state.nq").quads == len(whole) and log.verify().ok
            with pytest.raises(JellybridgeError, match="has no patch of the versions 1 to 1 any more: its patches begin with .* 2"):
                log.fetch(tmp_path / "fetched.jellyp", 1, 1)
            for refused in (log.checkpoint, log.compact, log.check, log.list_objects):
                with pytest.raises(JellybridgeError, match=re.escape(url)):
                    refused()


def test_a_plain_web_server_is_enough_to_read_a_log(spark: SparkSession, begun: Path, tmp_path: Path) -> None:
    shutil.copytree(begun, tmp_path / "log")
    with PatchLog.open(tmp_path / "log") as original:
        append(original, tmp_path, ChangeRow(op="A", subject="<urn:t>", predicate="<urn:p>", object="<urn:o>"))
        assert original.list_objects() == PARTS + 3
        assert original.check() == []
    serve = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("localhost", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://localhost:{server.server_port}/log"
        with PatchLog.open(url) as log:
            assert log.head.version == 2 and log.verify().ok
            with pytest.raises(JellybridgeError, match="has no patch of the versions 1 to 1 any more: its patches begin with .* 2"):
                log.fetch(tmp_path / "fetched.jellyp", 1, 1)
            assert state(log.as_of(spark, version=1)) == STATE
            assert state(log.as_of(spark)) == {*STATE, ("<urn:t>", "<urn:p>", "<urn:o>", None)}
            rows = spark.read.format("rdf-patch-log").option("startingVersion", 2).load(url)
            assert [row.subject for row in rows.where("op = 'A'").collect()] == ["<urn:t>"]
            with pytest.raises(JellybridgeError, match=f"{url} can't do this over HTTP: its server is none of patch logs"):
                append(log, tmp_path, ChangeRow(op="A", subject="<urn:u>", predicate="<urn:p>", object="<urn:o>"))
            (tmp_path / "log" / "objects.json").unlink()
            with pytest.raises(JellybridgeError, match="a patch log without a list of its objects, objects.json"):
                log.head  # noqa: B018
        server.shutdown()


# --- what is refused


def test_a_log_that_has_versions_is_refused_and_an_empty_one_taken(spark: SparkSession, begun: Path, tmp_path: Path) -> None:
    before = (begun / "checkpoints" / f"{1:020}" / "checkpoint.json").read_bytes()
    with pytest.raises(JellybridgeError, match="has versions already, the newest is 1, and only an empty log begins with"):
        PatchLog.create(begun, state=frame(spark, STATE))
    assert (begun / "checkpoints" / f"{1:020}" / "checkpoint.json").read_bytes() == before
    with PatchLog.create(tmp_path / "log") as log:
        jelly = spark.read.format("jelly").option("__globPaths__", False).load(f"file://{parts(begun)[0]}")
        assert "frame" in jelly.columns
        jelly.drop("graph").limit(10).write.format("rdf-dataset").mode("append").save(str(tmp_path / "log"))
        assert log.head.version == 1 and log.as_of(spark).where("graph IS NULL").count() == log.as_of(spark).count() > 0
    with PatchLog.create(tmp_path / "patched") as log:
        append(log, tmp_path, ChangeRow(op="A", subject="<urn:t>", predicate="<urn:p>", object="<urn:o>"))
    with pytest.raises(Exception, match="has versions already"):
        frame(spark, STATE).write.format("rdf-dataset").mode("append").save(str(tmp_path / "patched"))


@pytest.mark.parametrize("quad, says", [
    (("<urn:s>", "<urn:p>", '"x"@EN', None), r'the term "x"@EN: a term that is not canonical; write "x"@en'),
    (("<urn:s>", "<urn:p>", '"x"^^<http://www.w3.org/2001/XMLSchema#string>', None), 'not canonical; write "x"'),
    (("<urn:s>", "<urn:p>", '"\\u0041"', None), 'not canonical; write "A"'),
    (("<urn:s>", "<urn:p>", "plain", None), "the term plain: "),
    (('"s"', "<urn:p>", "<urn:o>", None), 'the row "s" <urn:p> <urn:o> .: '),
    (("relative", "<urn:p>", "<urn:o>", None), "the term relative: "),
    (("<relative>", "<urn:p>", "<urn:o>", None), "the row <relative> <urn:p> <urn:o> .: "),
    (("<urn:s>", "<urn:p>", "<urn:o>", ""), "the term : "),
])
def test_what_is_no_canonical_quad_is_refused_and_nothing_begins(
    spark: SparkSession, tmp_path: Path, quad: Quad, says: str
) -> None:
    with pytest.raises(JellybridgeError) as raised:
        PatchLog.create(tmp_path / "log", state=frame(spark, {*list(STATE)[:20], quad}))
    assert says in str(raised.value)
    with PatchLog.open(tmp_path / "log") as log:
        assert log.head.version == 0
    assert list((tmp_path / "log" / "checkpoints").iterdir()) == []
    PatchLog.create(tmp_path / "log", state=frame(spark, STATE)).close()


def test_columns_and_places_that_are_none_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    quads_of = frame(spark, STATE)
    for wrong, says in (
        (quads_of.drop("object"), "no column 'object'"), (quads_of.withColumn("x", F.lit(1)), "unknown column 'x'"),
        (quads_of.withColumn("graph", F.lit(1)), "column 'graph' is of type int"),
        (quads_of.withColumn("subject", F.when(F.lit(False), "x")), "a row without subject, predicate or object"),
    ):
        with pytest.raises(Exception, match=says):
            wrong.write.format("rdf-dataset").mode("append").save(str(tmp_path / "log"))
    with pytest.raises(Exception, match="truncate"):
        quads_of.write.format("rdf-dataset").mode("overwrite").save(str(tmp_path / "log"))
    with pytest.raises(Exception, match="option 'versionAsOf' .* is for reading"):
        quads_of.write.format("rdf-dataset").mode("append").option("versionAsOf", 1).save(str(tmp_path / "log"))
    with pytest.raises(Exception, match="is on a server; do this where its folder is"):
        quads_of.write.format("rdf-dataset").mode("append").save("http://localhost:1/$/patch-logs/x")
    with pytest.raises(ValueError, match="options are of a log on a server"):
        PatchLog.create("http://localhost:1/$/patch-logs/x", state=quads_of, options={"user": "me"})
    with pytest.raises(Exception, match="read it without a schema"):
        columns = "subject string, predicate string, object string"
        spark.read.format("rdf-dataset").schema(columns).load(str(tmp_path / "log")).collect()


# --- a file


def test_a_file_is_a_state_too(spark: SparkSession, tmp_path: Path) -> None:
    lines = [line(quad) for quad in STATE]
    (tmp_path / "state.nq").write_bytes(b"\n".join([*lines, *lines, b'<urn:s> <urn:p> "o" .', b""]))
    with PatchLog.create(tmp_path / "log", state=tmp_path / "state.nq", progress=False) as log:
        assert state(log.as_of(spark)) == STATE | {("<urn:s>", "<urn:p>", '"o"', None)}
        of_file = log.checkpoint(1, progress=False)
    with PatchLog.create(tmp_path / "other", state=frame(spark, STATE | {("<urn:s>", "<urn:p>", '"o"', None)})) as other:
        of_frame = other.checkpoint(1, progress=False)
    assert (of_file.quads, of_file.hash) == (of_frame.quads, of_frame.hash) and of_file.id != of_frame.id
    (tmp_path / "bad.nq").write_text("<urn:s> <urn:p> .\n")
    with pytest.raises(jellybridge.TextFormatError, match="bad.nq"):
        PatchLog.create(tmp_path / "none", state=tmp_path / "bad.nq")
    assert not (tmp_path / "none").exists()
    (tmp_path / "bad.nq").write_text("<s> <urn:p> <urn:o> .\n")
    with pytest.raises(Exception, match="bad.nq"):
        PatchLog.create(tmp_path / "none", state=tmp_path / "bad.nq")
    with pytest.raises(FileNotFoundError):
        PatchLog.create(tmp_path / "none", state=tmp_path / "nothing.nq")
