"""The command line. Most commands run in this process by ``main``; what is about processes runs in one of its own."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, Iterator, List, Set, Tuple

import pytest
from jelly_conformance import load_cases
from jelly_conformance._checks import expected_events
from jelly_conformance.comparison import difference, events

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import make_large_patch  # noqa: E402
from nquads_cases import nquads_cases  # noqa: E402
from terminal import shown_on_a_terminal  # noqa: E402

import jellybridge  # noqa: E402
from jellybridge import ChangeRow, _progress, write_patch  # noqa: E402
from jellybridge._convert import Job  # noqa: E402
from jellybridge._doors import find_door  # noqa: E402
from jellybridge._locations import FileLocation  # noqa: E402
from jellybridge.cli import _parser, main  # noqa: E402

OWN_SUITE = Path(__file__).resolve().parent.parent / "conformance"

PATCH = """\
H id <urn:uuid:1> .
H "two words" "text with \\"quotes\\", \\\\, \\n and \\u0000" .
TX .
PA "ex" <http://example.org/> .
PA "" <http://example.org/ns#> <http://example.org/g> .
A <http://example.org/s> <http://example.org/p> "chat"@FR .
A <http://example.org/s> <http://example.org/p> "colour"@en-gb <http://example.org/g> .
A <_:b0> <http://example.org/p> <_:B.1> <_:g> .
A <http://example.org/s> <http://example.org/p> "042"^^<http://www.w3.org/2001/XMLSchema#integer> .
D <http://example.org/é> <http://example.org/p> "😀 \\t" .
PD "ex" .
TC .
Z .
Z .
TX .
A <http://example.org/s> <http://example.org/p> <<( <urn:a> <urn:b> "c"@PT-br )>> .
TA .
D <http://example.org/s> <http://example.org/p> "" .
"""
QUADS = """\
<http://example.org/s> <http://example.org/p> "chat"@FR .
<http://example.org/s> <http://example.org/p> "colour"@en-gb <http://example.org/g> .
_:b0 <http://example.org/p> _:B.1 _:g .
<http://example.org/s> <http://example.org/p> "x\\u0000\\n\\"😀"^^<http://example.org/type> .
<http://example.org/s> <http://example.org/p> <<( <urn:a> <urn:b> "rtl"@ar--rtl )>> <http://example.org/g> .
<http://example.org/s> <http://example.org/p> "chat"@FR .
"""
TRIPLES = "".join(f"{line}\n" for line in QUADS.splitlines() if not line.endswith(("g> .", ":g .")))
PATCH_FORMATS = ["jellyp", "rdfp", "trp"]
STATEMENT_FORMATS = ["jelly", "nq", "nt"]
COMPRESSIONS = ["", ".gz", ".zst"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The JVM keeps the folder in which it was started, so names are absolute: see name().
    monkeypatch.chdir(tmp_path)
    return tmp_path


def name(file: str) -> str:
    return str(Path.cwd() / file)


def ok(*arguments: str) -> None:
    assert main([str(argument) for argument in arguments]) == 0, arguments


def put(file: str, text: str) -> str:
    Path(file).write_text(text, encoding="utf-8", newline="\n")
    return name(file)


def text(file: str) -> str:
    return Path(file).read_text(encoding="utf-8")


def command(*arguments: str, **options: object) -> "subprocess.CompletedProcess[bytes]":
    line = [sys.executable, "-m", "jellybridge", *arguments]
    return subprocess.run(line, capture_output=True, timeout=120, **options)


# --- conversions


@pytest.mark.parametrize("source", PATCH_FORMATS)
@pytest.mark.parametrize("target", PATCH_FORMATS)
def test_every_pair_of_patch_formats_keeps_every_row_and_every_end_of_a_patch(source: str, target: str) -> None:
    ok("convert", put("first.rdfp", PATCH), name(f"second.{source}"))
    ok("convert", name(f"second.{source}"), name(f"third.{target}"))
    ok("convert", name(f"third.{target}"), name("last.rdfp"))
    # Jena writes the case of language tags anew; nothing else changes.
    expected = PATCH
    if "trp" in (source, target):
        expected = PATCH.replace("@en-gb", "@en-GB").replace("@PT-br", "@pt-BR").replace("@FR", "@fr")
    assert text("last.rdfp") == expected


@pytest.mark.parametrize("source", STATEMENT_FORMATS)
@pytest.mark.parametrize("target", STATEMENT_FORMATS)
def test_every_pair_of_statement_formats_keeps_every_statement(source: str, target: str) -> None:
    statements = TRIPLES if "nt" in (source, target) else QUADS
    ok("convert", put("first.nq", statements), name(f"second.{source}"))
    ok("convert", name(f"second.{source}"), name(f"third.{target}"))
    ok("convert", name(f"third.{target}"), name("last.nq"))
    assert text("last.nq") == statements


@pytest.mark.parametrize("suffix", [f"{f}{c}" for f in PATCH_FORMATS for c in COMPRESSIONS])
def test_change_rows_go_into_and_come_out_of_every_patch_format(suffix: str) -> None:
    ok("convert", put("first.rdfp", PATCH), name("first.jellyp"))
    rows = list(jellybridge.read_patch("first.jellyp"))
    report = jellybridge.write_patch("second." + suffix, rows, rdf_star=True)
    # An empty patch has no rows to come back.
    assert (report.patches, report.rows) == (2, 16)
    assert [row._replace(patch=0) for row in jellybridge.read_patch("second." + suffix)] == [
        row._replace(patch=0) for row in rows]


@pytest.mark.parametrize("source, target", [("rdfp", "jelly"), ("nq", "jellyp"), ("jelly", "trp"), ("jellyp", "nq")])
def test_patches_and_statements_do_not_mix(source: str, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    put(f"in.{source}", "")
    assert main(["convert", name(f"in.{source}"), name(f"out.{target}")]) == 2
    assert "do not mix" in capsys.readouterr().err
    assert not Path(f"out.{target}").exists()


@pytest.mark.parametrize("one", COMPRESSIONS)
@pytest.mark.parametrize("other", COMPRESSIONS)
def test_gzip_and_zstandard_go_by_the_suffix(one: str, other: str) -> None:
    ok("convert", put("first.nq", QUADS), name("second.jelly" + one))
    ok("convert", name("second.jelly" + one), name("third.nq" + other))
    ok("convert", name("third.nq" + other), name("last.nq"))
    assert text("last.nq") == QUADS


@pytest.mark.skipif(shutil.which("zstd") is None, reason="there is no zstd to compare with")
def test_zstandard_is_what_the_usual_tool_reads_and_writes() -> None:
    ok("convert", put("first.nq", QUADS * 5000), name("ours.nq.zst"))
    subprocess.run(["zstd", "-dq", "ours.nq.zst", "-o", "plain.nq"], check=True)
    assert text("plain.nq") == QUADS * 5000
    subprocess.run(["zstd", "-19q", "plain.nq", "-o", "theirs.nq.zst"], check=True)
    ok("convert", name("theirs.nq.zst"), name("last.nq"))
    assert text("last.nq") == QUADS * 5000


def test_gzip_is_what_python_reads() -> None:
    ok("convert", put("first.nq", QUADS), name("second.nq.gz"))
    assert gzip.decompress(Path("second.nq.gz").read_bytes()).decode() == QUADS


@pytest.mark.parametrize("stream_type", ["FRAME", "PUNCTUATED"])
def test_a_transcoder_changes_stream_type_and_table_sizes_and_keeps_the_rest(stream_type: str) -> None:
    ok("convert", put("first.rdfp", PATCH), name("second.jellyp"))
    ok("convert", name("second.jellyp"), name("third.jellyp"), "--stream-type", stream_type,
       "--name-table-size", "8", "--prefix-table-size", "0", "--datatype-table-size", "2", "--frame-rows", "3")
    ok("convert", name("third.jellyp"), name("fourth.jellyp"), "--stream-type", "PUNCTUATED")
    ok("convert", name("fourth.jellyp"), name("last.rdfp"))
    assert text("last.rdfp") == PATCH
    found = inspected("third.jellyp")
    assert found["options"]["streamType"] == stream_type
    assert {table: use["size"] for table, use in found["tables"].items()} == {"names": 8, "prefixes": 0, "datatypes": 2}


def test_only_a_single_patch_becomes_flat(capsys: pytest.CaptureFixture[str]) -> None:
    one = PATCH[: PATCH.index("Z .\n")]
    ok("convert", put("one.rdfp", one), name("one.jellyp"), "--stream-type", "FLAT")
    ok("convert", name("one.jellyp"), name("last.rdfp"))
    assert text("last.rdfp") == one
    assert main(["convert", put("two.rdfp", PATCH), name("two.jellyp"), "--stream-type", "FLAT"]) == 1
    assert "[P-16]" in capsys.readouterr().err
    assert not Path("two.jellyp").exists()


def test_a_namespace_of_an_unbound_prefix_stays_in_jelly_patch() -> None:
    row = jellybridge.ChangeRow(0, None, 0, "PD", name="ex", value="<http://example.org/>")
    jellybridge.write_patch("first.jellyp", [row])
    ok("convert", name("first.jellyp"), name("second.jellyp"), "--name-table-size", "100")
    assert list(jellybridge.read_patch("second.jellyp")) == [row]


def test_quads_become_triples_only_without_a_named_graph(capsys: pytest.CaptureFixture[str]) -> None:
    ok("convert", put("plain.nq", TRIPLES), name("plain.jelly"), "--statement-type", "TRIPLES")
    assert inspected("plain.jelly")["options"]["physicalType"] == "TRIPLES"
    assert main(["convert", put("named.nq", QUADS), name("named.jelly"), "--statement-type", "TRIPLES"]) == 1
    assert "[R-11]" in capsys.readouterr().err
    assert not Path("named.jelly").exists()


def test_graphs_are_started_and_ended_as_the_statements_need_it() -> None:
    ok("convert", put("first.nq", QUADS), name("second.jelly"), "--statement-type", "GRAPHS")
    assert inspected("second.jelly")["graphStarts"] == 6
    ok("convert", name("second.jelly"), name("third.jelly"))
    ok("convert", name("third.jelly"), name("fourth.jelly"), "--statement-type", "QUADS")
    ok("convert", name("fourth.jelly"), name("last.nq"))
    assert text("last.nq") == QUADS


def test_options_announce_triple_terms_only_where_there_are_some() -> None:
    ok("convert", put("with.nq", QUADS), name("with.jelly"))
    ok("convert", put("without.nq", "<urn:s> <urn:p> <urn:o> .\n"), name("without.jelly"))
    assert inspected("with.jelly")["options"]["rdfStar"] and not inspected("without.jelly")["options"]["rdfStar"]


def test_several_inputs_become_one_output() -> None:
    first, second = put("first.rdfp", PATCH), put("second.rdfp", "A <urn:s> <urn:p> <urn:o> .\n")
    ok("convert", second, name("second.jellyp"), "--stream-type", "FLAT")
    ok("convert", name("second.jellyp"), first, "-o", name("both.jellyp"))
    ok("convert", name("both.jellyp"), name("last.rdfp"))
    assert text("last.rdfp") == "A <urn:s> <urn:p> <urn:o> .\nZ .\n" + PATCH


@pytest.mark.parametrize("suffix, text_suffix, line", [("jellyp", "rdfp", "A <urn:s> <urn:p> %s .\n"),
                                                       ("jelly", "nt", "<urn:s> <urn:p> %s .\n")])
def test_the_tables_of_one_output_fit_all_inputs(suffix: str, text_suffix: str, line: str) -> None:
    none, one, joined, out = (f"{file}.{suffix}" for file in ("none", "one", "joined", "out"))
    ok("convert", put(f"none.{text_suffix}", line % "<urn:o>"), name(none), "--datatype-table-size", "0", "--prefix-table-size", "0")
    ok("convert", put(f"one.{text_suffix}", line % '"1"^^<urn:d>'), name(one))
    Path(joined).write_bytes(Path(none).read_bytes() + Path(one).read_bytes())
    for inputs in ([none, one], [none, f"one.{text_suffix}"], [joined]):
        ok("convert", *map(name, inputs), "-o", name(out))
        assert [inspected(out)["tables"][table]["size"] for table in ("names", "prefixes", "datatypes")] == [4000, 150, 32]


def test_a_bare_frame_holds_the_frames_of_its_input() -> None:
    ok("convert", put("in.nq", QUADS), name("in.jelly"), "--frame-rows", "1")
    ok("convert", name("in.jelly"), name("bare.jelly"), "--no-delimited")
    assert inspected("in.jelly")["frames"] > inspected("bare.jelly")["frames"] == 1
    ok("convert", name("bare.jelly"), name("out.nq"))
    ok("convert", name("in.jelly"), name("direct.nq"))
    assert text("out.nq") == text("direct.nq")


def test_thrift_refuses_a_base_direction_that_it_could_not_give_back(capsys: pytest.CaptureFixture[str]) -> None:
    patch = put("in.rdfp", 'A <urn:s> <urn:p> "x"@ar--rtl .\n')
    assert main(["convert", patch, name("out.trp")]) == 1
    assert "base direction" in capsys.readouterr().err
    assert not Path("out.trp").exists()


def test_the_python_call_converts_too() -> None:
    put("in.rdfp", PATCH)
    assert jellybridge.convert("in.rdfp", "out.jellyp", stream_type="FRAME") == jellybridge.ConvertReport(3, 16)
    with pytest.raises(FileNotFoundError):
        jellybridge.convert("nowhere.rdfp", "out.jellyp")
    with pytest.raises(jellybridge.JellybridgeError, match="'streamType' of convert is 'odd'; it takes one of .FRAME, FLAT"):
        jellybridge.convert("in.rdfp", "out.jellyp", stream_type="odd")
    with pytest.raises(jellybridge.JellybridgeError, match="'delimited' of convert is 'odd'; it takes true or false"):
        jellybridge.convert("in.rdfp", "out.jellyp", delimited="odd")
    with pytest.raises(jellybridge.JellybridgeError, match="unknown option 'streamTyp' of convert; .*mean 'streamType'"):
        jellybridge.convert("in.rdfp", "out.jellyp", stream_typ="FLAT")


# --- broken inputs


def make(file: str) -> Path:
    source = put("make.rdfp", PATCH) if file.split(".")[1] in PATCH_FORMATS else put("make.nq", QUADS)
    if file == "x.nt":
        source = put("make.nq", TRIPLES)
    ok("convert", source, name(file))
    return Path(file)


@pytest.mark.parametrize("suffix", [*PATCH_FORMATS, *STATEMENT_FORMATS, "jellyp.gz", "nq.zst", "jelly.zst", "rdfp.gz"])
def test_an_input_that_is_cut_off_is_named_in_one_line_and_leaves_no_output(
    suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = make("x." + suffix).read_bytes()
    cut = Path("cut." + suffix)
    # Without the last three bytes, the mark that ends a patch, a Thrift stream may be whole.
    cut.write_bytes(whole[:-4 if suffix == "trp" else -3])
    before = sorted(Path.cwd().iterdir())
    for target in ("out.jellyp", "out.rdfp") if suffix.split(".")[0] in PATCH_FORMATS else ("out.jelly", "out.nq"):
        assert main(["convert", name(cut.name), name(target)]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and cut.name in error
    assert sorted(Path.cwd().iterdir()) == before


def test_a_cut_thrift_stream_is_refused_unless_it_could_be_whole(capsys: pytest.CaptureFixture[str]) -> None:
    whole = make("x.trp").read_bytes()
    unseen = []
    for length in range(1, len(whole)):
        Path("cut.trp").write_bytes(whole[:length])
        if main(["validate", name("cut.trp"), "--json"]) == 0:
            unseen.append(length)
    capsys.readouterr()
    # Cuts between two rows, outside of a transaction: the two headers, the end of the first transaction, two segments,
    # the end of the second transaction, and the row after it.
    assert len(unseen) == 7


@pytest.mark.parametrize("suffix", [*PATCH_FORMATS, "jelly", "nq"])
def test_garbage_is_bad_data_in_every_format(suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x." + suffix).write_bytes(b"\x17 this is none of them \xff\xfe\n" * 9)
    assert main(["validate", name("x." + suffix)]) == 1
    assert main(["inspect", name("x." + suffix)]) == 1
    assert f"x.{suffix}" in capsys.readouterr().err


# --- events


def test_events_are_one_file_an_input_and_a_bad_input_leaves_none(capsys: pytest.CaptureFixture[str]) -> None:
    ok("convert", put("good.rdfp", "TX .\nA <urn:s> <urn:p> \"x\"@EN <urn:g> .\nTC .\n"), name("good.jellyp"))
    ok("convert", put("quads.nq", QUADS), name("quads.jelly"))
    whole = Path("good.jellyp").read_bytes()
    Path("bad.jellyp").write_bytes(whole[:-1])
    inputs = [name(file) for file in ("good.jellyp", "bad.jellyp", "missing.jellyp", "quads.jelly")]
    assert main(["convert", "--to-format", "events", "--out-dir", name("out"), *inputs]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2 and "bad.jellyp" in errors[0] and "missing.jellyp" in errors[1]
    assert sorted(file.name for file in Path("out").iterdir()) == ["good.events", "quads.events"]
    assert text("out/good.events") == 'TX\nA <urn:s> <urn:p> "x"@en <urn:g>\nTC\n---\n'
    away = "http://127.0.0.1:1/away.jellyp"
    for several, status in ((inputs[2:], 2), ([away, inputs[3]], 3), ([away, *inputs[2:]], 2), ([*inputs, away], 1)):
        assert main(["convert", "--to-format", "events", "--out-dir", name("out"), *several]) == status
    assert text("out/quads.events").startswith('Q <http://example.org/s> <http://example.org/p> "chat"@fr DEFAULT\n')


def test_two_inputs_never_write_one_output(capsys: pytest.CaptureFixture[str]) -> None:
    put("x.rdfp", PATCH)
    put("x.rdp", PATCH)
    assert main(["convert", "--to-format", "events", "--out-dir", name("out"), name("x.rdfp"), name("x.rdp")]) == 2
    assert "two inputs" in capsys.readouterr().err
    assert not Path("out").exists()


def check_events_of_a_suite(folder: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """Runs ``convert --to-format events`` over all files of a suite whose events are known; how many there are."""
    known = ("vector-accept", "vector-reject", "vector-either", "from-jellyp-pos")
    cases = [case for case in load_cases(folder) if case.kind.endswith(known)]
    outputs = {case.id: Path(name("out"), *case.inputs[0].relative_to(folder).parts[:-1], case.inputs[0].stem + ".events")
               for case in cases}
    for parent in {case.inputs[0].parent for case in cases}:
        of_folder = [case for case in cases if case.inputs[0].parent == parent]
        output = outputs[of_folder[0].id].parent
        status = main(["convert", "--to-format", "events", "--out-dir", str(output), *(str(case.inputs[0]) for case in of_folder)])
        refused = [case for case in of_folder if not outputs[case.id].exists()]
        assert status == (1 if refused else 0)
        errors = capsys.readouterr().err.splitlines()
        assert len(errors) == len(refused)
        for case, error in zip(refused, errors):
            assert not case.kind.endswith(("accept", "pos")), error
            assert str(case.inputs[0]) in error
    for case in cases:
        if outputs[case.id].exists():
            assert not case.kind.endswith("reject"), case.id
            lines = outputs[case.id].read_text(encoding="utf-8").split("\n")
            assert difference(expected_events(case), events(lines)) is None, case.id
    return len(cases)


def test_the_events_of_our_own_suite_are_those_of_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_events_of_a_suite(OWN_SUITE, capsys) > 400


def test_the_events_of_the_shared_suite_are_those_of_its_table(
    shared_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_events_of_a_suite(shared_dir / "conformance", capsys) > 150


# --- inspect, validate


def inspected(file: str) -> Dict[str, Any]:
    return Job().examine(FileLocation(name(file), name(file)), None, False, 10)


def test_inspect_counts_rows_patches_transactions_graphs_and_evictions(capsys: pytest.CaptureFixture[str]) -> None:
    ok("convert", put("in.rdfp", PATCH), name("x.jellyp"), "--name-table-size", "8", "--prefix-table-size", "2")
    capsys.readouterr()
    ok("inspect", "--json", name("x.jellyp"))
    found = json.loads(capsys.readouterr().out)
    assert found["valid"] and found["bytes"] == found["contentBytes"] == Path("x.jellyp").stat().st_size
    assert found["rows"] == {"total": 16, "H": 2, "TX": 2, "TC": 1, "TA": 1, "PA": 2, "PD": 1, "A": 5, "D": 2}
    assert found["patches"]["total"] == 3 and found["patches"]["each"][1] == dict.fromkeys(
        ("H", "TX", "TC", "TA", "PA", "PD", "A", "D"), 0)
    assert found["transactions"] == {"begun": 2, "committed": 1, "aborted": 1, "largest": 8, "rowsOutside": 1}
    assert {graph["graph"]: (graph["A"], graph["D"]) for graph in found["graphs"]} == {
        None: (3, 2), "<http://example.org/g>": (1, 0), "_:g": (1, 0)}
    assert found["tables"]["prefixes"] == {"size": 2, "used": 2, "written": 4, "evictions": 2}
    ok("inspect", name("x.jellyp"))
    shown = capsys.readouterr().out
    assert "evictions" in shown and "streamType PUNCTUATED" in shown and "<http://example.org/g>" in shown


def test_validate_names_every_wrong_line_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    good = "<urn:s> <urn:p> <urn:o> .\n"
    bad = put("bad.nq", f"<urn:s> <urn:p> .\n{good}\n<urn:s> 'x' <urn:o> .\n<s> <urn:p> <urn:o> .\n")
    assert main(["validate", "--json", bad]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(fault["line"], fault["column"]) for fault in found["faults"]] == [(1, 17), (4, 9), (5, 1)]
    assert found["errors"] == 3 and found["statements"] == 1
    assert main(["validate", "--max-faults", "1", bad]) == 1
    assert "2 faults more" in capsys.readouterr().out
    assert main(["validate", "--max-faults", str(2**32), bad]) == 1
    assert capsys.readouterr().out.count("error: ") == 3


def test_validate_says_of_every_document_of_the_grammar_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    cases = nquads_cases()
    files = [put(f"{number}.nq", case.text) for number, case in enumerate(cases)]
    for options, valid in (((), {"valid"}), (("--strict",), {"valid"}), (("--rdf-star",), {"valid", "rdfStar"})):
        assert main(["validate", "--json", *options, *files]) == 1
        found = [json.loads(line)["valid"] for line in capsys.readouterr().out.splitlines()]
        wrong = [case for case, is_valid in zip(cases, found) if is_valid != (case.verdict in valid)]
        assert len(found) == len(cases) and not wrong, options


def test_n_quads_of_rdf_star_are_converted_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    star = put("star.nq", "<< <urn:s> <urn:p> <urn:o> >> <urn:q> _:b .\n")
    for target in ("out.jelly", "out.nq"):
        assert main(["convert", star, name(target)]) == 1
        error = capsys.readouterr().err
        assert "'<<' without '('" in error and "--rdf-star" in error
        ok("convert", "--rdf-star", star, name(target))
    assert text("out.nq") == "<<( <urn:s> <urn:p> <urn:o> )>> <urn:q> _:b .\n"
    assert main(["convert", name("out.jelly"), name("again.nq")]) == 1
    assert "a triple term as the subject" in capsys.readouterr().err
    ok("convert", "--rdf-star", name("out.jelly"), name("again.nq"))
    assert text("again.nq") == text("out.nq")


def test_language_tags_of_old_data_are_mended_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    old = put("old.nq", '<urn:s_t> <urn:p> "a_b"@en_US <urn:g> .\n<urn:s> <urn:p> "c"@EN-gb .\n')
    assert main(["convert", old, name("out.jelly")]) == 1
    assert "the language tag 'en_US', which is not well-formed; write '-' for '_'" in capsys.readouterr().err
    ok("convert", "--mend-tags", old, name("out.jelly"))
    ok("convert", name("out.jelly"), name("out.nq"))
    assert text("out.nq") == '<urn:s_t> <urn:p> "a_b"@en-US <urn:g> .\n<urn:s> <urn:p> "c"@EN-gb .\n'


def test_relative_iris_go_in_and_out_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    relative = put("relative.rdfp", 'A <s> <urn:p> "o" .\nZ .\n')
    assert main(["convert", relative, name("out.jellyp")]) == 1
    assert "the IRI <s> without a scheme" in capsys.readouterr().err
    ok("convert", "--relative-iris", relative, name("out.jellyp"))
    assert main(["convert", name("out.jellyp"), name("out.rdfp")]) == 1
    ok("convert", "--relative-iris", name("out.jellyp"), name("out.rdfp"))
    assert text("out.rdfp") + "Z .\n" == text("relative.rdfp")  # marks stand between patches
    assert main(["apply", name("out.jellyp"), "--to", "mem:"]) == 1
    assert "the IRI <s> without a scheme" in capsys.readouterr().err


def test_a_byte_order_mark_before_the_first_statement_is_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    ok("convert", put("marked.nq", "\ufeff" + QUADS), name("plain.nq"))
    assert text("plain.nq") == QUADS
    assert main(["validate", "--json", put("bad.nt", "\ufeff<urn:s> <urn:p> .\n\ufeff<urn:s> <urn:p> <urn:o> .\n")]) == 1
    faults = json.loads(capsys.readouterr().out)["faults"]
    assert [(fault["line"], fault["column"]) for fault in faults] == [(1, 17), (2, 1)]


def test_a_line_above_the_limit_is_named_with_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    statements = put("long.nt", "<urn:s> <urn:p> <urn:o> .\n" + f'<urn:s> <urn:p> "{"x" * 200_000}" .\n')
    assert main(["convert", statements, name("out.jelly"), "--max-frame-bytes", "70000"]) == 1
    said = capsys.readouterr().err
    assert "long.nt, line 2, column 1 (byte 26): a line of more than 70000 bytes" in said and "raise --max-frame-bytes" in said


@pytest.mark.parametrize("damage", ["no gzip", "cut"])
def test_a_file_whose_compression_is_damaged_does_not_hide_the_next(
    damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = gzip.compress("".join(f"A <urn:{row * 7919}> <urn:p> <urn:o> .\n" for row in range(100_000)).encode())
    Path("bad.rdfp.gz").write_bytes(whole[:-9] if damage == "cut" else PATCH.encode())
    good = put("good.rdfp", PATCH)
    for verb in ("validate", "inspect"):
        assert main([verb, "--json", name("bad.rdfp.gz"), good]) == 1
        bad, fine = (json.loads(line) for line in capsys.readouterr().out.splitlines())
        assert (bad["valid"], bad["errors"], fine["valid"]) == (False, 1, True)
        assert bad["faults"][0]["message"].startswith(f"{name('bad.rdfp.gz')}: the compressed data")
        assert main([verb, name("bad.rdfp.gz"), good]) == 1
        shown = capsys.readouterr()
        assert "the compressed data" in shown.out + shown.err and "good.rdfp" in shown.out
    if damage == "cut":
        assert bad["rows"]["A"] > 0


def test_validate_tells_what_readers_get_over_and_strict_makes_it_an_error(
    shared_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vector = str(Path(__file__).parents[1] / "conformance" / "patch" / "P-24d.jellyp")
    assert main(["validate", vector]) == 0
    assert capsys.readouterr().out.startswith("warning: [P-24]")
    assert main(["validate", "--strict", vector]) == 1
    out = capsys.readouterr().out
    assert out.startswith("error: [P-24]") and "frame 0, row 7, byte 77" in out


def test_validate_calls_invalid_what_other_commands_refuse(shared_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vector = str(shared_dir / "conformance" / "vectors" / "patch" / "P-15.jellyp")
    for command in (["validate", vector], ["apply", vector, "--to", "mem:"], ["convert", vector, "out.jellyp"]):
        assert main(command) == 1
        said = capsys.readouterr()
        assert "[P-15]" in said.out + said.err
    put("in.nq", "<a:\\u0020> <a:p> <a:o> .\n")
    for command in (["validate", "in.nq"], ["convert", "in.nq", "out.jelly"], ["publish", "in.nq", "--to", "mem:"]):
        assert main(command) == 1
        said = capsys.readouterr()
        assert "a character that no IRI has" in said.out + said.err


def test_a_side_file_is_not_standard_output(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.nt").write_text("rubbish\n")
    for line in (["convert", "a.nt", "b.nt", "--bad-statements", "-"], ["patch", "merge", "a.nt", "a.nt", "a.nt", "--conflicts", "-"],
                 ["publish", "a.nt", "--to", "mem:", "--shapes", "a.nt", "--shapes-report", "-"]):
        assert main(line) == 2
        assert f"{line[-2]} -: name a file" in capsys.readouterr().err
    assert [file.name for file in here.iterdir()] == ["a.nt"]


def test_bad_statements_are_set_aside_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    bad = '<urn:s> <urn:p> "a"@zh-classical .\n'
    data = put("in.nt", bad + '<urn:s> <urn:p> "b" .\n')
    options = ("--bad-statements", name("bad.nt"))
    for command in (["convert", data, name("out.nq")], ["publish", data, "--to", "mem:"], ["diff", data, data]):
        assert main(command) == 1
        assert main([*command, *options, "--max-bad", "1%"]) == 1
        assert "can't be read, and --max-bad is 1%" in capsys.readouterr().err
        ok(*command, *options, "--json", "--max-bad", "50%")
        said = capsys.readouterr()
        count = 2 if command[0] == "diff" else 1
        assert f"jellybridge: {count} bad statements were set aside in {name('bad.nt')}" in said.err
        assert f'"bad": {count}' in said.out + said.err
        assert Path("bad.nt").read_text().count(bad) == count
    assert Path("out.nq").read_text() == '<urn:s> <urn:p> "b" .\n'
    assert jellybridge.convert("in.nt", "out.nq", bad_statements="bad.nt").bad == 1
    with jellybridge.Dataset.open("mem:") as dataset:
        assert dataset.load("in.nt", bad_statements="bad.nt").bad == 1 and len(dataset) == 1
        for call in (lambda: dataset.load("in.nt", bad_statements=Path("in.nt").resolve()), lambda: dataset.publish("in.nt", patch="in.nt"),
                     lambda: jellybridge.convert("in.nt", "out.nq", bad_statements="in.nt"),
                     lambda: jellybridge.convert("in.nt", "out.nq", bad_statements="./out.nq")):
            with pytest.raises(ValueError, match="is another file of this call, which it would replace"):
                call()
        with pytest.raises(ValueError, match="end its name in .jellyp"):
            dataset.publish("in.nt", patch="x.events", bad_statements="bad.nt")
    assert Path("in.nt").read_text().startswith(bad) and not Path("x.events").exists()
    with pytest.raises(ValueError, match="max_bad says how many .* and bad_statements names no file"):
        jellybridge.convert("in.nt", "out.nq", max_bad=1)


def test_a_log_that_is_there_may_be_left_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    put("state.nq", "<urn:s> <urn:p> <urn:o> .\n")
    for state in ([], ["--state", name("state.nq")]):
        log = name(f"log{len(state)}")
        ok("log", "create", log, *state, "--if-missing")
        made = capsys.readouterr().out
        assert main(["log", "create", log, *state]) == 1
        assert "; use it as it is, or go on with it by --if-missing" in capsys.readouterr().err
        ok("log", "create", log, *state, "--if-missing")
        assert capsys.readouterr().out == f"{log}: is there\n" != made
    Path(name("other")).mkdir()
    put("other/file.txt", "")
    assert main(["log", "create", name("other"), "--if-missing"]) == 1
    assert "has files in it" in capsys.readouterr().err


def test_an_input_without_a_suffix_is_named_as_it_was_given(capsys: pytest.CaptureFixture[str], answering: str) -> None:
    put("old.nq", "<urn:s> <urn:p> <urn:o> .\n")
    for command in (["diff", name("old.nq"), f"{answering}ds", "-o", name("x.rdfp")], ["cat", f"{answering}ds"]):
        assert main(command) == 2
        said = capsys.readouterr().err
        assert f"{answering}ds: the suffix names no format; name it by --from-format, or use one of .jellyp" in said, said
        assert "/copy" not in said


@pytest.fixture
def answering() -> Iterator[str]:
    """The address of a server that answers everything with one triple."""
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"<urn:s> <urn:p> <urn:o> .\n"
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("localhost", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def test_what_is_no_file_of_this_kind_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    jellybridge.PatchLog.create("log").close()
    for suffix in (".zip", ".nt.xz", ".obo"):
        put("x" + suffix, "")
    put("x.owl", "Prefix(:=<http://e/>)\n")
    for name, says in (("log", "is a patch log: a dataset follows it by sync"), ("x.zip", "of a zip archive, which is not read"),
                       ("x.nt.xz", "of xz data, which is not read"), ("x.obo", "of OBO, which is not read"),
                       ("tdb2:log", "is no file: dump writes a dataset to one, `publish --dry-run --patch -` compares"),
                       ("grpc://h/log", "is no file"), ("x.owl", "looks like OWL in functional syntax")):
        for command in ("cat", "inspect"):
            assert main([command, name]) in (1, 2)
            assert says in capsys.readouterr().err
    assert main(["diff", "log", "x.owl"]) == 2
    assert "and `jellybridge log diff` versions of a log" in capsys.readouterr().err


def test_validate_of_a_good_file_of_every_format_is_0(capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in (*PATCH_FORMATS, *STATEMENT_FORMATS):
        make("x." + suffix)
        ok("validate", "--strict", name("x." + suffix))
        assert "valid" in capsys.readouterr().out


# --- apply, diff, cat


def test_apply_takes_patches_of_any_format_and_reports(capsys: pytest.CaptureFixture[str]) -> None:
    plain = put("in.rdfp", 'TX .\nA <urn:s> <urn:p> "1" .\nA <urn:s> <urn:p> "2" <urn:g> .\nTC .\n')
    more = put("more.rdfp", 'TX .\nD <urn:s> <urn:p> "1" .\nTC .\nTX .\nA <urn:s> <urn:p> "3" .\nTA .\n')
    ok("convert", plain, name("in.jellyp.zst"))
    ok("convert", more, name("more.trp"))
    capsys.readouterr()
    target = "tdb2:" + name("store")
    ok("apply", "--json", "--to", target, name("in.jellyp.zst"), name("more.trp"))
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["patches"], r["added"], r["deleted"], r["aborted"], r["changed"]) for r in reports] == [(1, 2, 0, 0, 2), (1, 0, 1, 1, 1)]
    with jellybridge.Dataset.open(target) as dataset:
        assert dataset.query("SELECT ?o ?g { GRAPH ?g { ?s ?p ?o } }") == [{"o": '"2"', "g": "<urn:g>"}]
        assert len(dataset) == 1
    ok("apply", "--to", "mem:", plain)
    assert "(+2 -0)" in capsys.readouterr().out


def test_apply_takes_what_the_limits_allow(capsys: pytest.CaptureFixture[str]) -> None:
    row = ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"')
    write_patch("large.jellyp", [row], max_name_table_size=5000, stream_type="FRAME")
    assert main(["apply", name("large.jellyp"), "--to", "mem:"]) == 1
    assert "maxNameTableSize" in capsys.readouterr().err
    ok("apply", name("large.jellyp"), "--to", "mem:", "--max-table-size", "5000")
    assert "1 patch applied" in capsys.readouterr().out
    assert main(["apply", name("large.jellyp"), "--to", "mem:", "--max-table-size", "5000", "--max-frame-bytes", "10"]) == 1
    assert "--max-frame-bytes" in capsys.readouterr().err


def test_sync_follows_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, store = tmp_path / "log", f"tdb2:{tmp_path / 'store'}"
    log.mkdir()
    for number in (1, 2):
        write_patch(log / f"{number}.jellyp", [
            ChangeRow(op="H", name="id", value=f"<urn:id:{number}>"),
            *([ChangeRow(op="H", name="prev", value="<urn:id:1>")] if number == 2 else []),
            ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"'),
        ])
    assert main(["sync", str(log), "--to", store, "--dry-run"]) == 0
    assert "2 patches to apply" in capsys.readouterr().out and not (tmp_path / "store").exists()
    assert main(["sync", str(log), "--to", store, "--until", "<urn:id:1>", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["position"] == "<urn:id:1>"
    assert main(["sync", str(log), "--to", store]) == 0
    assert "1 patch applied in 1 transaction (+1 -0), 1 were there" in capsys.readouterr().out
    (log / "1.jellyp").unlink()
    (log / "2.jellyp").write_bytes(b"no patch")
    assert main(["sync", str(log), "--to", store]) == 1


def test_a_sync_that_sets_patches_aside_is_no_success(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, store = tmp_path / "log", f"tdb2:{tmp_path / 'store'}"
    log.mkdir()
    for number, value in ((1, '"1"'), (2, '"99999999999999999999"^^<http://www.w3.org/2001/XMLSchema#integer>')):
        write_patch(log / f"{number}.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=value)])
    assert main(["sync", str(log), "--to", store]) == 1
    assert "sync with net_effect (--net-effect); else make a checkpoint" in capsys.readouterr().err
    for _ in range(2):  # the copy is as far behind the next time
        assert main(["sync", str(log), "--to", store, "--quarantine", str(tmp_path / "aside")]) == 1
        assert f"{store} lacks the changes of 2.jellyp#0, which were set aside" in capsys.readouterr().err
    assert (tmp_path / "aside" / "2.jellyp#0.reason.txt").is_file()


def test_apply_refuses_what_is_wrong_before_anything_is_applied(capsys: pytest.CaptureFixture[str]) -> None:
    good = put("good.rdfp", "A <urn:s> <urn:p> <urn:o> .\n")
    bad = put("bad.rdfp", "TX .\nA <urn:s> <urn:p> <urn:o> .\n")
    assert main(["apply", "--to", "tdb2:" + name("store"), good, bad]) == 1
    assert "bad.rdfp" in capsys.readouterr().err
    assert not Path("store").exists()
    assert main(["apply", "--to", "elsewhere:", good]) == 2
    assert main(["apply", "--to", "mem:", put("x.nq", QUADS)]) == 2


def test_a_difference_has_nothing_of_the_graph_of_positions(capsys: pytest.CaptureFixture[str]) -> None:
    put("old.nq", "<urn:log> <urn:jellybridge:position> <urn:id:1> <urn:jellybridge:sync> .\n")
    put("new.nq", "<urn:a> <urn:p> <urn:o> .\n")
    ok("diff", name("old.nq"), name("new.nq"), "-o", name("out.rdfp"))
    assert text("out.rdfp") == "TX .\nA <urn:a> <urn:p> <urn:o> .\nTC .\n"
    assert "1 statements of the graph <urn:jellybridge:sync> were left out" in capsys.readouterr().err


def test_the_export_of_a_store_is_published_without_its_positions(capsys: pytest.CaptureFixture[str]) -> None:
    put("export.nq", "<urn:log> <urn:jellybridge:position> <urn:id:1> <urn:jellybridge:sync> .\n<urn:a> <urn:p> <urn:o> .\n")
    for _ in range(2):
        ok("publish", name("export.nq"), "--to", "tdb2:" + name("store"), "--json")
        said = capsys.readouterr()
        assert said.err.count("1 statements of the graph <urn:jellybridge:sync> were left out") == 1 and "UserWarning" not in said.err
        report = json.loads(said.out)
        assert (report["quads"], report["positions"]) == (1, 1)


def test_a_difference_makes_the_new_snapshot_of_the_old_one(capsys: pytest.CaptureFixture[str]) -> None:
    old = put("old.nq", '_:b <urn:p> "1" .\n<urn:s> <urn:p> "chat"@FR <urn:g> .\n<urn:s> <urn:p> "gone" .\n' * 2)
    put("new.nq", '<urn:z> <urn:p> "new" <urn:g> .\n<urn:a> <urn:p> <<( <urn:a> <urn:b> "c" )>> .\n'
                  '<urn:s> <urn:p> "chat"@fr <urn:g> .\n_:b <urn:p> "1" .\n')
    ok("convert", name("new.nq"), name("new.jelly.gz"))
    ok("diff", old, name("new.jelly.gz"), "-o", name("out.jellyp"), "--json")
    report = json.loads(capsys.readouterr().out)
    assert (report["deleted"], report["added"]) == (1, 2)
    ok("convert", name("out.jellyp"), name("out.rdfp"))
    assert text("out.rdfp") == (
        'TX .\nD <urn:s> <urn:p> "gone" .\nA <urn:a> <urn:p> <<( <urn:a> <urn:b> "c" )>> .\n'
        'A <urn:z> <urn:p> "new" <urn:g> .\nTC .\n')
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load("old.nq")
        dataset.apply("out.jellyp")
        assert len(dataset) == 4


def test_a_difference_by_structure_has_what_changed_of_blank_nodes_that_were_numbered_anew(
    capsys: pytest.CaptureFixture[str],
) -> None:
    put("old.nq", '_:a <urn:p> "1" .\n_:a <urn:q> _:b .\n_:b <urn:name> "x" .\n' * 2)
    put("new.nq", '_:b <urn:name> "y" .\n_:z <urn:p> "1" .\n_:z <urn:q> _:b .\n')
    ok("diff", name("old.nq"), name("new.nq"), "--blank-nodes", "structure", "-o", name("out.rdfp"), "--json")
    report = json.loads(capsys.readouterr().out)
    assert (report["deleted"], report["added"]) == (1, 1)
    assert text("out.rdfp") == 'TX .\nD <_:b> <urn:name> "x" .\nA <_:b> <urn:name> "y" .\nTC .\n'


def test_a_difference_by_structure_beyond_its_memory_says_so_and_leaves_no_file() -> None:
    lines = "".join(f'_:node{i} <urn:p> "{i}" .\n' for i in range(60_000))
    put("old.nq", lines)
    put("new.nq", "")
    command = [sys.executable, "-m", "jellybridge", "diff", name("old.nq"), name("new.nq"), "-o", name("none.rdfp")]
    run = subprocess.run([*command, "--blank-nodes", "structure"], capture_output=True, text=True,
                         env={**os.environ, "JELLYBRIDGE_HEAP": "48m"})
    assert run.returncode == 1
    assert "old.nq: " in run.stderr and "--heap" in run.stderr and "by label" in run.stderr
    assert not os.path.exists(name("none.rdfp"))
    assert subprocess.run([*command, "--allow-empty"], env={**os.environ, "JELLYBRIDGE_HEAP": "48m"}).returncode == 0


def test_cat_shows_text_and_joins(capfd: pytest.CaptureFixture[str]) -> None:
    one, two = put("one.rdfp", PATCH), put("two.rdfp", "A <urn:s> <urn:p> <urn:o> .\n")
    ok("convert", one, name("one.jellyp"))
    capfd.readouterr()
    ok("cat", name("one.jellyp"), two)
    assert capfd.readouterr().out == PATCH + "Z .\nA <urn:s> <urn:p> <urn:o> .\n"


# --- the process


def test_wrong_use_is_2_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    patch = put("x.rdfp", PATCH)
    for arguments in (
        ["convert", name("nowhere.rdfp"), name("out.jellyp")],
        ["convert", patch],
        ["convert", patch, name("nowhere/out.jellyp")],
        ["convert", patch, name("out.odd")],
        ["convert", patch, name("out.jellyp"), "--name-table-size", "3"],
        ["convert", patch, patch, patch],
        ["cat", "-"],
        ["cat", "-", "-", "--from-format", "nquads"],
        ["diff", patch, patch],
        ["convert", patch, name("."), "--to-format", "rdf-patch"],
        ["validate", patch, "--heap", "much"],
        ["validate", put(os.fsdecode(b"no Unicode \xff.rdfp"), PATCH)],
        ["sync", name("nowhere"), "--to", "mem:"],
        ["log", "append", name("."), "-"],
        ["log", "list", name("nowhere")],
        ["log", "fetch", name("."), "-o", "-"],
        ["log", "fetch", name("."), "-o", name("out.nq")],
    ):
        assert main(arguments) == 2, arguments
        assert capsys.readouterr().err.count("\n") == 1
    for arguments in (["odd"], ["convert"], ["apply", patch], ["validate", "--odd", patch], ["diff", patch],
                      ["validate", patch, "--max-faults", "-1"], ["log", "list", name("."), "--first", "9" * 20],
                      ["sync", name("."), "--to", "mem:", "--batch-rows", "9" * 20]):
        assert main(arguments) == 2
    assert not list(Path.cwd().glob("out*"))


def test_standard_input_and_output_make_a_pipe() -> None:
    into = command("convert", "-", "-", "--from-format", "rdf-patch", "--to-format", "jelly-patch", input=PATCH.encode())
    assert into.returncode == 0, into.stderr
    back = command("convert", "-", "-", "--from-format", "jelly-patch", "--to-format", "rdf-patch", input=into.stdout)
    assert back.returncode == 0 and back.stdout.decode() == PATCH
    wrong = command("convert", "-", "-", "--from-format", "jelly-patch", "--to-format", "rdf-patch", input=into.stdout[:-4])
    assert wrong.returncode == 1 and b"standard input" in wrong.stderr and wrong.stderr.count(b"\n") == 1


def test_an_output_is_never_put_in_the_place_of_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe.rdfp")
    os.symlink("pipe.rdfp", "link.rdfp")
    patch = put("x.rdfp", PATCH)
    for output in ("pipe.rdfp", "link.rdfp"):
        assert main(["convert", patch, name(output)]) == 2
        assert "pipe" in capsys.readouterr().err
    assert Path("pipe.rdfp").is_fifo() and Path("link.rdfp").is_symlink()
    assert len(list(Path.cwd().iterdir())) == 3


@pytest.mark.parametrize("output", ["o.jellyp", "o.jellyp.zst", "o.rdfp", "o.rdfp.gz", "o.trp", "o.trp.gz",
                                    "o.jelly", "o.jelly.gz", "o.nq", "o.nq.zst", "o.nt", "o.nt.gz"])
@pytest.mark.parametrize("rows", [200, 20_000])
def test_an_output_for_which_there_is_no_room_is_named_and_not_there(output: str, rows: int) -> None:
    """A short one is found not to fit when it is closed, a long one on the way."""
    lines = [f'<urn:{n}> <urn:p> "{hashlib.sha256(b"%d" % n).hexdigest()}" .' for n in range(rows)]
    if output.split(".")[1] in ("jellyp", "rdfp", "trp"):
        given = put("i.rdfp", "\n".join(["TX .", *(f"A {line}" for line in lines), "TC ."]))
    else:
        given = put("i.nt", "\n".join(lines))
    done = subprocess.run([sys.executable, "-m", "jellybridge", "convert", given, output], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000)), timeout=120)
    assert (done.returncode, done.stderr) == (1, f"jellybridge: can't write {output}: File too large\n")
    assert [file.name for file in Path.cwd().iterdir()] == [Path(given).name]


def test_files_may_be_named_by_urls() -> None:
    put("a b.rdfp", PATCH)
    given, output = Path("a b.rdfp").resolve().as_uri(), Path("c d.rdfp").resolve().as_uri()
    ok("convert", given, output)
    ok("convert", given, name("plain.rdfp"))
    assert "%20" in output and text("c d.rdfp") == text("plain.rdfp")
    ok("cat", given, "-o", output.replace("c%20d", "shown"))
    assert text("shown.rdfp") == text("plain.rdfp")


def test_an_output_on_another_computer_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    put("a.rdfp", PATCH)
    for output, said in (("https://example.org/b.rdfp", "https://example.org/b.rdfp is a URL, and a file is to be there"),
                         ("file://elsewhere/b.rdfp", "file://elsewhere/b.rdfp: the file is on another computer"),
                         ("file:///nowhere/b.rdfp", "/nowhere: there is no such folder")):
        assert main(["convert", "a.rdfp", output]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_report_that_can_not_be_written_is_an_error() -> None:
    put("x.rdfp", PATCH)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    for arguments in (["validate", "x.rdfp"], ["inspect", "x.rdfp"], ["cat", "x.rdfp"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, "-m", "jellybridge", *arguments],
                                  stdout=full, stderr=subprocess.PIPE, env=buffered, timeout=120)
        assert done.returncode == 1 and b"No space left" in done.stderr and done.stderr.count(b"\n") == 1, arguments


@pytest.mark.parametrize("name, arguments, said", [
    ("java.io.IOException", ["No space left on device"], "No space left on device"),
    ("java.io.FileNotFoundException", ["/l is no patch log"], "/l is no patch log"),
    ("java.lang.IllegalStateException", ["a step is missing"], "a step is missing"),
    ("java.nio.file.FileSystemException", ["/f", None, "Too many open files"], "/f: Too many open files"),
    ("java.nio.file.NoSuchFileException", ["/f"], "/f: there is no such file or folder"),
    ("java.lang.ArithmeticException", ["/ by zero"], "ArithmeticException: / by zero"),
])
def test_an_error_begins_with_the_name_of_a_class_only_where_that_tells_most(
    name: str, arguments: List[Any], said: str
) -> None:
    import jpype

    door = find_door()
    java = jpype.JClass(name)(*arguments)
    for thrown, of in ((java, name), (jpype.JClass("java.lang.RuntimeException")(java), "java.lang.RuntimeException")):
        with pytest.raises(jellybridge.JellybridgeError) as error, door.errors():
            raise thrown
        assert (str(error.value), error.value.java) == (said, of)


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="files have no limit")
@pytest.mark.parametrize("output", ["full.rdfp", "full.trp", "full.jellyp", "full.events"])
def test_a_file_that_can_not_be_written_is_named(output: str) -> None:
    put("large.rdfp", "".join(f"A <urn:s{number}> <urn:p> <urn:o{number * 7919}> .\n" for number in range(40_000)))
    done = subprocess.run(["sh", "-c", f'ulimit -f 256; "$0" -m jellybridge convert large.rdfp {output}', sys.executable],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    assert re.fullmatch(rf"jellybridge: can't write \S*{re.escape(output)}: File too large\n", done.stderr), done.stderr


def test_a_closed_output_is_no_crash() -> None:
    put("x.rdfp", PATCH)
    line = '"$0" -m jellybridge "$@" >&-'
    for arguments, status in (
        (["convert", "x.rdfp", "out.jellyp"], 0),
        (["convert", "x.rdfp", "-", "--to-format", "jelly-patch"], 2),
        (["cat", "x.rdfp"], 2),
        (["publish", name("x.nt"), "--to", "mem:", "--patch", "-"], 2),
        (["log", "history", name("log"), "--subject", "urn:s"], 2),
    ):
        done = subprocess.run(["sh", "-c", line, sys.executable, *arguments], stderr=subprocess.PIPE, timeout=120)
        assert (done.returncode, done.stderr.count(b"\n")) == (status, 1 if status else 0), (arguments, done.stderr)
    assert Path("out.jellyp").exists()
    line = '"$0" -m jellybridge publish "$1" --to "$2" 2>&-'
    done = subprocess.run(["sh", "-c", line, sys.executable, put("x.nt", TRIPLES), f"tdb2:{name('store')}"], stdout=subprocess.PIPE, timeout=120)
    assert done.returncode == 0 and b"changed" in done.stdout


def test_the_jvm_keeps_the_locale_and_finds_names_that_are_not_ascii() -> None:
    put("größe.rdfp", PATCH)
    code = ("import locale, jellybridge; before = locale.setlocale(locale.LC_ALL); jellybridge.convert('größe.rdfp', 'more.jellyp')\n"
            "assert locale.setlocale(locale.LC_ALL) == before, before")
    for of_environment in ("C", "C.UTF-8"):
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "LC_ALL": of_environment}, check=True)


def test_a_file_has_one_role(capsys: pytest.CaptureFixture[str]) -> None:
    put("x.nt", TRIPLES)
    put("shapes.ttl", "")
    Path("link.nt").symlink_to("x.nt")
    for line in (
        ["convert", name("x.nt"), name("out.nq"), "--bad-statements", name("out.nq")],
        ["publish", name("x.nt"), "--to", "mem:", "--bad-statements", name("link.nt")],
        ["publish", "--graph-file", "urn:g", name("x.nt"), "--to", "mem:", "--patch", Path("x.nt").resolve().as_uri()],
        ["publish", name("x.nt"), "--to", "mem:", "--shapes", name("shapes.ttl"), "--shapes-report", name("shapes.ttl")],
        ["patch", "merge", name("x.nt"), name("x.nt"), name("x.nt"), "-o", name("m.rdfp"), "--conflicts", name("m.rdfp")],
    ):
        assert main(line) == 2
        assert "give them files of their own" in capsys.readouterr().err
    assert text("x.nt") == TRIPLES and not Path("out.nq").exists() and not Path("m.rdfp").exists()


def test_an_age_before_the_first_year_is_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "history", name("log"), "--subject", "urn:s", "--since", "999999d"]) == 2
    assert "999999d is no time" in capsys.readouterr().err


def test_java_that_can_not_start_is_one_sentence() -> None:
    put("x.rdfp", PATCH)
    done = command("validate", "x.rdfp", env={**os.environ, "JELLYBRIDGE_HEAP": "much"})
    assert done.returncode == 1 and b"JELLYBRIDGE_HEAP" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize("limit", [1_150_000, 2_147_483_647])
def test_options_are_looked_for_in_a_large_first_frame_of_standard_input_too(limit: int) -> None:
    long = "".join(f'<urn:s> <urn:p> "{letter * 1_100_000}" .\n' for letter in "abc")
    ok("convert", put("long.nq", long), name("long.jelly"))
    converted = command("convert", "-", name("again.jelly"), "--from-format", "jelly", "--max-frame-bytes", str(limit),
                        input=Path("long.jelly").read_bytes())
    assert (converted.returncode, converted.stderr) == (0, b"")
    ok("convert", name("again.jelly"), name("again.nq"))
    assert text("again.nq") == long


def test_a_reader_that_goes_away_ends_the_command_without_a_word() -> None:
    make_large_patch.write("big.rdfp", 3_000_000)
    process = subprocess.Popen([sys.executable, "-m", "jellybridge", "cat", "big.rdfp"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == -signal.SIGPIPE


def test_an_interrupted_computation_ends_at_once_and_leaves_no_temporary_file(here: Path) -> None:
    temporary = here / "temporary"
    temporary.mkdir()
    make_large_patch.write("big.rdfp", 30_000_000)
    process = subprocess.Popen([sys.executable, "-m", "jellybridge", "patch", "squash", "big.rdfp"],
                               env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + 30
    while not any(temporary.rglob("jellybridge-*/*")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=5)[1] == b"jellybridge: interrupted\n"
    assert process.returncode == 130 and not any(temporary.iterdir())


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("blocked", [True, False])
def test_an_interrupted_command_leaves_no_output(number: int, status: int, blocked: bool, here: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "jellybridge", "convert", "-", str(here / "out.rdfp"), "--from-format", "rdf-patch"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stderr is not None
    end = time.monotonic() + 30
    while not any(here.iterdir()) and time.monotonic() < end:
        if not blocked:
            process.stdin.write(PATCH.encode() * 100)
        time.sleep(0.01)
    assert any(here.iterdir())
    process.send_signal(number)
    if not blocked:
        with pytest.raises(BrokenPipeError):
            while True:
                process.stdin.write(PATCH.encode() * 1000)
    assert process.wait(30) == status
    assert process.stderr.read().count(b"\n") == 1
    process.stderr.close()
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert list(here.iterdir()) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc for the JVM")
@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_while_the_jvm_starts_ends_the_command_in_order(number: int, status: int, here: Path) -> None:
    for milliseconds in (0, 50, 100, 150, 200, 300, 450):
        process = subprocess.Popen([sys.executable, "-m", "jellybridge", "convert", "-", "out.rdfp", "--from-format", "rdf-patch"],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdin is not None and process.stderr is not None
        end = time.monotonic() + 30
        while "libjvm" not in Path(f"/proc/{process.pid}/maps").read_text() and time.monotonic() < end:
            time.sleep(0.002)
        time.sleep(milliseconds / 1000)
        process.send_signal(number)
        assert process.wait(30) == status, milliseconds
        assert process.stderr.read().count(b"\n") == 1
        process.stdin.close()
        process.stderr.close()
        assert list(here.iterdir()) == []


def test_options_stand_before_among_and_after_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("query --to-format=csv mem: --timeout 9 ASK{} --quiet", "query mem: --to-format csv ASK{}",
                 "query mem: ASK{} --to-format csv", "query --to-format csv -- mem: ASK{}", "query mem: --to-format csv -- ASK{}"):
        assert main(line.split()) == 0, line
        assert capsys.readouterr().out == "true\n"
    ok("convert", put("a b.nt", "<urn:s> <urn:p> <urn:o> .\n"), "--frame-rows", "5", name("b.jelly"), "--no-delimited")
    assert Path("b.jelly").exists()
    assert main(["query", "mem:", "--to-format"]) == 2
    assert "--to-format: expected one argument" in capsys.readouterr().err
    for line in ("convert a.nt -vo b.jelly", "convert -vob.jelly a.nt", "cat a.nt -vvo b.jelly", "cat -vo=b.jelly -o b.jelly a.nt"):
        given = _parser().parse_args(line.split())
        assert (given.inputs, given.output) == (["a.nt"], "b.jelly"), line


@pytest.mark.parametrize("arguments, said", [
    ("convrt a b", "convrt is no command: convert, cat, inspect, validate, apply, sync, publish, diff, report, load, "
                   "dump, query, update, compact, status, serve, completion, patch, log; did you mean convert? See jellybridge --help"),
    ("log chek x", "chek is no command: create, list, show, diff, history, revert, restore, append, fetch, compact, "
                   "objects, checkpoint, state, prune, verify, adopt, check, repair; did you mean check? See jellybridge log --help"),
    ("revert x 1", "revert is a command of log: jellybridge log revert; see jellybridge --help"),
    ("squash x", "squash is a command of patch: jellybridge patch squash; see jellybridge --help"),
    ("capture x", "capture is no command: Dataset.capture in Python records what a program changes, and a Fuseki with our module what its "
                  "clients change; see jellybridge --help"),
    ("convert a b --outptu=c", "there is no option --outptu; did you mean --output? See jellybridge convert --help"),
    ("apply a --to mem: b --stric", "there is no option --stric; did you mean --strict? See jellybridge apply --help"),
    ("convert a b --from-format jelly-pach", "jelly-pach is no value of --from-format: jelly-patch, rdf-patch, thrift, jelly, nquads, "
                                      "ntriples, turtle, trig, rdfxml, jsonld, n3, rdfjson, trix; did you mean jelly-patch? "
                                      "See jellybridge convert --help"),
    ("convert a - --to nquads", "there is no option --to; did you mean --to-format? See jellybridge convert --help"),
    ("log fetch l -o x --on-error 3", "3 is no value of --on-error: stop, quarantine; see jellybridge log fetch --help"),
    ("diff a b c", "c is one argument too many; see jellybridge diff --help"),
    ("diff a", "the following arguments are required: NEW; see jellybridge diff --help"),
    ("publish a.nt --to mem: --author ada", "--author needs --log LOG"),
    ("publish a.nt --to mem: --log-user me", "--log-user needs --log LOG"),
    ("status mem: --log-user me", "--log-user needs LOG"),
    ("log verify log --dataset-user me", "--dataset-user needs --dataset DATASET"),
    ("sync . --to mem: --log-user me",
     "--source-user and its like are of a log on a server, and SOURCE is here: leave them out"),
    ("publish a.nt --to mem: --shapes-report r", "--shapes-report needs --shapes FILE"),
    ("log create other --base urn:b", "--base needs --state FILE"),
    ("convert a.nt b.nq --max-bad 1", "--max-bad needs --bad-statements FILE"),
    ("publish a.nt --to mem: --max-delete x", "--max-delete x: must be a number of quads, or a share of them from 0% to 100%"),
    ("publish ./a.nt --to mem: --allow-empty a.nt", "--allow-empty a.nt: no file and no graph is published that is written so"),
    ("log fetch log --first 3 --last 2 -o x.rdfp", "--first 3 is after --last 2"),
    ("sync . --to mem: --follow --poll 0", "--poll 0: must be above 0"),
    ("sync . --to mem: --batch-rows 0", "--batch-rows 0: must be greater than 0"),
    ("log compact log --max-bytes 0", "--max-bytes 0: must be at least 1"),
    ("log show log 0", "VERSION 0: must be at least 1"),
    ("log show log -1", "argument VERSION: -1 is no version; see jellybridge log show --help"),
    ("log diff log -1", "argument OLD: -1 is no version; see jellybridge log diff --help"),
    ("status mem: --key x", "--key x: must be an IRI such as https://example.org/book, with or without < >"),
    ("publish a.nt --to mem: --graph x", "--graph x: must be an IRI such as https://example.org/book, with or without < >"),
    ("load a.nt --to mem: --user me",
     "mem: asks for no login, and has no options: leave out user (--user) and the others, which are of servers"),
])
def test_wrong_use_is_one_line_that_says_what_was_meant(
    arguments: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("a.nt", "<urn:s> <urn:p> <urn:o> .\n")
    jellybridge.PatchLog.create("log").close()
    assert main(arguments.split()) == 2
    assert capsys.readouterr().err == f"jellybridge: {said}\n"


def test_a_login_for_a_folder_names_the_option_of_the_other_server(capsys: pytest.CaptureFixture[str]) -> None:
    put("a.nt", "<urn:s> <urn:p> <urn:o> .\n")
    jellybridge.PatchLog.create("log").close()
    for line, said in (("log restore log 0 --to http://localhost:1/ds --user me", "of servers; --dataset-user is for the dataset"),
                       ("publish a.nt --to mem: --log log --log-user me", "asks for no login, and has no options: leave out --log-user")):
        assert main(line.split()) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("line, stream, painted", [
    (("convert", "--help"), "stdout", b"\x1b[1moptions:\x1b[0m"), (("validate", "bad.nq"), "stdout", b"\x1b[31merror:\x1b[0m"),
    (("validate", "good.nq"), "stdout", b": \x1b[32mvalid\x1b[0m"), (("convert", "none.nq", "x.jelly"), "stderr", b"\x1b[31mjellybridge:\x1b[0m"),
    (("publish", "good.nq", "--to", "mem:", "--patch", "-"), "stdout", b"\x1b[32mA <urn:s> <urn:p> <urn:o> .\x1b[0m"),
])
def test_a_terminal_has_colours_and_nothing_else_does(
    line: Tuple[str, ...], stream: str, painted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("bad.nq", "rubbish\n")
    put("good.nq", "<urn:s> <urn:p> <urn:o> .\n")
    call = [sys.executable, "-m", "jellybridge", *line]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert painted in shown_on_a_terminal(call, stream)[1]
    piped = command(*line)
    assert b"\x1b" not in piped.stdout + piped.stderr
    if line == ("convert", "--help"):
        for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
            with monkeypatch.context() as other:
                other.setenv(name, value)
                assert b"\x1b" not in shown_on_a_terminal(call, stream)[1], name


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_work_without_rows_shows_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert _progress.timed("compact", True, lambda: time.sleep(0.6)) is None
    assert "\rcompact  0 s\x1b[K" in sys.stderr.getvalue()  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "stderr", Terminal())
    _progress.timed("compact", False, lambda: time.sleep(0.6))
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_a_notebook_shows_one_line_that_is_cleared_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: List[str] = []

    class Handle:
        def update(self, data: Dict[str, str], raw: bool) -> None:
            shown.append(data["text/plain"])

    def display(data: Dict[str, str], raw: bool, display_id: bool) -> Handle:
        shown.append("new: " + data["text/plain"])
        return Handle()

    def run(shell: object, progress: bool) -> List[str]:
        shown.clear()
        notebook = SimpleNamespace(get_ipython=lambda: shell, display=SimpleNamespace(display=display))
        monkeypatch.setitem(sys.modules, "IPython", notebook)  # type: ignore[arg-type]
        _progress.timed("compact", progress, lambda: time.sleep(0.6))
        return shown

    lines = run(SimpleNamespace(kernel=1), True)
    assert (lines[0], lines[-1]) == ("new: compact  0 s", "") and not any(line.startswith("new") for line in lines[1:])
    assert run(SimpleNamespace(kernel=1), False) == []
    assert run(SimpleNamespace(), True) == run(None, True) == []


def test_a_bar_names_the_phase_and_says_what_is_left_of_it() -> None:
    bar = _progress.ProgressBar(Terminal(), "publish", None)
    assert bar._line(0, 0, 0, 1, "compare", 0) == "publish: compare  1 s"
    assert bar._line(0, 0, 5000, 2, "compare", 0) == "publish: compare  5,000 rows"
    assert bar._line(0, 0, 0, 4, "apply", 200) == "publish: apply  4 s"
    assert bar._line(0, 50, 0, 5, "apply", 200) == "publish: apply   25% [######------------------] 50 rows, 50 rows/s, 3 s left"
    assert bar._line(0, 50, 0, 7, "verify", 0) == "publish: verify  7 s"


@pytest.mark.parametrize("line, shown", [
    (("convert", "big.rdfp", "big.jellyp"), b"% [#"),
    pytest.param(("apply", "big.jellyp", "--to", "mem:"), b"big.jellyp  checks, ", marks=pytest.mark.full("long")),
])
def test_progress_is_drawn_on_a_terminal_only(line: Tuple[str, ...], shown: bytes) -> None:
    make_large_patch.write("big.rdfp", 60_000_000)
    put("big.rdfp", text("big.rdfp").replace("\nD ", "\nA "))  # apply says of deletions that nothing was deleted
    ok("convert", name("big.rdfp"), name("big.jellyp"))
    status, drawn = shown_on_a_terminal([sys.executable, "-m", "jellybridge", *line], "stderr")
    assert status == 0
    assert shown in drawn and b"rows" in drawn and drawn.endswith(b"\r\x1b[K")
    assert command(*line).stderr == b""


@pytest.mark.skipif("JELLYBRIDGE_SLOW" not in os.environ, reason="takes minutes and 4 GB of disk; set JELLYBRIDGE_SLOW")
def test_a_patch_of_1_GB_is_converted_and_validated_in_a_jvm_of_512_MB() -> None:
    make_large_patch.write("big.rdfp", 1_350_000_000)
    for arguments in (["convert", "big.rdfp", "big.jellyp"], ["validate", "big.rdfp"], ["validate", "big.jellyp"],
                      ["convert", "big.jellyp", "again.rdfp"]):
        done = subprocess.run([sys.executable, "-m", "jellybridge", *arguments, "--heap", "512m"], capture_output=True)
        assert done.returncode == 0, done.stderr
    assert Path("big.jellyp").stat().st_size > 1_000_000_000
    assert subprocess.run(["cmp", "big.rdfp", "again.rdfp"]).returncode == 0


@pytest.mark.full("long")
def test_real_releases_come_back_from_every_format(shared_dir: Path) -> None:
    for release in sorted((shared_dir / "data" / "schemaorg").glob("2[78].*.gz")):
        kind = "nq" if release.name.endswith(".nq.gz") else "nt"
        ok("convert", str(release), name("a.jelly"))
        ok("convert", name("a.jelly"), name("b.nq.zst"))
        ok("diff", put("empty.nq", ""), name("b.nq.zst"), "-o", name("c.jellyp"))
        ok("convert", name("c.jellyp"), name("d.trp"))
        ok("convert", name("d.trp"), name("e.rdfp.gz"))
        store = "tdb2:" + name(release.name + ".db")
        ok("apply", name("e.rdfp.gz"), "--to", store)
        with jellybridge.Dataset.open(store) as dataset:
            dataset.dump("f." + kind)
        assert statements(name("f." + kind)) == statements(str(release))


def statements(file: str) -> Set[str]:
    ok("convert", file, name("statements.events"))
    return set(text("statements.events").splitlines())
