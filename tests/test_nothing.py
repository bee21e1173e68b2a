"""Nothing is never taken for something: an empty folder, versions that were pruned, files that a stream leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession

from conftest import jvm_warnings
from jellybridge import CHANGES_SCHEMA, QUADS_SCHEMA, ChangeRow, PatchLog, write_patch


def made(path: Path, name: str = "a") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_patch(path, [ChangeRow(op="A", subject=f"<urn:{name}>", predicate="<urn:p>", object='"o"')])
    return path


@pytest.mark.parametrize("format", ["nquads", "jelly", "rdf", "jelly-patch", "rdf-patch"])
def test_a_folder_without_files_is_refused_unless_its_columns_are_given(
    spark: SparkSession, tmp_path: Path, format: str
) -> None:
    for name in ("empty", "hidden", "full/below"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "hidden" / "_SUCCESS").touch()
    (tmp_path / "full" / "below" / ("1.jellyp" if "patch" in format else "1.nq")).touch()
    reader = spark.read.format(format)
    for path in ("empty", "hidden", "full", "emp*"):
        with pytest.raises(IllegalArgumentException, match=f"no file to read as {format}: .* recursiveFileLookup=true .* schema"):
            reader.load(str(tmp_path / path))
    with pytest.raises(IllegalArgumentException, match="no file to read"):
        reader.load([str(tmp_path / "empty"), str(tmp_path / "hidden")])
    with pytest.raises(IllegalArgumentException, match="no file to read"):
        reader.option("pathGlobFilter", "*.none").load(str(tmp_path / "full" / "below"))
    assert spark.read.format(format).schema(CHANGES_SCHEMA if "patch" in format else QUADS_SCHEMA).load(
        str(tmp_path / "empty")).count() == 0


@pytest.mark.parametrize("format", ["nquads", "jelly", "jelly-patch", "rdf-patch"])
def test_what_was_written_without_rows_has_none(spark: SparkSession, tmp_path: Path, format: str) -> None:
    rows = spark.createDataFrame([], CHANGES_SCHEMA if "patch" in format else QUADS_SCHEMA)
    rows.write.format(format).save(str(tmp_path / "none"))
    assert spark.read.format(format).load(str(tmp_path / "none")).count() == 0


def test_versions_that_were_pruned_are_no_empty_range(spark: SparkSession, tmp_path: Path) -> None:
    with PatchLog.create(tmp_path / "log") as log:
        for number in range(1, 6):
            log.append(made(tmp_path / f"{number}.jellyp", str(number)))
        log.checkpoint(4, progress=False)
        log.prune(before=4)
    reader = spark.read.format("rdf-patch-log")
    with pytest.raises(IllegalArgumentException, match="no patch of the versions 1 to 3: its patches begin with version 4"):
        reader.options(startingVersion=1, endingVersion=3).load(str(tmp_path / "log")).count()
    assert reader.options(startingVersion=4, endingVersion=4).load(str(tmp_path / "log")).where("op = 'A'").count() == 1
    assert spark.read.format("rdf-patch-log").option("startingVersion", 9).load(str(tmp_path / "log")).count() == 0


def test_a_stream_of_a_folder_warns_of_the_files_that_spark_passes_over(spark: SparkSession, tmp_path: Path) -> None:
    def run(name: str, **options: str) -> str:
        stream = spark.readStream.format("jelly-patch").schema(CHANGES_SCHEMA).options(**options).load(str(tmp_path / "in"))
        with jvm_warnings(spark) as warnings:
            query = stream.writeStream.format("memory").queryName(name).option("checkpointLocation", str(tmp_path / name))
            query.trigger(availableNow=True).start().awaitTermination(120)
            return warnings()

    made(tmp_path / "in" / "1.jellyp")
    says = "stream of jelly-patch passes over files"
    assert run("warned").count(says) == 1
    assert says not in run("told", maxFileAge="36500d")
    with jvm_warnings(spark) as warnings:
        spark.read.format("jelly-patch").load(str(tmp_path / "in")).count()
        assert says not in warnings()
