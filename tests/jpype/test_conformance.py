"""The runner of conformance suites: the project's own suite, the conformance data, and suites that must fail."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path
from typing import List, Optional, Tuple

import pytest
from vectors_support import OWN_VECTORS

import jellybridge
from jellybridge.conformance import Case, Outcome, check, earl_report, load_cases
from jellybridge.conformance.__main__ import main
from jellybridge.conformance._cases import COLUMNS
from jellybridge.conformance._lines import difference, events, patch_text, statements


HEAD = "\t".join(COLUMNS) + "\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Tuple[int, List[str]]:
    status = main([str(argument) for argument in arguments])
    return status, capsys.readouterr().out.splitlines()


def suite(folder: Path, kind: str, input: str, expected: str, data: bytes = b"") -> Path:
    """A folder with one case."""
    folder.joinpath("cases.tsv").write_text(
        HEAD + "\t".join(["c/1", kind, "", input, "", expected, "", "", "", "", ""]) + "\n"
    )
    folder.joinpath(input).write_bytes(data)
    return folder


def own_bytes(name: str) -> bytes:
    return (OWN_VECTORS / name).read_bytes()


def test_our_own_suite_passes(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, OWN_VECTORS)
    assert lines == [f"{len(load_cases(OWN_VECTORS))} passed, 0 failed"]
    assert status == 0


def test_the_conformance_data_pass(shared_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(capsys, shared_dir / "conformance")
    assert lines == [f"{len(load_cases(shared_dir / 'conformance'))} passed, 0 failed"]
    assert status == 0


LEAF = "<urn:leaf> <urn:brews> <urn:cup>"


@pytest.mark.parametrize("kind, input, expected, problem", [
    ("patch-vector-accept", "patch/P-03a.jellyp", f"EVENTS: A {LEAF} ⏎ ---", "event 1"),
    ("patch-vector-accept", "patch/P-48a.jellyp", f"EVENTS: A {LEAF} ⏎ ---", r"\[P-48\]"),
    ("patch-vector-accept", "patch/P-03a.jellyp", f"EVENTS: A {LEAF} ⏎ D {LEAF} ⏎ --- ⏎ ---",
     "expected 4 events, found 3"),
    ("patch-vector-reject", "patch/P-03a.jellyp", "ERROR P-03", "expected an error, found 3 events"),
    ("patch-vector-reject", "patch/P-48a.jellyp", "ERROR P-49", r"expected an error by rule P-49, found \[P-48\]"),
    ("patch-vector-either", "patch/P-03a.jellyp", "EITHER ERROR OR EVENTS: ---", "event 0"),
    ("rdf-vector-accept", "rdf/R-04a.jelly", f"EVENTS: T {LEAF}", "expected 1 events, found 2"),
    ("rdf-vector-reject", "rdf/R-04a.jelly", "ERROR", "expected an error, found 2 events"),
    ("rdf-from-jelly-neg", "rdf/R-04a.jelly", "ERROR: whatever", "expected an error, found 2 events"),
    ("rdf-to-jelly-neg", "rdf/R-04a.jelly", "ERROR: whatever", "expected an error, but the file was written"),
    ("rdf-metadata-pos", "rdf/R-07a.jelly", "frame statement counts 1,2; frame metadata {},{}", "counts 1,1; .*c:ff00"),
    ("a-new-kind", "rdf/R-04a.jelly", "", "no such kind of case: a-new-kind"),
])
def test_a_case_that_does_not_hold_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, input: str, expected: str, problem: str
) -> None:
    folder = suite(tmp_path, kind, Path(input).name, expected, own_bytes(input))
    status, lines = run(capsys, folder)
    assert lines[-1] == "0 passed, 1 failed"
    assert status == 1
    assert lines[0].startswith("FAILED c/1: ")
    assert re.search(problem, lines[0]), lines[0]


def test_frames_that_differ_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "0.nt").write_text(f"{LEAF} .\n{LEAF} .\n")
    folder = suite(tmp_path, "rdf-from-jelly-pos", "R-06a.jelly", "0.nt", own_bytes("rdf/R-06a.jelly"))
    assert run(capsys, folder)[1][-1] == "0 passed, 1 failed"


def test_a_file_that_is_not_there_fails_its_case(tmp_path: Path) -> None:
    assert check(Case(tmp_path, "c", "patch-vector-accept", [tmp_path / "x"], "EVENTS: ---", "")) is not None


@pytest.mark.parametrize("table", [None, "", "case_id\tkind\n", HEAD, f"{HEAD}a\tb\n"])
def test_a_folder_without_cases_is_no_suite(tmp_path: Path, table: Optional[str]) -> None:
    if table is not None:
        (tmp_path / "cases.tsv").write_text(table)
    assert main([str(tmp_path)]) == 2


def test_the_report_is_turtle_with_an_assertion_a_case(tmp_path: Path) -> None:
    report = tmp_path / "report.ttl"
    odd = r'EVENTS: H "\"é" "x\\"'
    folder = suite(tmp_path, "patch-vector-accept", "P-03a.jellyp", odd, own_bytes("patch/P-03a.jellyp"))
    assert main([str(folder), "--earl", str(report)]) == 1
    assert main([str(OWN_VECTORS), "--earl", str(tmp_path / "own.ttl")]) == 0
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load(report)
        dataset.load(tmp_path / "own.ttl")
        counts = {
            str(row["outcome"]): str(row["n"])
            for row in dataset.query(
                "PREFIX earl: <http://www.w3.org/ns/earl#> SELECT ?outcome (str(count(*)) AS ?n) WHERE { "
                "?a a earl:Assertion ; earl:assertedBy ?by ; earl:mode earl:automatic ; earl:test ?test ; "
                "earl:subject [ a earl:TestSubject ] ; earl:result [ earl:outcome ?outcome ] } GROUP BY ?outcome"
            )
        }
    earl = "http://www.w3.org/ns/earl#"
    assert counts == {f"<{earl}passed>": f'"{len(load_cases(OWN_VECTORS))}"', f"<{earl}failed>": '"1"'}


def test_cases_of_the_suite_of_jelly_rdf_have_its_iris(tmp_path: Path) -> None:
    upstream = "from_jelly/triples_rdf_1_1/pos_001"
    case = Case(tmp_path, "from/triples_rdf_1_1/pos_001", "rdf-from-jelly-pos", [], "", upstream)
    report = earl_report([Outcome(case, None)], datetime.now(timezone.utc))
    assert f"earl:test <https://w3id.org/jelly/dev/tests/rdf/{upstream}>" in report


def test_blank_nodes_compare_by_one_bijection() -> None:
    assert difference(events(["T _:a <p> _:b", "T _:b <p> _:a"]), events(["T _:x <p> _:y", "T _:y <p> _:x"])) is None
    assert difference(events(["T _:a <p> _:b"]), events(["T _:x <p> _:x"])) is not None
    assert difference(events(["T _:a <p> _:a"]), events(["T _:x <p> _:y"])) is not None


def test_statements_of_n_quads_are_events() -> None:
    text = '# none\n\n<s> <p> "a.b" .\n<<( _:a <p> _: )>> "p"@EN << <s> <p> "o" >> _:g.d .\n'
    assert statements(text, quads=True) == events([
        'Q <s> <p> "a.b" DEFAULT', 'Q << _:a <p> _: >> "p"@en << <s> <p> "o" >> _:g.d',
    ])


def test_rows_of_rdf_patch_text_are_events() -> None:
    text = 'H id <uuid:1>.\nTX .\nPA "ex" <urn:> .\nPD ex: .\nA <s> <p> _:o <g> .\nZ .\nD <s> <p> <o> .\nTC .\n'
    assert patch_text(text, quads=True) == events([
        'H "id" <uuid:1>', "TX", 'PA "ex" <urn:> DEFAULT', 'PD "ex" - DEFAULT', "A <s> <p> _:o <g>",
        "D <s> <p> <o> DEFAULT", "TC",
    ])
    assert patch_text(text, quads=False)[2:5] == events(['PA "ex" <urn:>', 'PD "ex" -', "A <s> <p> _:o"])
