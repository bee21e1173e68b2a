"""diff by structure on Spark, against a plain model."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Dict, FrozenSet, List, Optional, Set, Tuple

import pytest
from frames import local_frame
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

import jellybridge
from jellybridge import QUADS_SCHEMA, apply_changes, diff

Quad = Tuple[str, str, str, Optional[str]]


def frame(spark: SparkSession, quads: Set[Quad]) -> DataFrame:
    return local_frame(spark, sorted(quads, key=str), QUADS_SCHEMA)


def rows(changes: DataFrame) -> List[Tuple[str, ...]]:
    found = changes.where("op in ('A', 'D')").orderBy("row").collect()
    return [(row.op, row.subject, row.predicate, row.object, row.graph) for row in found]


def renamed(quads: Set[Quad], names: Dict[str, str]) -> Set[Quad]:
    def term(text: Optional[str]) -> Optional[str]:
        if text is not None and text.startswith("<<"):
            return " ".join(names.get(token, token) for token in text.split(" "))
        return names.get(text, text) if text is not None else None

    return {tuple(term(text) for text in quad) for quad in quads}  # type: ignore[misc]


def labels(quads: Set[Quad]) -> List[str]:
    tokens = {token for quad in quads for text in quad if text is not None for token in text.split(" ")}
    return sorted(token for token in tokens if token.startswith("_:"))


def are_isomorphic(one: Set[Quad], other: Set[Quad]) -> bool:
    """By trying every way to name the nodes; they are few."""
    names, others = labels(one), labels(other)
    return len(names) == len(others) and any(
        renamed(one, dict(zip(names, order))) == other for order in permutations(others)
    )


def relabelled(quads: Set[Quad], seed: int) -> Set[Quad]:
    names = labels(quads)
    numbers = random.Random(seed).sample(range(10 * len(names) + 1), len(names))
    return renamed(quads, {name: f"_:b{number}" for name, number in zip(names, numbers)})


def part(number: int, seed: int) -> Set[Quad]:
    """A small dataset with blank nodes and predicates of its own."""
    choose = random.Random(seed)

    def node() -> str:
        return f"_:p{number}n{choose.randrange(4)}"

    def quad() -> Quad:
        subject = choose.choice([node(), node(), node(), "<urn:s>"])
        value = choose.choice([node(), node(), '"1"', '"2"', f"<<( {node()} <urn:p> {node()} )>>"])
        return subject, f"<urn:part{number}:{choose.randrange(2)}>", value, choose.choice([None, None, "<urn:g>", node()])

    return {quad() for _ in range(choose.randrange(7))}


def of_part(quads: Set[Quad], number: int) -> Set[Quad]:
    return {quad for quad in quads if quad[1].startswith(f"<urn:part{number}:")}


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
def test_the_changes_make_of_the_old_what_is_isomorphic_to_the_new(spark: SparkSession, seed: int) -> None:
    parts = range(25)
    old = {quad for number in parts for quad in part(number, seed + number)}
    # Of every fifth part nothing changed but the labels.
    new = relabelled({quad for n in parts for quad in part(n, seed + n + (0 if n % 5 == 0 else 1000))}, seed)
    changes = diff(frame(spark, old), frame(spark, new), blank_nodes="structure").localCheckpoint()
    made = {tuple(row) for row in apply_changes(frame(spark, old), changes).collect()}
    for number in parts:
        assert are_isomorphic(of_part(made, number), of_part(new, number)), (number, seed)
    touched = {predicate for _, _, predicate, _, _ in rows(changes)}
    assert not [predicate for predicate in touched for n in parts if n % 5 == 0 and f":part{n}:" in predicate]


def test_of_many_shapes_one_literal_is_two_rows_and_labels_stay(spark: SparkSession) -> None:
    old: Set[Quad] = set()
    for i in range(1000):
        old |= {
            (f"<urn:shape{i // 10}>", "<urn:property>", f"_:s{i}", None),
            (f"_:s{i}", "<urn:message>", f'"{i}"', None),
            (f"_:s{i}", "<urn:in>", f"_:s{i}l", None),
            (f"_:s{i}l", "<urn:first>", '"a"', None),
            (f"_:s{i}l", "<urn:rest>", "<urn:nil>", None),
        }
    before, after = ("_:s77l", "<urn:first>", '"a"', None), ("_:s77l", "<urn:first>", '"b"', None)
    new = relabelled((old - {before}) | {after}, 1)
    changes = diff(frame(spark, old), frame(spark, new), blank_nodes="structure")
    assert rows(changes) == [("D", *before), ("A", *after)]
    # Rows stay in the JVM.
    assert "Python" not in changes._jdf.queryExecution().executedPlan().toString()


@pytest.mark.full("long")
def test_a_long_list_is_one_component(spark: SparkSession) -> None:
    def chain(length: int) -> Set[Quad]:
        return {(f"_:l{i}", "<urn:rest>", f"_:l{i + 1}", None) for i in range(length)}

    old = chain(300)
    changes = diff(frame(spark, old), frame(spark, relabelled(chain(301), 2)), blank_nodes="structure")
    # All its nodes are alike, and from both ends on they are the same: the one that is more is found in the middle.
    assert [row[0] for row in rows(changes)] == ["D", "A", "A"]
    assert rows(diff(frame(spark, old), frame(spark, relabelled(old, 3)), blank_nodes="structure")) == []


def test_what_is_new_has_a_label_that_neither_side_has(spark: SparkSession) -> None:
    old: Set[Quad] = {("_:a", "<urn:p>", '"1"', None), ("_:an1", "<urn:p>", '"2"', None)}
    new: Set[Quad] = {("_:x", "<urn:p>", '"1"', None), ("_:y", "<urn:p>", '"2"', None), ("_:a", "<urn:p>", '"3"', None),
                      ("_:an2", "<urn:q>", '"4"', None)}
    assert rows(diff(frame(spark, old), frame(spark, new), blank_nodes="structure")) == [
        ("A", "_:an2n3", "<urn:q>", '"4"', None), ("A", "_:an3", "<urn:p>", '"3"', None)]


@pytest.mark.parametrize("sides", [(0, 0), (0, 1), (1, 0)])
def test_a_side_without_quads_is_taken(spark: SparkSession, sides: Tuple[int, int]) -> None:
    some: FrozenSet[Quad] = frozenset({("_:a", "<urn:p>", "_:b", None)})
    old, new = (set(some) if side else set() for side in sides)
    found = rows(diff(frame(spark, old), frame(spark, new), blank_nodes="structure"))
    assert [row[0] for row in found] == ["D"] * sides[0] + ["A"] * sides[1]


def test_another_way_to_compare_is_refused(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match="blank_nodes is 'hash': it must be 'label' or 'structure'"):
        jellybridge.diff(frame(spark, set()), frame(spark, set()), blank_nodes="hash")
