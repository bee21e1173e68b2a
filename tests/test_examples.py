"""The guides of docs/sync.md and docs/publish.md, run as their scripts."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

import pytest
from fuseki_server import FusekiServer
from pyspark.sql import SparkSession

from jellybridge import Dataset

PROJECT = Path(__file__).resolve().parent.parent
SNAPSHOTS = sorted((PROJECT / "examples" / "snapshots").glob("*.nq"))
def run(*arguments: object) -> str:
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def content(location: str) -> List[str]:
    """Returns the quads of a dataset, which no process has open."""
    with Dataset.open(location) as dataset, tempfile.TemporaryDirectory() as folder:
        dataset.dump(f"{folder}/all.nq")
        return sorted(Path(folder, "all.nq").read_text().splitlines())


@pytest.fixture
def expected(spark: SparkSession, tmp_path: Path) -> List[str]:
    with Dataset.open("mem:") as dataset:
        dataset.load(SNAPSHOTS[-1])
        dataset.dump(tmp_path / "expected.nq")
    return sorted((tmp_path / "expected.nq").read_text().splitlines())


@pytest.mark.full("documents")
def test_a_dataset_is_kept_in_step_with_a_spark_job(tmp_path: Path, expected: List[str]) -> None:
    follow(tmp_path, expected, f"tdb2:{tmp_path / 'replica'}")


@pytest.mark.full("documents")
def test_a_fuseki_is_kept_in_step_with_a_spark_job(tmp_path: Path, expected: List[str]) -> None:
    with FusekiServer(module=True, log=tmp_path / "fuseki.log", database=tmp_path / "fuseki") as server:
        follow(tmp_path, expected, server.url)


def follow(tmp_path: Path, expected: List[str], location: str) -> None:
    script, log = PROJECT / "examples" / "keep_fuseki_in_step.py", tmp_path / "log"
    assert "2 patches applied, 0 were there" in run(script, location, log, *SNAPSHOTS[:2])
    assert f"{len(SNAPSHOTS) - 2} patches applied, 2 were there" in run(script, location, log, *SNAPSHOTS)
    assert f"0 patches applied, {len(SNAPSHOTS)} were there" in run(script, location, log, *SNAPSHOTS)
    assert content(location) == expected != []


def test_a_store_is_what_the_nightly_dump_is_and_goes_back(tmp_path: Path, expected: List[str]) -> None:
    script, log, store = PROJECT / "examples" / "publish_nightly.py", tmp_path / "log", f"tdb2:{tmp_path / 'store'}"
    assert run(script, store, log, SNAPSHOTS[0]).startswith("version 1: +")
    before = content(store)
    turtle = tmp_path / "dump.trig"
    with Dataset.open("mem:") as dataset:
        dataset.load(SNAPSHOTS[1])
        dataset.dump(turtle)
    assert run(script, store, log, turtle).startswith("version 2: +")
    assert run(script, store, log, turtle).startswith("nothing new")
    run(script, store, log, "--back-to", "1")
    assert content(store) == before
    with Dataset.open(f"tdb2:{tmp_path / 'replica'}") as replica:
        replica.sync(log)
    assert content(f"tdb2:{tmp_path / 'replica'}") == before != expected


def test_a_dataset_is_replicated(spark: SparkSession, tmp_path: Path) -> None:
    script, log = PROJECT / "examples" / "replicate.py", tmp_path / "log"
    primary, replica = f"tdb2:{tmp_path / 'primary'}", f"tdb2:{tmp_path / 'replica'}"
    updates = []
    for number, text in enumerate((
        'INSERT DATA { <urn:s> <urn:p> 1, 2, 3 . GRAPH <urn:g> { <urn:s> <urn:p> "chat"@fr } }',
        "DELETE { ?s ?p 2 } INSERT { ?s ?p 4 } WHERE { ?s ?p 2 }",
        "CLEAR GRAPH <urn:g> ; INSERT DATA { GRAPH <urn:h> { <urn:s> <urn:p> <urn:o> } }",
    )):
        updates.append(tmp_path / f"{number}.ru")
        updates[-1].write_text(text)
    assert "2 patches applied, 0 were there" in run(script, primary, log, replica, *updates[:2])
    assert "1 patches applied, 2 were there" in run(script, primary, log, replica, updates[2])
    assert content(primary) == content(replica)
    assert len(content(replica)) == 4
