"""The table of cases of a suite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import List

COLUMNS = (
    "case_id", "kind", "category", "input", "options", "expected", "frames", "statements", "features", "upstream",
    "note",
)


@dataclass(frozen=True)
class Case:
    """A line of ``cases.tsv``."""

    folder: Path
    id: str
    #: Such as ``patch-vector-accept``: what is done, and how the result is judged.
    kind: str
    inputs: List[Path]
    #: As it stands in the table; what it means depends on the kind.
    expected: str
    #: Where the case comes from, such as ``from_jelly/triples_rdf_1_1/pos_001`` of the suite of Jelly-RDF.
    upstream: str

    def expected_files(self) -> List[Path]:
        return [self.folder / name for name in self.expected.split(",")]


def load_cases(folder: Path) -> List[Case]:
    """The cases of a folder, in the order of its ``cases.tsv``.

    Raises:
        FileNotFoundError: there is no ``cases.tsv``.
        ValueError: it is no such table, or an empty one; the message names the line.
    """
    # Not splitlines(): a cell may hold what Python takes for the end of a line.
    lines = (folder / "cases.tsv").read_text(encoding="utf-8").split("\n")
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise ValueError(f"{folder / 'cases.tsv'}, line 1: the columns must be {', '.join(COLUMNS)}")
    cases = [_case(folder, number, line) for number, line in enumerate(lines[1:], start=2) if line]
    if not cases:
        raise ValueError(f"{folder / 'cases.tsv'}: there is no case in it")
    return cases


def _case(folder: Path, number: int, line: str) -> Case:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise ValueError(
            f"{folder / 'cases.tsv'}, line {number}: {len(cells)} cells instead of {len(COLUMNS)}; "
            f"separate them by one tab each, without quotes"
        )
    row = dict(zip(COLUMNS, cells))
    inputs = [folder / name for name in row["input"].split(",")]
    return Case(folder, row["case_id"], row["kind"], inputs, row["expected"], row["upstream"])
