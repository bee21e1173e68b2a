"""The algebra of patches on Spark gives what it gives without, against the same plain model."""

from __future__ import annotations

from typing import Any, List, Tuple

import pytest
from frames import local_frame
from hypothesis import HealthCheck, given, settings
from patch_model import State, apply, conflicts, effect, patches, quad, states
from pyspark.sql import DataFrame, SparkSession

import jellybridge
from jellybridge import CHANGES_SCHEMA, QUADS_SCHEMA, ChangeRow, changes

laws = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def numbered(spark: SparkSession, rows: List[ChangeRow]) -> DataFrame:
    open_tx, placed = None, []
    for at, row in enumerate(rows):
        open_tx = row.patch if row.op == "TX" else open_tx
        placed.append(tuple(row._replace(row=at, tx=open_tx)))
        open_tx = None if row.op in ("TC", "TA") else open_tx
    return local_frame(spark, placed, CHANGES_SCHEMA)


def rows_of(frame: DataFrame) -> List[Any]:
    return frame.orderBy("patch", "row").collect()


@pytest.mark.full("long")
@laws
@given(states, patches, patches)
def test_the_laws_hold_on_spark(spark: SparkSession, base: State, one: Any, two: Any) -> None:
    quads = local_frame(spark, sorted(base.quads, key=str), QUADS_SCHEMA)
    ours, theirs = numbered(spark, one), numbered(spark, two)
    both = rows_of(changes.squash(ours, theirs))
    assert apply(both, base) == apply(two, apply(one, base))
    kept = changes.effective(ours, quads, prefixes={}).cache()
    after = apply(one, base)
    assert {quad(row): row.op for row in rows_of(kept) if row.op in ("A", "D")} == effect(one, base)
    assert apply(rows_of(kept), base) == after
    assert apply(rows_of(changes.invert(kept)), after) == base
    assert apply(rows_of(changes.invert(ours, quads, prefixes={})), after) == base
    found = effect(one, base), effect(two, base)
    known = conflicts(base, *found, ["<urn:q>"])
    merged, clash = changes.merge(quads, ours, theirs, single=["urn:q"])
    assert {quad(row) for row in rows_of(clash) if row.op in ("A", "D")} == known
    expected = {each: op for each, op in {**found[0], **found[1]}.items() if each not in known}
    assert {quad(row): row.op for row in rows_of(merged) if row.op in ("A", "D")} == expected
    preferred = rows_of(changes.merge(quads, ours, theirs, single=["urn:q"], prefer="ours").patch)
    moved = rows_of(changes.rebase(quads, ours, theirs, single=["urn:q"]).patch)
    assert apply(moved, after) == apply(preferred, base)
    for parts in (changes.split(ours), changes.split(ours, rows=2)):
        assert apply(rows_of(parts), base) == after
    filtered = rows_of(changes.filter(ours, graph=[None], subject=["urn:a", "_:b"], predicate="urn:p"))
    assert [(row.op, *quad(row)) for row in filtered] == [
        (row.op, *quad(row)) for row in one
        if not row.subject or row.graph is None and row.subject in ("<urn:a>", "_:b") and row.predicate == "<urn:p>"]


def test_later_patches_stay_later_whatever_their_numbers_on_spark(spark: SparkSession) -> None:
    def frame(op: Any, patch: int) -> DataFrame:
        return local_frame(spark, [ChangeRow(patch, None, 0, op, "<urn:a>", "<urn:p>", '"1"')], CHANGES_SCHEMA)

    joined = changes.squash(frame("A", 1_099_512 * 1_000_000), frame("D", 0))
    assert [row.op for row in rows_of(joined)] == ["TX", "D", "TC"]
    for number in (-1, 1 << 56):
        with pytest.raises(Exception, match=f"patch {number} .* from 0 to 72057594037927935"):
            changes.squash(frame("A", number)).collect()
    with pytest.raises(ValueError, match="up to 128 DataFrames, and not 129"):
        changes.squash(*[frame("A", 0)] * 129)


