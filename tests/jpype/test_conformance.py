"""The runner of conformance suites: the project's own suite, the conformance data, and suites that must fail."""

from __future__ import annotations

import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import List, Optional, Tuple

import pytest
from jelly_conformance import Case, Outcome, Subject, check, comparison, earl_report, load_cases
from jelly_conformance.__main__ import main
from jelly_conformance._cases import COLUMNS
from jelly_conformance.comparison import difference, events, patch_text, statements
from jellybridge_subject import Jellybridge
from vectors_support import OWN_VECTORS

import jellybridge

# An implementation that shares nothing with ours but the schemas.
PROTOBUF = f"{sys.executable} {Path(__file__).resolve().parents[1] / 'protobuf_events.py'} {{input}}"

HEAD = "\t".join(COLUMNS) + "\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Tuple[int, List[str]]:
    status = main([str(argument) for argument in arguments], Jellybridge())
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
    case = Case(tmp_path, "c", "patch-vector-accept", [tmp_path / "x"], "EVENTS: ---", "")
    assert check(case, Jellybridge()).result == "failed"


@pytest.mark.parametrize("table", [None, "", "case_id\tkind\n", HEAD, f"{HEAD}a\tb\n"])
def test_a_folder_without_cases_is_no_suite(tmp_path: Path, table: Optional[str]) -> None:
    if table is not None:
        (tmp_path / "cases.tsv").write_text(table)
    assert main([str(tmp_path)], Jellybridge()) == 2


def test_the_report_is_turtle_with_an_assertion_a_case(tmp_path: Path) -> None:
    report = tmp_path / "report.ttl"
    odd = r'EVENTS: H "\"é" "x\\"'
    folder = suite(tmp_path, "patch-vector-accept", "P-03a.jellyp", odd, own_bytes("patch/P-03a.jellyp"))
    assert main([str(folder), "--earl", str(report)], Jellybridge()) == 1
    assert main([str(OWN_VECTORS), "--earl", str(tmp_path / "own.ttl")], Jellybridge()) == 0
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
    report = earl_report(Jellybridge(), [Outcome(case)], datetime.now(timezone.utc))
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


# --- other implementations


def run_command(capsys: pytest.CaptureFixture[str], folder: Path, command: str, *more: object) -> Tuple[int, List[str]]:
    status = main([str(folder), "--command", command, *map(str, more)])
    return status, capsys.readouterr().out.splitlines()


def test_an_independent_reader_takes_what_every_reader_has_to_take(capsys: pytest.CaptureFixture[str]) -> None:
    """It is a plain decoder by protobuf's own parser, and checks few rules: what it fails at are files to refuse."""
    status, lines = run_command(capsys, OWN_VECTORS, PROTOBUF, "--cases", "own/P-[02]*", "--jobs", 2)
    failed = {line.split(": ")[0].removeprefix("FAILED ") for line in lines[:-1]}
    cases = {case.id: case.kind for case in load_cases(OWN_VECTORS) if re.match("own/P-[02]", case.id)}
    assert {cases[id] for id in failed} <= {"patch-vector-reject"}
    accepted = [id for id, kind in cases.items() if kind == "patch-vector-accept"]
    assert len(accepted) > 30
    assert lines[-1] == f"{len(cases) - len(failed)} passed, {len(failed)} failed"
    assert status == (1 if failed else 0)


def test_our_own_command_is_an_implementation_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.ttl"
    ours = f"{sys.executable} -m jellybridge cat --to-format events {{input}}"
    status, lines = run_command(
        capsys, OWN_VECTORS, ours, "--cases", "own/[PR]-0[47]*", "--subject", "https://example.org/ours", "--earl", report,
        "--jobs", 2,
    )
    assert (status, lines) == (0, [f"{lines[-1].split()[0]} passed, 0 failed"])
    assert int(lines[-1].split()[0]) >= 8
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load(report)
        assert dataset.query(
            "PREFIX earl: <http://www.w3.org/ns/earl#> ASK { ?a earl:subject <https://example.org/ours> ; "
            "earl:result [ earl:outcome earl:passed ] }"
        ) is True


