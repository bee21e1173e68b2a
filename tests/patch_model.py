"""A plain model of patches, with which the algebra is compared: sets of quads, and dictionaries of prefixes."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

from hypothesis import strategies as st

from jellybridge import ChangeRow

Quad = Tuple[str, str, str, Optional[str]]


class State(NamedTuple):
    quads: frozenset
    prefixes: frozenset = frozenset()


_quads = st.tuples(
    st.sampled_from(["<urn:a>", "_:b", "_:c"]), st.sampled_from(["<urn:p>", "<urn:q>"]),
    st.sampled_from(['"1"', '"2"', "_:b", "_:c"]), st.sampled_from([None, "<urn:g>"]),
)
states = st.builds(lambda quads: State(frozenset(quads)), st.lists(_quads, max_size=14))
_statement = st.tuples(st.sampled_from("AD"), _quads)
_prefix = st.tuples(st.sampled_from(["PA", "PD"]), st.sampled_from(["x", "y"]), st.sampled_from(["<urn:1>", "<urn:2>"]))
_block = st.tuples(st.sampled_from(["TC", "TC", "TC", "TA"]), st.lists(st.one_of(_statement, _statement, _prefix), max_size=8))


def _rows(blocks: List[Any]) -> List[ChangeRow]:
    rows: List[ChangeRow] = []
    for tx, (end, changes) in enumerate(blocks):
        rows.append(ChangeRow(op="TX", patch=tx))
        for op, *rest in changes:
            if op in ("A", "D"):
                subject, predicate, value, graph = rest[0]
                rows.append(ChangeRow(op=op, patch=tx, subject=subject, predicate=predicate, object=value, graph=graph))
            else:
                rows.append(ChangeRow(op=op, patch=tx, name=rest[0], value=rest[1]))
        rows.append(ChangeRow(op=end, patch=tx))
    return rows


patches = st.builds(_rows, st.lists(_block, min_size=1, max_size=3))


def quad(row: Any) -> Quad:
    return (row.subject, row.predicate, row.object, row.graph)


def apply(rows: Iterable[Any], state: State) -> State:
    quads, prefixes = set(state.quads), dict(state.prefixes)
    saved: Tuple[set, Dict[str, str]] = (set(), {})
    for row in rows:
        if row.op == "TX":
            saved = (set(quads), dict(prefixes))
        elif row.op == "TA":
            quads, prefixes = saved
        elif row.op == "A":
            quads.add(quad(row))
        elif row.op == "D":
            quads.discard(quad(row))
        elif row.op == "PA":
            prefixes[row.name] = row.value
        elif row.op == "PD":
            prefixes.pop(row.name, None)
    return State(frozenset(quads), frozenset(prefixes.items()))


def effect(rows: Iterable[Any], base: State) -> Dict[Quad, str]:
    """Returns the effective operations on quads."""
    after = apply(rows, base).quads
    return {**dict.fromkeys(after - base.quads, "A"), **dict.fromkeys(base.quads - after, "D")}


def conflicts(base: State, ours: Dict[Quad, str], theirs: Dict[Quad, str], single: Iterable[str] = ()) -> set:
    """Returns the quads about which two patches are in conflict, as the documents define it."""
    found = set()
    for each in {**ours, **theirs}:
        here = [q for q in {**ours, **theirs} if (q[0], q[3]) == (each[0], each[3])]
        there = {q for q in base.quads if (q[0], q[3]) == (each[0], each[3])}

        def empties(side: Dict[Quad, str]) -> bool:
            mine = [q for q in here if q in side]
            return bool(there) and set(mine) == there and all(side[q] == "D" for q in mine)

        def adds(side: Dict[Quad, str]) -> bool:
            return any(side.get(q) == "A" for q in here)

        values = [q for q in here if q[1] == each[1]]
        both = any(q in ours for q in values) and any(q in theirs for q in values)
        differ = {q for q in values if ours.get(q) == "A"} != {q for q in values if theirs.get(q) == "A"}
        replaced = any(ours.get(q) == theirs.get(q) == "D" for q in values)
        if (empties(ours) and adds(theirs) or empties(theirs) and adds(ours)
                or both and differ and (replaced or each[1] in single)):
            found.add(each)
    return found