def test_prefixes_of_a_state_and_classes_count_on_spark(spark: SparkSession) -> None:
    quads = local_frame(spark, [("<urn:b>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<urn:C>", None)], QUADS_SCHEMA)
    patch = numbered(spark, [ChangeRow(op="PA", name="x", value="<urn:2>"), ChangeRow(op="PD", name="y"), ChangeRow(op="PD", name="z"),
                             ChangeRow(op="A", subject="<urn:b>", predicate="<urn:p>", object='"1"'),
                             ChangeRow(op="A", subject="<urn:c>", predicate="<urn:p>", object='"1"')])
    prefixes = {"x": "urn:1", "y": "urn:3"}
    undone = rows_of(changes.invert(patch, quads, prefixes=prefixes))
    assert [(row.op, row.name, row.value) for row in undone if row.name] == [
        ("PD", "x", "<urn:2>"), ("PA", "x", "<urn:1>"), ("PA", "y", "<urn:3>")]
    # Without them, the patch alone tells.
    moved = numbered(spark, [ChangeRow(op="PD", name="x", value="<urn:1>"), ChangeRow(op="PA", name="x", value="<urn:2>"), ChangeRow(op="PD", name="y")])
    assert [(row.op, row.name, row.value) for row in rows_of(changes.effective(moved, quads)) if row.name] == [
        ("PD", "x", "<urn:1>"), ("PD", "y", None), ("PA", "x", "<urn:2>")]
    assert [(row.op, row.value) for row in rows_of(changes.invert(moved.where("name = 'x'"), quads)) if row.name] == [
        ("PD", "<urn:2>"), ("PA", "<urn:1>")]
    with pytest.raises(Exception, match="without its namespace"):
        changes.invert(moved, quads).collect()
    assert [row.subject for row in rows_of(changes.filter(patch, rdf_class=["urn:C"], base=quads)) if row.subject] == ["<urn:b>"]


def test_arguments_count_by_their_canonical_terms_on_spark(spark: SparkSession) -> None:
    said, same = {"subject": "<urn:é>", "predicate": "<urn:é>", "graph": "<urn:é>"}, r"<urn:\u00e9>"
    patch = numbered(spark, [ChangeRow(op="A", object='"1"', **said), ChangeRow(op="PA", name="x", value="<urn:é>")])
    quads, other = spark.createDataFrame([], QUADS_SCHEMA), numbered(spark, [ChangeRow(op="A", object='"2"', **said)])
    assert [row.op for row in rows_of(changes.filter(patch, subject=[same], predicate=[same], graph=[None, same]))] == ["A", "PA"]
    merged, clash = changes.merge(quads, patch, other, single=[same], prefixes={"x": same})
    assert [row.op for row in rows_of(merged)] == ["TX", "TC"] and "A" in [row.op for row in rows_of(clash)]


def test_rows_without_the_column_graph_are_of_the_default_graph_on_spark(spark: SparkSession) -> None:
    # Spark finds a column that was dropped, and not one that never was there.
    rows = local_frame(spark, [("A", "<urn:s>", "<urn:p>", '"1"')], "op STRING, subject STRING, predicate STRING, object STRING")
    assert [changes.filter(rows, graph=[graph]).count() for graph in ("default", "urn:g")] == [1, 0]