@pytest.mark.parametrize("program, problem", [
    ("print('A <urn:leaf> <urn:brews> <urn:cup>')", "event 1|expected 3 events, found 1"),
    ("print('nonsense')", "event 0"),
    ("print('A <urn:leaf')", "no > after"),
    ("import sys; sys.exit('no such option')", "no such option"),
    ("import os; os.kill(os.getpid(), 9)", "died of signal 9"),
    ("import time; time.sleep(60)", "did not end within 2 seconds"),
])
def test_a_command_that_fails_fails_its_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], program: str, problem: str
) -> None:
    folder = suite(tmp_path, "patch-vector-accept", "P-03a.jellyp",
                   f"EVENTS: A {LEAF} ⏎ D {LEAF} ⏎ ---", own_bytes("patch/P-03a.jellyp"))
    limit = ["--seconds", 2] if "sleep" in program else []
    status, lines = run_command(capsys, folder, f'{sys.executable} -c "{program}" {{input}}', *limit)
    assert status == 1
    assert re.search(problem, lines[0]), lines[0]


def test_a_refusal_by_another_rule_fails_and_one_by_no_rule_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = suite(tmp_path, "patch-vector-reject", "P-48a.jellyp", "ERROR P-48", own_bytes("patch/P-48a.jellyp"))
    for said, status in (("[P-48] bad", 0), ("too few names", 0), ("[P-49] bad", 1)):
        command = f'{sys.executable} -c "import sys; sys.exit({said!r})" {{input}}'
        assert run_command(capsys, folder, command)[0] == status, said
    # A reader that dies has not refused.
    died = f'{sys.executable} -c "import os; os.kill(os.getpid(), 6)" {{input}}'
    assert run_command(capsys, folder, died)[0] == 1


def test_what_an_implementation_does_not_do_is_untested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = suite(tmp_path, "rdf-to-jelly-neg", "R-04a.jelly", "ERROR", own_bytes("rdf/R-04a.jelly"))
    assert run_command(capsys, folder, "true {input}") == (0, ["0 passed, 0 failed, 1 untested"])
    outcome = check(load_cases(folder)[0], Subject())
    report = earl_report(Subject(), [outcome], datetime.now(timezone.utc))
    assert "earl:outcome earl:untested" in report and 'earl:info "it does not write Jelly-RDF"' in report


@pytest.mark.parametrize("arguments", [
    ["--command", "tool"], ["--command", "'tool {input}"], ["--command", "true {input}", "--cases", "none/*"],
    ["--command", "true {input}", "--cases", "own/P-03a", "--subject", "<no> iri", "--earl", "report.ttl"],
])
def test_what_can_not_be_run_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: List[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([str(OWN_VECTORS), *arguments]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert list(tmp_path.iterdir()) == []


def test_frames_are_compared_where_the_implementation_tells_them(tmp_path: Path) -> None:
    (tmp_path / "0.nt").write_text(f"{LEAF} .\n")
    (tmp_path / "1.nt").write_text(f"{LEAF} .\n{LEAF} .\n")
    tmp_path.joinpath("x.jelly").write_bytes(bytes([6, 10, 4, 10, 2, 16, 1]))
    case = Case(tmp_path, "c", "rdf-from-jelly-pos", [tmp_path / "x.jelly"], "0.nt,1.nt", "")

    class Told(Subject):
        def __init__(self, events: str) -> None:
            self.told = events

        def events(self, file: Path, strict: bool = False) -> str:
            return self.told

    line = f"T {LEAF}\n"
    assert check(case, Told(line + "\n" + line * 2 + "\n")).result == "passed"
    assert check(case, Told(line * 3)).result == "passed"
    assert check(case, Told(line * 2 + "\n" + line + "\n")).result == "failed"
    assert check(case, Told(line * 2)).result == "failed"


def test_two_files_of_events_are_compared_by_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(tmp_path / name) for name in ("a", "b", "c")]
    for name, text in zip(names, ("T _:a <p> _:b\n", "T _:x <p> _:y", "T _:x <p> _:x\n")):
        Path(name).write_text(text)
    assert comparison.main(names[:2]) == 0
    assert comparison.main([names[0], names[2]]) == 1
    assert comparison.main(names[:1]) == comparison.main([names[0], "nowhere"]) == 2
    assert "event 0: expected" in capsys.readouterr().out
