"""Makes the project's conformance suite: ``patch/*.jellyp``, ``rdf/*.jelly``, and ``cases.tsv``, their expectations.

Usage: make_vectors.py [FOLDER]     (``tests/conformance``, unless told otherwise)

Every case is checked against protobuf first: what is not about damaged bytes must parse, and damaged bytes must not.
The columns of ``cases.tsv``: case_id, kind, category, input, options, expected, frames, statements, features, upstream,
note. ``options`` holds the rows in shorthand. ``expected`` is ``EVENTS: ``, the events with `` ⏎ `` between them;
``ERROR `` and the rule that the error names; ``EITHER ERROR rule OR EVENTS: …``; or the name of a file of events.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict, List, Tuple

from google.protobuf.message import DecodeError

import cases_checksum  # noqa: F401  fills CASES
import cases_rdf  # noqa: F401  fills CASES
import cases_restart  # noqa: F401  fills CASES
import cases_rows  # noqa: F401  fills CASES
import cases_stream  # noqa: F401  fills CASES
from random_streams import RANDOM_STREAMS, RandomStream
from vector_case import CASES, OWN_RULES, Case
from vector_rows import patch, rdf, split_delimited

COLUMNS = (
    "case_id", "kind", "category", "input", "options", "expected", "frames", "statements", "features", "upstream",
    "note",
)
_MAX_SHORTHAND = 300
_DAMAGE = ("P-125", "R-92")
# Broken at the level of bytes though the rule is about sizes: the frame that is claimed is not there.
_CUT_SHORT = ("P-126l", "P-126m")
# Whole bytes though the rule is about damage: what is cut off is the end of a graph.
_WHOLE = ("R-92k", "R-92l")


def files() -> Dict[str, bytes]:
    """All files, by their path in the folder."""
    made: Dict[str, bytes] = {}
    lines = ["\t".join(COLUMNS)]
    for case in sorted(CASES, key=_place):
        _check_with_protobuf(case)
        made[_file(case)] = case.data
        lines.append(_line(case))
    for stream in map(RandomStream, RANDOM_STREAMS):
        made[f"patch/{stream.id}.jellyp"] = stream.data
        made[f"patch/{stream.id}.events.txt"] = "".join(f"{event}\n" for event in stream.events).encode()
        lines.append(_random_line(stream))
    ids = [line.split("\t")[0] for line in lines]
    assert len(set(ids)) == len(ids), "two cases have one id"
    made["cases.tsv"] = "".join(f"{line}\n" for line in lines).encode()
    return made


def _place(case: Case) -> Tuple[object, ...]:
    rule = 1000 + OWN_RULES.index(case.rule) if case.rule in OWN_RULES else int(case.rule[2:])
    return case.is_rdf, rule, len(case.id), case.id


def _file(case: Case) -> str:
    return f"rdf/{case.id}.jelly" if case.is_rdf else f"patch/{case.id}.jellyp"


def _check_with_protobuf(case: Case) -> None:
    expected = case.id in _WHOLE or case.rule not in _DAMAGE and case.id not in _CUT_SHORT
    if _is_protobuf(case) != expected:
        raise SystemExit(f"{case.id}: protobuf {'does not parse' if expected else 'parses'} its frames")


def _is_protobuf(case: Case) -> bool:
    try:
        frames = [case.data] if case.notation.endswith("[non-delimited]") else split_delimited(case.data)
        for frame in frames:
            (rdf.RdfStreamFrame if case.is_rdf else patch.RdfPatchFrame).FromString(frame)
    except (DecodeError, ValueError):
        return False
    return True


def _line(case: Case) -> str:
    events = f"EVENTS: {' ⏎ '.join(case.events)}"
    either = f"EITHER ERROR {case.error} OR {events}"
    expected = {"accept": events, "reject": f"ERROR {case.error}", "either": either, **dict.fromkeys(OWN_RULES, either)}
    shorthand = case.notation
    if len(shorthand) > _MAX_SHORTHAND:
        shorthand = f"{shorthand[:_MAX_SHORTHAND]}…"
    format = "rdf" if case.is_rdf else "patch"
    features = f"rule {case.rule}" + (" level MUST" if case.kind == "either" else "")
    return _cells(
        f"own/{case.id}", f"{format}-vector-{case.kind}", f"vector_{format}", _file(case), shorthand,
        expected[case.kind], "", "", features, "own", case.sentence,
    )


def _random_line(stream: RandomStream) -> str:
    return _cells(
        f"own/{stream.id}", "patch-from-jellyp-pos", "random_jellyp", f"patch/{stream.id}.jellyp", stream.settings,
        f"patch/{stream.id}.events.txt", str(stream.frames), str(stream.statements), "random", "own",
        "Random rows, written by a naive encoder over protobuf.",
    )


def _cells(*cells: str) -> str:
    assert len(cells) == len(COLUMNS) and not any("\t" in cell or "\n" in cell for cell in cells), cells
    return "\t".join(cells)


def main(arguments: List[str]) -> None:
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1] / "conformance"
    made = files()
    for part in ("patch", "rdf"):
        (folder / part).mkdir(parents=True, exist_ok=True)
        for old in (folder / part).iterdir():
            if f"{part}/{old.name}" not in made:
                old.unlink()
    for name, data in made.items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1:])
