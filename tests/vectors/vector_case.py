"""What a case is, and the list of them. A module of cases calls :func:`accept`, :func:`reject`, :func:`either` and
:func:`own`.

A case is named after the rule that it shows: ``P-49k`` is one of those of rule P-49 of Jelly-Patch, ``R-49a`` of rule
R-49 of Jelly-RDF. ``accept`` cases have the events
that the bytes say, ``reject`` cases the rule that the error must name. An ``either`` case breaks a MUST that other
writers are known to break: a tolerant reader hands out the events, a strict one names the rule. A ``restart`` or
``checksum`` case breaks a rule of ours: a reader that knows restart points, or checksums, refuses it, any other hands out the
events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Union

from vector_rows import A, D, I, N, Part, Raw, delimited, notation

#: The end of a patch, as an event.
END = "---"


@dataclass(frozen=True)
class Case:
    id: str
    #: ``accept``, ``reject``, ``either``, ``restart`` or ``checksum``
    kind: str
    sentence: str
    notation: str
    data: bytes
    #: What a reader hands out; of a ``reject`` case nothing is said.
    events: Sequence[str]
    #: The rule that an error must name.
    error: Optional[str]

    @property
    def rule(self) -> str:
        return _rule(self.id)

    @property
    def is_rdf(self) -> bool:
        """Whether it is about Jelly-RDF."""
        return self.id.startswith("R-")


#: The rules of ours, which have words for ids.
OWN_RULES = ("restart", "checksum")


def _rule(id: str) -> str:
    for word in OWN_RULES:
        if word in id:
            return word
    return id.rstrip("abcdefghijklmnopqrstuvwxyz")


#: All cases, in the order of their modules.
CASES: List[Case] = []

#: Frames, which are then delimited; or bytes as they are.
Stream = Union[Sequence[Sequence[Part]], Raw]


def accept(id: str, sentence: str, stream: Stream, events: Sequence[str]) -> None:
    _add(id, "accept", sentence, stream, events, None)


def reject(id: str, sentence: str, stream: Stream, error: Optional[str] = None) -> None:
    """``error`` is the rule that the error names, where it is not the case's own."""
    _add(id, "reject", sentence, stream, (), error or _rule(id))


def either(id: str, sentence: str, stream: Stream, events: Sequence[str], error: Optional[str] = None) -> None:
    """``error`` is the rule that a strict reader names, where it is not the case's own."""
    _add(id, "either", sentence, stream, events, error or _rule(id))


def own(id: str, sentence: str, stream: Stream, events: Sequence[str]) -> None:
    """Breaks a rule of ours; ``events`` are those of a reader that does not know it."""
    _add(id, _rule(id), sentence, stream, events, _rule(id))


def _add(id: str, kind: str, sentence: str, stream: Stream, events: Sequence[str], error: Optional[str]) -> None:
    if isinstance(stream, Raw):
        shown, data = stream.notation, stream.data
    else:
        shown, data = notation(stream), delimited(stream)
    CASES.append(Case(id, kind, sentence, shown, data, tuple(events), error))


# What most streams begin with: three names and a triple of them. The next implicit name is the fourth.
NAMES = [N("urn:leaf"), N("urn:brews"), N("urn:cup")]
LEAF = A(I(), I(), I())
SEED: List[Part] = [*NAMES, LEAF]
SEED_QUAD: List[Part] = [*NAMES, N("urn:shelf"), A(I(), I(), I(), I())]
#: Deletes what the statement before it was about.
AGAIN = D(None, None, None)

LEAF_TERMS = "<urn:leaf> <urn:brews> <urn:cup>"
A_LEAF = f"A {LEAF_TERMS}"
D_LEAF = f"D {LEAF_TERMS}"
A_SHELF = f"A {LEAF_TERMS} <urn:shelf>"


def a_leaf(objects: Sequence[str]) -> List[str]:
    """The events that add other objects to the leaf."""
    return [f"A <urn:leaf> <urn:brews> {term}" for term in objects]
