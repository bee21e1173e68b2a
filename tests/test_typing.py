"""Type checkers know what the API takes and gives: programs of users pass ``mypy --strict``, and wrong ones do not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
#: Each line that ends in an error has its code behind it.
PROGRAM = '''
from typing import Dict, List, Literal, Optional, Tuple
import jellybridge
from jellybridge import ChangeRow, Dataset, PatchLog, ServerOptions
from typing_extensions import assert_type

with Dataset.open("tdb2:store", options={"token_file": "token", "timeout": 10}) as dataset:
    for row in dataset.select("SELECT ?thing ?price { ?thing <http://example.org/price> ?price }"):
        print(row["thing"], row["price"])
        assert_type(row, Dict[str, Optional[str]])
    for subject, predicate, object in dataset.construct("CONSTRUCT WHERE { ?s ?p ?o }"):
        print(subject.upper(), predicate, object)
    assert_type(dataset.ask("ASK {}"), bool)
    found = dataset.query("SELECT * {}")
    if isinstance(found, jellybridge.Bindings):
        print(found.variables, found[0]["s"])
    assert_type(dataset.load(b"", format="ttl").statements, int)
    assert_type(dataset.apply("log.jellyp").changed, Optional[int])
    report = dataset.publish("shop.ttl", graph="urn:g", blank_nodes="structure", base="urn:b", mend_tags=True)
    assert_type(report.changed, bool)
    assert_type(dataset.compact(), Tuple[int, int])
    dataset.publish("shop.ttl", blank_nodes="structur")  # arg-type
    dataset.publish("shop.ttl", bse="urn:b")  # call-arg
    dataset.publish("shop.ttl", graph=3)  # arg-type
    dataset.sync("log", on_error="go on")  # arg-type
    dataset.capture("log", aborted="keep")  # arg-type
    print(dataset.apply("log.jellyp").addd)  # attr-defined
    Dataset.open("tdb2:store", options={"tokn": "x"})  # arg-type

options: ServerOptions = {"user": "me", "password_file": "secret"}
with PatchLog.open("http://localhost:3030/$/patch-logs/log", options=options) as log:
    assert_type(log.head.id, Optional[str])
    log.state("state.nq", version="1")  # arg-type
    log.fetch("out.jellyp", on_error="skip")  # arg-type
    for fault in log.check():
        if fault.kind == "GAPP":  # comparison-overlap
            pass

for change in jellybridge.read_patch("log.jellyp", format="jelly-patch"):
    assert_type(change, ChangeRow)
    assert_type(change.subject, Optional[str])
    if change.op == "ADD":  # comparison-overlap
        pass
jellybridge.read_patch("log.jellyp", format="jelly")  # arg-type
jellybridge.write_patch("out.jellyp", [{"op": "A", "subject": "<urn:s>"}, ChangeRow(op="TC")])
made: jellybridge.ChangeRowDict = {"op": "A", "subjekt": "<urn:s>"}  # typeddict-unknown-key
jellybridge.write_patch("out.jellyp", [ChangeRow(op="ADD")])  # arg-type
jellybridge.write_patch("out.jellyp", [], stream_type="FLAT")
jellybridge.write_patch("out.jellyp", [], stream_type="flat")  # arg-type
jellybridge.convert("a.nq", "b.jelly", to_format="jelly", frame_rows=5)
jellybridge.convert("a.nq", "b.jelly", to_format="n3")  # arg-type
jellybridge.convert("a.nq", "b.jelly", frame_rows="5")  # arg-type
jellybridge.convert("a.nq", "b.jelly", frame_row=5)  # call-arg
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of every check, so that the first one alone reads our types and Python's."""
    return tmp_path_factory.mktemp("typing")


def checked(folder: Path, program: str) -> "list[tuple[int, str]]":
    """The lines of a program at which the type checker finds an error, each with the error's code."""
    (folder / "program.py").write_text(program)
    # Where Spark's own types are followed, a check takes a minute.
    (folder / "mypy.ini").write_text(
        "[mypy]\nstrict = True\nfollow_imports = silent\n"
        "[mypy-pyspark.*,pandas.*,pyarrow.*,numpy.*]\nfollow_imports = skip\nignore_missing_imports = True\n")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", str(folder / "cache"), "--show-error-codes",
         "program.py"],
        cwd=folder, capture_output=True, text=True,
    )
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return [(int(line), code) for line, code in re.findall(r"(?m)^program\.py:(\d+): error: .*\[([a-z-]+)\]$", ran.stdout)]


def test_a_program_of_a_user_is_checked_to_the_letter(folder: Path) -> None:
    found = checked(folder, PROGRAM)
    assert found == [(number, code) for number, line in enumerate(PROGRAM.split("\n"), 1)
                     for code in re.findall("  # ([a-z-]+)$", line)]


def python_of(page: str) -> str:
    """The Python of a page that needs no Spark."""
    return "\n".join(block for block in re.findall("(?ms)^```python\n(.*?)^```", (PROJECT / page).read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", ["README.md", "python/README.md", "docs/tutorials/analysis.md"])
def test_the_python_of_a_page_passes(page: str, folder: Path) -> None:
    program = python_of(page)
    assert program and not checked(folder, program)
