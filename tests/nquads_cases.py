"""The cases of the grammar of N-Quads in ``nquads.tsv``."""

from __future__ import annotations

from pathlib import Path
from typing import List, NamedTuple

_TABLE = Path(__file__).resolve().parent / "nquads.tsv"
_STAND_INS = str.maketrans({"⏎": "\n", "␍": "\r", "⇥": "\t"})


class NQuadsCase(NamedTuple):
    """A document, and whether it is N-Quads: ``valid``, ``invalid``, or ``rdfStar``, by that option alone."""

    since: str
    verdict: str
    about: str
    text: str


def nquads_cases() -> List[NQuadsCase]:
    lines = _TABLE.read_text(encoding="utf-8").splitlines()
    cases = [NQuadsCase(*line.split("\t")) for line in lines if not line.startswith("#")][1:]
    return [case._replace(text=case.text.translate(_STAND_INS)) for case in cases]