def test_the_inverse_of_joined_patches_knows_the_namespace_before_the_first_on_spark(spark: SparkSession) -> None:
    def patch(*rows: Tuple[Any, int]) -> DataFrame:
        return numbered(spark, [ChangeRow(op=op, name="x", value=f"<urn:{number}>") for op, number in rows])

    undone = rows_of(changes.invert(changes.squash(patch(("PD", 1), ("PA", 2)), patch(("PD", 2), ("PA", 3)))))
    assert [(row.op, row.value) for row in undone if row.name] == [("PD", "<urn:3>"), ("PA", "<urn:1>")]
    for twice in (patch(("PD", 1), ("PA", 2), ("PD", 2), ("PA", 3)), patch(("PA", 2), ("PD", 2))):
        with pytest.raises(Exception, match="more than once"):
            changes.invert(twice).collect()
    with pytest.raises(Exception, match="without its namespace"):
        changes.invert(changes.squash(patch(("PA", 1)), patch(("PD", 1), ("PA", 2)))).collect()


def test_an_inverse_that_is_not_known_is_refused_on_spark(spark: SparkSession) -> None:
    same = {"subject": "<urn:a>", "predicate": "<urn:p>", "object": '"1"'}
    twice = numbered(spark, [ChangeRow(op="A", **same), ChangeRow(op="D", **same)])
    with pytest.raises(Exception, match="more than once"):
        changes.invert(twice).collect()
    difference = jellybridge.diff(spark.createDataFrame([], QUADS_SCHEMA), spark.createDataFrame([tuple(same.values())], QUADS_SCHEMA.rpartition(",")[0]))
    assert [row.op for row in rows_of(changes.invert(difference))] == ["TX", "D", "TC"]


def test_a_patch_that_was_lost_is_not_passed_over_on_spark(spark: SparkSession) -> None:
    lost = numbered(spark, [ChangeRow(op="H", name="id", value="<urn:2>"), ChangeRow(op="H", name="lost", value='"cut off"')])
    for computed in (jellybridge.net_effect(lost), changes.invert(lost), jellybridge.apply_changes(spark.createDataFrame([], QUADS_SCHEMA), lost)):
        with pytest.raises(Exception, match="patch was lost.*cut off"):
            computed.collect()


def test_dataframes_and_files_do_not_go_together_on_spark(spark: SparkSession) -> None:
    patch, quads = numbered(spark, [ChangeRow(op="A", subject="<urn:a>", predicate="<urn:p>", object='"1"')]), spark.createDataFrame([], QUADS_SCHEMA)
    for computed in (lambda: changes.squash(patch, "p.jellyp"), lambda: changes.effective(patch, "base.nq"), lambda: changes.invert("p.jellyp", quads),
                     lambda: changes.filter(patch, base="base.nq"), lambda: changes.merge(quads, patch, "p.jellyp")):
        with pytest.raises(TypeError, match="and not one with another"):
            computed()
    assert [row.op for row in changes.filter(patch.drop("name", "value"), subject=["urn:a"]).collect()] == ["A"]


def test_patches_that_are_not_a_chain_have_no_net_effect_on_spark(spark: SparkSession) -> None:
    def chained(*numbers: int) -> DataFrame:
        return numbered(spark, [row for at, number in enumerate(numbers) for row in (
            ChangeRow(at, op="H", name="id", value=f"<urn:{number}>"), *([ChangeRow(at, op="H", name="prev", value=f"<urn:{number - 1}>")] * (number > 1)),
            ChangeRow(at, op="A", subject="<urn:a>", predicate="<urn:p>", object=f'"{number}"'))])

    for frame, says in ((chained(1, 2, 3).where("patch <> 1"), "<urn:3> follows <urn:2>, and the patch before it is <urn:1>;"),
                        (chained(2, 1), "<urn:1>, which the first patch follows, is behind <urn:2>;")):
        net = jellybridge.net_effect(frame)
        for query in (net.where("op = 'A'").count, net.select("object").collect):
            with pytest.raises(Exception, match=says):
                query()
        assert len(changes.split(frame, rows=9).where("op = 'A'").collect()) == 2
    headers = jellybridge.net_effect(chained(1, 2, 3).where("patch <> 1 OR op <> 'H'")).where("op = 'H'")
    assert [(row.name, row.value) for row in headers.collect()] == [("id", "<urn:3>")]
