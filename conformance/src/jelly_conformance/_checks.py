"""What is done for each kind of case, and how the result is judged."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Callable, Dict, List, Optional

from ._cases import Case
from ._options import PHYSICAL_TYPE, TRIPLES, options_of
from ._outcome import Outcome
from ._subject import Refused, Subject, Untested
from .comparison import END_OF_FRAME, END_OF_PATCH, Event, difference, event, events, patch_text, statements

_RULE = re.compile(r"^(?:EITHER )?ERROR ([PR]-\d+|restart|checksum)")
_INLINE = "EVENTS:"
_WITHOUT_LAST_END = "no --- at the end"
_FRAME_ROWS = (1, 5, 10, 100, 1000)


def check(case: Case, subject: Subject) -> Outcome:
    """Runs a case."""
    run = _KINDS.get(case.kind)
    if run is None:
        return Outcome(case, f"no such kind of case: {case.kind}")
    missing = [str(file) for file in case.inputs if not file.is_file()]
    if missing:
        return Outcome(case, f"no such file: {missing[0]}")
    try:
        return Outcome(case, run(case, subject))
    except Untested as e:
        return Outcome(case, untested=str(e))
    except (Refused, OSError, ValueError) as e:
        return Outcome(case, str(e))


def _events(subject: Subject, file: Path) -> List[Event]:
    return events(subject.events(file).split("\n"))


def _frames(subject: Subject, file: Path, strict: bool = False) -> List[Event]:
    """The events of a Jelly-RDF file, with :data:`END_OF_FRAME` after each frame."""
    lines = subject.events(file, strict).split("\n")[:-1]
    return [event(line) if line else END_OF_FRAME for line in lines]


def _frames_differ(expected: List[Event], found: List[Event]) -> Optional[str]:
    """Where frames part; where the subject can't tell them, their statements count."""
    if END_OF_FRAME not in found:
        expected = [statement for statement in expected if statement != END_OF_FRAME]
    return difference(expected, found)


def expected_events(case: Case) -> List[Event]:
    """The events that the case's table, or the file that it names, expects."""
    _, inline, found = case.expected.partition(_INLINE)
    if inline:
        return events(found.split(" ⏎ "))
    lines = (case.folder / case.expected.split(" ")[0]).read_text(encoding="utf-8").split("\n")
    return events(lines) + ([END_OF_PATCH] if _WITHOUT_LAST_END in case.expected else [])


def _expected_frames(files: List[Path], quads: bool) -> List[Event]:
    return [
        found for file in files for found in [*statements(file.read_text(encoding="utf-8"), quads), END_OF_FRAME]
    ]


# --- one stream, and which events it holds


def _accept(case: Case, subject: Subject) -> Optional[str]:
    return difference(expected_events(case), _events(subject, case.inputs[0]))


def _reject(case: Case, subject: Subject) -> Optional[str]:
    try:
        found = _events(subject, case.inputs[0])
    except Refused as e:
        rule = _RULE.match(case.expected)
        if rule is None or e.rule is None or rule[1] == e.rule:
            return None
        return f"expected an error by rule {rule[1]}, found {e}"
    return f"expected an error, found {len(found)} events"


def _either(case: Case, subject: Subject) -> Optional[str]:
    try:
        found = _events(subject, case.inputs[0])
    except Refused:
        return None
    return difference(expected_events(case), found)


# --- Jelly-RDF, frame by frame


def _is_quads(file: Path) -> bool:
    return options_of(file.read_bytes()).get(PHYSICAL_TYPE) != TRIPLES


def _from_jelly(case: Case, subject: Subject) -> Optional[str]:
    file = case.inputs[0]
    return _frames_differ(_expected_frames(case.expected_files(), _is_quads(file)), _frames(subject, file))


