"""The demo: its report, its check, and how it finds its snapshots."""

from __future__ import annotations

import gzip
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@pytest.fixture(scope="module")
def demo() -> ModuleType:
    spec = importlib.util.spec_from_file_location("demo", EXAMPLES / "demo.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["demo"] = module
    spec.loader.exec_module(module)
    return module


def run(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(EXAMPLES / "demo.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def test_the_example_ends_with_an_equal_replica(tmp_path: Path) -> None:
    done = run("--keep", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("The replica equals the last snapshot: 61 quads, 0 missing, 0 surplus.")
    assert "transactions aborted               1" in done.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["changes.jellyp"]


@pytest.mark.full("documents")
def test_snapshots_of_ones_own_are_compared_in_the_order_of_their_versions(tmp_path: Path) -> None:
    (tmp_path / "v9.nt").write_text('<urn:s> <urn:p> "nine" .\n')
    with gzip.open(tmp_path / "v10.nt.gz", "wt") as file:
        file.write('<urn:s> <urn:p> "ten" .\n<urn:s> <urn:p> _:b .\n')
    done = run("--data", str(tmp_path), "--store", "mem:")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("The replica equals the last snapshot: 2 quads, 0 missing, 0 surplus.")


@pytest.mark.full("documents")
def test_a_store_that_holds_something_is_refused_before_the_work(tmp_path: Path) -> None:
    store = f"tdb2:{tmp_path / 'store'}"
    first = run("--store", store)
    assert first.returncode == 0, first.stdout + first.stderr
    again = run("--store", store)
    assert again.returncode == 2 and "choose an empty dataset" in again.stderr
    assert "Reading the snapshots" in first.stdout and "Reading the snapshots" not in again.stdout


@pytest.mark.full("long")
def test_real_releases_end_with_an_equal_replica(shared_dir: Path) -> None:
    done = run("--data", str(shared_dir / "data" / "schemaorg"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "27.0.nq.gz is left out: 27.0.nt.gz is of the same version" in done.stdout
    assert ", 0 missing, 0 surplus." in done.stdout.splitlines()[-1]


def test_a_difference_is_told_and_fails(demo: ModuleType, capsys: pytest.CaptureFixture) -> None:
    assert demo.verdict(2, ["<urn:s> <urn:p> <urn:o> ."], ['<urn:s> <urn:p> "o" .']) == 1
    assert capsys.readouterr().out.splitlines() == [
        "- <urn:s> <urn:p> <urn:o> .",
        '+ <urn:s> <urn:p> "o" .',
        "The replica differs from the last snapshot: 2 quads, 1 missing, 1 surplus.",
    ]


def test_versions_are_ordered_by_their_numbers(demo: ModuleType, tmp_path: Path) -> None:
    for name in ("10.0.nt", "9.0.nq.gz", "9.0-rc1.nt", "notes.txt", "2.nq", "2.nt.gz"):
        (tmp_path / name).touch()
    assert [snapshot.file.name for snapshot in demo.find_snapshots(tmp_path)] == [
        "2.nt.gz", "9.0.nq.gz", "9.0-rc1.nt", "10.0.nt",
    ]


@pytest.mark.parametrize("folder, says", [("nowhere", "no folder"), (".", "no .nt or .nq file")])
def test_a_folder_without_snapshots_is_refused(demo: ModuleType, tmp_path: Path, folder: str, says: str) -> None:
    with pytest.raises(demo.DemoError, match=says):
        demo.find_snapshots(tmp_path / folder)
