"""Vectors of Jelly-Patch for the Python tests: which rows a file holds, or by which rule it is refused.

Reads ``cases.tsv`` of ``tests/conformance`` and of the conformance data, which has the same columns. Terms are taken
apart by the parser of the suite's runner, which shares nothing with the readers; blank nodes are compared by a
bijection of their labels over a whole file, language tags without case.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence

from jelly_conformance.comparison import ABSENT, DEFAULT_GRAPH, Line, Term, lone_term

OWN_VECTORS = Path(__file__).resolve().parent / "conformance"

COLUMNS = ("patch", "tx", "row", "op", "subject", "predicate", "object", "graph", "name", "value")
_TERM_COLUMNS = ("subject", "predicate", "object", "graph", "value")

_KINDS = {
    "patch-vector-accept": "accept",
    "patch-from-jellyp-pos": "accept",
    "patch-vector-reject": "reject",
    "patch-vector-either": "either",
    "patch-vector-restart": "reject",
    "patch-vector-checksum": "reject",
}
#: What a row shows of no term: it has ``None`` there.
_NO_TERM = (DEFAULT_GRAPH, ABSENT)

#: A row, by column; terms as :data:`Term`.
Row = Dict[str, Any]


@dataclass(frozen=True)
class Vector:
    id: str
    #: ``accept``, ``reject`` or ``either``
    kind: str
    path: Path
    #: The rule that an error must name; ``None`` where the table does not say.
    rule: Optional[str]
    #: What a reader that takes the file shows of it.
    rows: Sequence[Row]
    #: Whether it is an ``either`` case that a strict reader must refuse.
    breaks_a_must: bool


def load(folder: Path) -> List[Vector]:
    """The cases of a folder that are about reading Jelly-Patch."""
    lines = (folder / "cases.tsv").read_text(encoding="utf-8").split("\n")[1:-1]
    return [_vector(folder, cells) for cells in (line.split("\t") for line in lines) if cells[1] in _KINDS]


def _vector(folder: Path, cells: List[str]) -> Vector:
    id, kind, expected = cells[0], _KINDS[cells[1]], cells[5]
    words = expected.removeprefix("EITHER ").split(" ")
    rule = words[1] if words[0] == "ERROR" and len(words) > 1 and words[1].startswith(("P-", "restart", "checksum")) else None
    events = [] if kind == "reject" else _events(folder, expected)
    breaks_a_must = kind == "either" and "level MUST" in cells[8]
    return Vector(id, kind, folder / cells[3], rule, _rows(events), breaks_a_must)


def _events(folder: Path, expected: str) -> List[str]:
    _, inline, events = expected.partition("EVENTS:")
    lines = events.split(" ⏎ ") if inline else (folder / expected.split(" ")[0]).read_text(encoding="utf-8").split("\n")
    return [line.strip(" ") for line in lines if line.strip(" ")]


def _rows(events: Iterable[str]) -> List[Row]:
    """The rows that events make: the end of a patch is none, but counts."""
    rows: List[Row] = []
    patch = transactions = 0
    tx: Optional[int] = None
    for event in events:
        if event == "---":
            patch += 1
            continue
        line = Line(event)
        row: Row = dict.fromkeys(COLUMNS)
        row["op"] = op = line.word()
        if op == "TX":
            tx, transactions = transactions, transactions + 1
        row.update(patch=patch, tx=tx, row=len(rows))
        if op in ("TC", "TA"):
            tx = None
        if op in ("H", "PA", "PD"):
            row["name"] = line.quoted()
        columns = {"H": ("value",), "PA": ("value", "graph"), "PD": ("value", "graph")}.get(op, _TERM_COLUMNS[:4])
        for column in columns:
            if not line.at_end():
                found = line.term()
                row[column] = None if found in _NO_TERM else found
        rows.append(row)
    return numbered(rows)


def actual_rows(rows: Iterable[Any]) -> List[Row]:
    """Rows as a door hands them out (attributes by the names of the columns), in the form of :attr:`Vector.rows`."""
    return numbered({column: _value(column, getattr(row, column)) for column in COLUMNS} for row in rows)


def _value(column: str, value: Any) -> Any:
    return lone_term(value) if column in _TERM_COLUMNS and value is not None else value


def numbered(rows: Iterable[Row]) -> List[Row]:
    """The rows of a file with its blank nodes numbered as they come: equal exactly where a bijection of labels is."""
    numbers: Dict[str, int] = {}

    def number(value: Any) -> Any:
        if not isinstance(value, tuple):
            return value
        if value[0] == "blank node":
            return (*value[:1], numbers.setdefault(value[1], len(numbers)))
        return (value[0], *map(number, value[1:]))

    return [{column: number(row[column]) for column in COLUMNS} for row in rows]


def difference(expected: Sequence[Row], actual: Sequence[Row]) -> Optional[str]:
    """Where the rows of a file part from what they should be; ``None`` where they don't."""
    for i, (wanted, found) in enumerate(zip(expected, actual)):
        for column in COLUMNS:
            if wanted[column] != found[column]:
                return f"row {i}, {column}: expected {wanted[column]!r}, found {found[column]!r}"
    if len(expected) != len(actual):
        return f"expected {len(expected)} rows, found {len(actual)}"
    return None


def refusal(vector: Vector, read: Callable[[], Any], error: type, by_rule: bool = True) -> Optional[str]:
    """What is wrong with how ``read`` refuses a file; ``None`` where it raises ``error`` by the right rule."""
    try:
        read()
    except error as e:
        rule: str = e.rule  # type: ignore[attr-defined]
        expected = vector.rule if by_rule else None
        return None if expected in (None, rule) else f"expected rule {expected}, found {e}"
    except Exception as e:  # any other type is the finding
        return f"{type(e).__name__}: {e}"
    return "was read"