def _to_jelly(case: Case, subject: Subject) -> Optional[str]:
    options = options_of(case.inputs[0].read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        written = _written(case, subject, Path(folder))
        found = options_of(written.read_bytes())
        if found != options:
            return f"expected the options {options}, found {found}"
        expected = _expected_frames(case.inputs[1:], _is_quads(written))
        return _frames_differ(expected, _frames(subject, written, strict=True))


def _to_jelly_refused(case: Case, subject: Subject) -> Optional[str]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            _written(case, subject, Path(folder))
        except Refused:
            return None
    return "expected an error, but the file was written"


def _written(case: Case, subject: Subject, folder: Path) -> Path:
    options, *files = case.inputs
    target = folder / "written.jelly"
    quads = _is_quads(options)
    subject.write_rdf(options, [statements(file.read_text(encoding="utf-8"), quads) for file in files], target)
    return target


# --- Jelly-RDF, as a whole


def _dataset(case: Case, subject: Subject) -> Optional[str]:
    file, rdf_file = case.inputs[0], case.folder / case.expected.split(" ")[0]
    if not subject.is_dataset(file, rdf_file):
        return f"it is not the dataset of {rdf_file.name}"
    declared = re.search(r"; (\d+) namespace declarations", case.expected)
    expected = int(declared[1]) if declared else 0
    found = sum(found[0] == "NS" for found in _events(subject, file))
    return None if found == expected else f"expected {expected} namespace declarations, found {found}"


def _metadata(case: Case, subject: Subject) -> Optional[str]:
    counts = [0]
    for found in _frames(subject, case.inputs[0]):
        if found == END_OF_FRAME:
            counts.append(0)
        else:
            counts[-1] += 1
    metadata = [
        "{" + ",".join(f"{key}:{value.hex()}" for key, value in frame.items()) + "}"
        for frame in subject.metadata(case.inputs[0])
    ]
    shown = f"frame statement counts {','.join(map(str, counts[:-1]))}; frame metadata {','.join(metadata)}"
    return None if shown == case.expected else f"expected {case.expected}, found {shown}"


# --- RDF Patch text through Jelly-Patch


def _round_trip(case: Case, subject: Subject) -> Optional[str]:
    file = case.inputs[0]
    text = file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "written.jellyp"
        for statement_type in ("TRIPLES", "QUADS"):
            expected = patch_text(text, quads=statement_type == "QUADS")
            for stream_type in ("FRAME", "FLAT", "PUNCTUATED"):
                for frame_rows, delimited in [*((rows, True) for rows in _FRAME_ROWS), (max(_FRAME_ROWS), False)]:
                    subject.write_patch(file, written, stream_type, statement_type, frame_rows, delimited)
                    rows = events(subject.events(written, strict=True).split("\n"))
                    problem = difference(expected, [row for row in rows if row != END_OF_PATCH])
                    if problem:
                        kind = f"{stream_type}, {statement_type}, frames of {frame_rows} rows, delimited={delimited}"
                        return f"{kind}: {problem}"
    return None


_KINDS: Dict[str, Callable[[Case, Subject], Optional[str]]] = {
    "patch-from-jellyp-pos": _accept,
    "patch-vector-accept": _accept,
    "patch-vector-reject": _reject,
    "patch-vector-either": _either,
    "patch-vector-restart": _either,
    "patch-vector-checksum": _either,
    "patch-roundtrip": _round_trip,
    "rdf-vector-accept": _accept,
    "rdf-vector-reject": _reject,
    "rdf-vector-either": _either,
    "rdf-vector-restart": _either,
    "rdf-vector-checksum": _either,
    "rdf-from-jelly-pos": _from_jelly,
    "rdf-from-jelly-neg": _reject,
    "rdf-to-jelly-pos": _to_jelly,
    "rdf-to-jelly-neg": _to_jelly_refused,
    "rdf-backcompat-pos": _dataset,
    "rdf-sample-pos": _dataset,
    "rdf-metadata-pos": _metadata,
}
