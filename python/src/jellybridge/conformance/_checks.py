"""What is done for each kind of case, and how the result is judged."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

from .._doors import find_door
from .._errors import PatchFormatError
from ._cases import Case
from ._lines import END_OF_FRAME, END_OF_PATCH, Event, difference, event, events, patch_text, statements

_ENTRY_POINTS = "io.jellybridge.conformance.Conformance"
_RULE = re.compile(r"^(?:EITHER )?ERROR ([PR]-\d+)")
_INLINE = "EVENTS:"
_WITHOUT_LAST_END = "no --- at the end"
_FRAME_ROWS = (1, 5, 10, 100, 1000)


def check(case: Case) -> Optional[str]:
    """Runs a case; what is wrong, or ``None`` where nothing is."""
    run = _KINDS.get(case.kind)
    if run is None:
        return f"no such kind of case: {case.kind}"
    missing = [str(file) for file in case.inputs if not file.is_file()]
    if missing:
        return f"no such file: {missing[0]}"
    try:
        return run(case)
    except (PatchFormatError, OSError) as e:
        return str(e)


def _java() -> Any:
    return find_door().java_class(_ENTRY_POINTS)


def _text(java_bytes: Any) -> str:
    return bytes(java_bytes).decode()


def _patch_events(file: Path) -> List[Event]:
    with find_door().errors():
        return events(_text(_java().patchEvents(str(file), False)).split("\n"))


def _rdf_frames(file: Path, strict: bool = False) -> List[Event]:
    """The events of a Jelly-RDF file, with :data:`END_OF_FRAME` after each frame."""
    with find_door().errors():
        lines = _text(_java().rdfEvents(str(file), strict)).split("\n")[:-1]
    return [event(line) if line else END_OF_FRAME for line in lines]


def _rdf_events(file: Path) -> List[Event]:
    return [found for found in _rdf_frames(file) if found != END_OF_FRAME]


def _options(file: Path) -> Any:
    with find_door().errors():
        return _java().rdfOptions(str(file))


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

Read = Callable[[Path], List[Event]]


def _accept(read: Read) -> Callable[[Case], Optional[str]]:
    return lambda case: difference(expected_events(case), read(case.inputs[0]))


def _reject(read: Read) -> Callable[[Case], Optional[str]]:
    def run(case: Case) -> Optional[str]:
        try:
            found = read(case.inputs[0])
        except PatchFormatError as e:
            rule = _RULE.match(case.expected)
            return None if rule is None or rule[1] == e.rule else f"expected an error by rule {rule[1]}, found {e}"
        return f"expected an error, found {len(found)} events"

    return run


def _either(read: Read) -> Callable[[Case], Optional[str]]:
    def run(case: Case) -> Optional[str]:
        try:
            found = read(case.inputs[0])
        except PatchFormatError:
            return None
        return difference(expected_events(case), found)

    return run


# --- Jelly-RDF, frame by frame


def _from_jelly(case: Case) -> Optional[str]:
    file = case.inputs[0]
    return difference(_expected_frames(case.expected_files(), _is_quads(_options(file))), _rdf_frames(file))


def _is_quads(options: Any) -> bool:
    return str(options.physicalType().name()) != "TRIPLES"


def _to_jelly(case: Case) -> Optional[str]:
    options = _options(case.inputs[0])
    expected = _expected_frames(case.inputs[1:], _is_quads(options))
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "written.jelly"
        _write(written, options, case.inputs[1:])
        found = _options(written)
        if not found.equals(options):
            return f"expected the options {options}, found {found}"
        return difference(expected, _rdf_frames(written, strict=True))


def _to_jelly_refused(case: Case) -> Optional[str]:
    options = _options(case.inputs[0])
    with tempfile.TemporaryDirectory() as folder:
        try:
            _write(Path(folder) / "written.jelly", options, case.inputs[1:])
        except PatchFormatError:
            return None
    return "expected an error, but the file was written"


def _write(target: Path, options: Any, frames: List[Path]) -> None:
    with find_door().errors():
        writer = _java().writeRdf(str(target), options)
        try:
            for frame in frames:
                for found in statements(frame.read_text(encoding="utf-8"), _is_quads(options)):
                    terms = [_n_triples(term) for term in found[2:]]
                    writer.statement(*terms, *([None] if len(terms) == 3 else []))
                writer.endFrame()
        finally:
            writer.close()


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _n_triples(term: Any) -> Optional[str]:
    """A term as text; ``None`` for the default graph."""
    kind, *parts = term
    if kind == "iri":
        return f"<{parts[0]}>"
    if kind == "blank node":
        return f"_:{parts[0]}"
    if kind == "triple":
        return f"<< {' '.join(str(_n_triples(part)) for part in parts)} >>"
    if kind != "literal":
        return None
    text, language, datatype = parts
    suffix = f"@{language}" if language else f"^^<{datatype}>" if datatype else ""
    return f'"{"".join(_ESCAPES.get(c, c) for c in text)}"{suffix}'


# --- Jelly-RDF, as a whole


def _dataset(case: Case) -> Optional[str]:
    file, rdf_file = case.inputs[0], case.folder / case.expected.split(" ")[0]
    with find_door().errors():
        if not _java().isDataset(str(file), str(rdf_file)):
            return f"it is not the dataset of {rdf_file.name}"
    declared = re.search(r"; (\d+) namespace declarations", case.expected)
    expected = int(declared[1]) if declared else 0
    found = sum(found[0] == "NS" for found in _rdf_events(file))
    return None if found == expected else f"expected {expected} namespace declarations, found {found}"


def _metadata(case: Case) -> Optional[str]:
    counts = [0]
    for found in _rdf_frames(case.inputs[0]):
        if found == END_OF_FRAME:
            counts.append(0)
        else:
            counts[-1] += 1
    with find_door().errors():
        metadata = str(_java().rdfMetadata(str(case.inputs[0]))).split("\n")[:-1]
    shown = f"frame statement counts {','.join(map(str, counts[:-1]))}; frame metadata {','.join(metadata)}"
    return None if shown == case.expected else f"expected {case.expected}, found {shown}"


# --- RDF Patch text through Jelly-Patch


def _round_trip(case: Case) -> Optional[str]:
    text = case.inputs[0].read_text(encoding="utf-8")
    for statement_type in ("TRIPLES", "QUADS"):
        expected = patch_text(text, quads=statement_type == "QUADS")
        for stream_type in ("FRAME", "FLAT", "PUNCTUATED"):
            for frame_rows, delimited in [*((rows, True) for rows in _FRAME_ROWS), (max(_FRAME_ROWS), False)]:
                with find_door().errors():
                    lines = _java().patchRoundTrip(
                        str(case.inputs[0]), stream_type, statement_type, frame_rows, delimited
                    )
                found = [row for row in events(_text(lines).split("\n")) if row != END_OF_PATCH]
                problem = difference(expected, found)
                if problem:
                    kind = f"{stream_type}, {statement_type}, frames of {frame_rows} rows, delimited={delimited}"
                    return f"{kind}: {problem}"
    return None


_KINDS: Dict[str, Callable[[Case], Optional[str]]] = {
    "patch-from-jellyp-pos": _accept(_patch_events),
    "patch-vector-accept": _accept(_patch_events),
    "patch-vector-reject": _reject(_patch_events),
    "patch-vector-either": _either(_patch_events),
    "patch-roundtrip": _round_trip,
    "rdf-vector-accept": _accept(_rdf_events),
    "rdf-vector-reject": _reject(_rdf_events),
    "rdf-vector-either": _either(_rdf_events),
    "rdf-from-jelly-pos": _from_jelly,
    "rdf-from-jelly-neg": _reject(_rdf_events),
    "rdf-to-jelly-pos": _to_jelly,
    "rdf-to-jelly-neg": _to_jelly_refused,
    "rdf-backcompat-pos": _dataset,
    "rdf-sample-pos": _dataset,
    "rdf-metadata-pos": _metadata,
}
