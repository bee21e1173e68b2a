"""The vectors of Jelly-Patch through Spark: the project's own, and those of the conformance data."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Set
from urllib.parse import urlsplit

import pytest
from jelly_conformance import load_cases
from pyspark.sql import DataFrame, SparkSession
from vectors_support import OWN_VECTORS, Vector, actual_rows, difference, load, refusal

import jellybridge

pytestmark = pytest.mark.usefixtures("generated_code")

SCRIPT = Path(__file__).resolve().parent / "vectors" / "make_vectors.py"
# Rules about documents and names, or that say what a reader may refuse and ours does not.
WITHOUT_VECTORS = {"P-06", "P-47", "P-70", "P-106", "P-122"}
# Likewise for Jelly-RDF; and R-90, of which the files of earlier releases are the test.
RDF_WITHOUT_VECTORS = {"R-16", "R-47", "R-90", "R-91", "R-94"}
# Spark leaves out files without a byte before any format sees them.
WITHOUT_A_BYTE = "own/P-40d"


@pytest.fixture(scope="module", params=["own", "conformance"])
def vectors(request: pytest.FixtureRequest) -> List[Vector]:
    return load(OWN_VECTORS if request.param == "own" else request.getfixturevalue("shared_dir") / "conformance")


@pytest.fixture
def quiet(spark: SparkSession) -> Iterable[None]:
    """Keeps Spark from logging every error that is expected."""
    spark.sparkContext.setLogLevel("OFF")
    yield
    spark.sparkContext.setLogLevel("ERROR")


def read(spark: SparkSession, paths: Iterable[Path], strict: bool = False) -> DataFrame:
    return spark.read.format("jelly-patch").option("strict", strict).load([str(path) for path in paths])


def problems(spark: SparkSession, vectors: List[Vector], strict: bool = False) -> Dict[str, Optional[str]]:
    """Reads files, all in one job; which of them do not hold the rows that they should, and where they differ."""
    by_file: Dict[str, List[Any]] = defaultdict(list)
    files = read(spark, [vector.path for vector in vectors], strict)
    for row in files.select("*", "_metadata.file_path").orderBy("file_path", "row").collect():
        by_file[_path_of(row.file_path)].append(row)
    found = {
        vector.id: difference(vector.rows, actual_rows(by_file[_path_of(vector.path.as_uri())])) for vector in vectors
    }
    return {id: problem for id, problem in found.items() if problem}


def _path_of(uri: str) -> str:
    """Java writes ``file:/x`` where Python writes ``file:///x``."""
    return urlsplit(uri).path


def refusals(spark: SparkSession, vectors: Iterable[Vector], strict: bool = False) -> Dict[str, Optional[str]]:
    """Reads files, each in a job of its own; which of them are not refused as they should be."""
    found = {
        vector.id: refusal(vector, read(spark, [vector.path], strict).collect, jellybridge.PatchFormatError)
        for vector in vectors
        if vector.id != WITHOUT_A_BYTE
    }
    return {id: problem for id, problem in found.items() if problem}


@pytest.mark.parametrize("strict", [False, True])
def test_a_good_file_is_the_rows_that_it_says(spark: SparkSession, vectors: List[Vector], strict: bool) -> None:
    good = [vector for vector in vectors if vector.kind == "accept"]
    assert good
    assert problems(spark, good, strict) == {}


def test_a_bad_file_is_refused_by_its_rule(spark: SparkSession, vectors: List[Vector], quiet: None) -> None:
    assert refusals(spark, (vector for vector in vectors if vector.kind == "reject")) == {}


def test_what_other_writers_break_is_read_and_refused_when_strict(
    spark: SparkSession, vectors: List[Vector], quiet: None
) -> None:
    either = [vector for vector in vectors if vector.kind == "either"]
    refused = refusals(spark, either)
    read_all = [vector for vector in either if vector.id in refused]
    assert problems(spark, read_all) == {}
    assert set(refused.values()) <= {"was read"}
    assert refusals(spark, (vector for vector in either if vector.breaks_a_must), strict=True) == {}


def test_a_file_without_a_byte_has_no_rows_as_spark_skips_it(spark: SparkSession) -> None:
    (empty,) = (vector for vector in load(OWN_VECTORS) if vector.id == WITHOUT_A_BYTE)
    assert empty.path.stat().st_size == 0
    assert read(spark, [empty.path]).collect() == []


def test_the_vectors_in_the_repository_are_what_the_script_makes(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True, env=environment, timeout=120)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    kept = [OWN_VECTORS / "cases.tsv", *(OWN_VECTORS / "patch").iterdir(), *(OWN_VECTORS / "rdf").iterdir()]
    assert made == {path.relative_to(OWN_VECTORS): path.read_bytes() for path in kept}


@pytest.mark.parametrize("letter, without", [("P", WITHOUT_VECTORS), ("R", RDF_WITHOUT_VECTORS)])
def test_every_rule_about_readers_has_a_vector_of_our_own(shared_dir: Path, letter: str, without: Set[str]) -> None:
    checklist = (shared_dir / "conformance" / "checklist.md").read_text(encoding="utf-8")
    whose = re.findall(rf"^\| ({letter}-\d+) \|[^|]*\| (\w+) \|", checklist, re.MULTILINE)
    rules = {rule for rule, who in whose if who != "producer"}
    shown = {re.sub("[a-z]*$", "", case.id.removeprefix("own/")) for case in load_cases(OWN_VECTORS)}
    assert rules - shown == without
