"""diff and in_order: what the DataFrame API says about changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

import pytest
from conftest import spark_settings
from frames import local_frame
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.errors import SparkRuntimeException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import CHANGES_SCHEMA, QUADS_SCHEMA, diff, in_order

pytestmark = pytest.mark.settings

Quad = Tuple[str, str, str, Optional[str]]


def frame(spark: SparkSession, quads: List[Quad]) -> DataFrame:
    return local_frame(spark, quads, QUADS_SCHEMA)


def operations(changes: DataFrame) -> List[Tuple[str, ...]]:
    rows = changes.orderBy("row").collect()
    return [(row.op, row.subject, row.predicate, row.object, row.graph) for row in rows]


def quad(name: str, graph: Optional[str] = None) -> Quad:
    return (f"<urn:{name}>", "<urn:p>", '"o"', graph)


def test_a_difference_is_one_transaction_with_deletions_first(spark: SparkSession) -> None:
    old, new = frame(spark, [quad("a"), quad("b", "<urn:g>")]), frame(spark, [quad("a"), quad("c", "_:g")])
    changes = diff(old, new, patch=3)
    assert operations(changes) == [
        ("TX", None, None, None, None),
        ("D", *quad("b", "<urn:g>")),
        ("A", *quad("c", "_:g")),
        ("TC", None, None, None, None),
    ]
    assert [(row.patch, row.tx) for row in changes.collect()] == [(3, 3)] * 4


def test_a_difference_needs_no_python_on_the_executors(spark: SparkSession, capsys: pytest.CaptureFixture) -> None:
    diff(frame(spark, [quad("a")]), frame(spark, [quad("b")]), id="urn:id:1").explain()
    plan = capsys.readouterr().out
    assert "LocalTableScan" in plan and "ExistingRDD" not in plan


def test_a_difference_has_the_columns_and_types_of_change_rows(spark: SparkSession) -> None:
    changes = diff(frame(spark, []), frame(spark, [quad("a")]))
    expected = spark.createDataFrame([], CHANGES_SCHEMA).schema
    assert changes.schema.names == expected.names
    assert [field.dataType for field in changes.schema] == [field.dataType for field in expected]
    assert all(not changes.schema[name].nullable for name in ("patch", "row", "op"))


def test_the_default_graph_equals_itself_and_no_other(spark: SparkSession) -> None:
    old, new = frame(spark, [quad("a"), quad("b")]), frame(spark, [quad("a"), quad("b", "<urn:g>")])
    assert operations(diff(old, new))[1:-1] == [("D", *quad("b")), ("A", *quad("b", "<urn:g>"))]


def test_the_graph_of_positions_is_left_out(spark: SparkSession) -> None:
    old, new = frame(spark, [quad("a", "<urn:jellybridge:sync>")]), frame(spark, [quad("b"), quad("b", "<urn:jellybridge:sync>")])
    assert operations(diff(old, new))[1:-1] == [("A", *quad("b"))]


def test_both_sides_are_sets(spark: SparkSession) -> None:
    assert len(operations(diff(frame(spark, [quad("a")]), frame(spark, [quad("a"), quad("a")])))) == 2
    assert len(operations(diff(frame(spark, []), frame(spark, [quad("a"), quad("a")])))) == 3


@pytest.mark.parametrize("limit, says", [
    ("29%", None), (29, None), ("28.9%", "new lacks 29 of the 100 statements of old, and max_delete allows 28.9%"), (28, "allows 28;"),
])
def test_a_difference_fails_if_too_much_is_gone(spark: SparkSession, limit: Union[int, str], says: Optional[str]) -> None:
    old, new = (local_frame(spark, [(f"<urn:{n}>", "<urn:p>", '"o"', None) for n in numbers], QUADS_SCHEMA)
                for numbers in (range(100), range(29, 110)))
    changes = jellybridge.diff(old, new, max_delete=limit)
    if says is None:
        assert changes.where("op IN ('A', 'D')").count() == 39
    else:
        with pytest.raises(SparkRuntimeException, match=says):
            changes.collect()


@pytest.mark.parametrize("limit", ["x", "101%", -1, "1e3"])
def test_a_limit_of_deletions_that_is_none_is_refused(spark: SparkSession, limit: Union[int, str]) -> None:
    quads = local_frame(spark, [("<urn:s>", "<urn:p>", '"o"', None)], QUADS_SCHEMA)
    with pytest.raises(ValueError, match="max_delete is .*: it must be a number of statements, or a share"):
        jellybridge.diff(quads, quads, max_delete=limit)


def test_no_difference_is_an_empty_transaction(spark: SparkSession) -> None:
    same = frame(spark, [quad("a")])
    assert [row[0] for row in operations(diff(same, same))] == ["TX", "TC"]


def test_triples_are_quads_of_the_default_graph(spark: SparkSession) -> None:
    triples = frame(spark, [quad("a"), quad("b")]).drop("graph")
    assert operations(diff(triples, frame(spark, [quad("a")])))[1:-1] == [("D", *quad("b"))]


@pytest.mark.parametrize("columns", [["subject", "predicate"], ["subject", "predicate", "object", "g"]])
def test_other_columns_are_refused_by_name(spark: SparkSession, columns: List[str]) -> None:
    odd = spark.createDataFrame([["x"] * len(columns)], columns)
    with pytest.raises(ValueError, match=f"new has the columns {', '.join(columns)}"):
        diff(frame(spark, []), odd)


def test_rows_are_numbered_without_gaps_and_alike_in_each_run(spark: SparkSession) -> None:
    old = frame(spark, [quad(str(n), None if n % 3 else "<urn:g>") for n in range(3000)]).repartition(7)
    new = frame(spark, [quad(str(n), None if n % 3 else "<urn:g>") for n in range(1500, 4500)]).repartition(5)
    first = diff(old, new).collect()
    assert [row.row for row in first] == list(range(3002))
    assert first == diff(old.repartition(3), new.repartition(2)).collect()


names = st.builds(quad, st.sampled_from("abcdef"), st.sampled_from([None, "<urn:g>", "<urn:h>"]))


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(old=st.lists(names), new=st.lists(names))
def test_old_with_the_changes_is_new(spark: SparkSession, old: List[Quad], new: List[Quad]) -> None:
    state = set(old)
    for op, *terms in operations(diff(frame(spark, old), frame(spark, new)))[1:-1]:
        if op == "D":
            state.remove(tuple(terms))
        else:
            assert tuple(terms) not in state
            state.add(tuple(terms))
    assert state == set(new)


def test_in_order_is_one_partition_by_patch_and_row(spark: SparkSession) -> None:
    states = [frame(spark, [quad(str(n)) for n in range(limit)]) for limit in (0, 50, 20, 70)]
    changes = diff(states[2], states[3], patch=2)
    for number in (0, 1):
        changes = changes.unionByName(diff(states[number], states[number + 1], patch=number))
    ordered = in_order(changes.repartition(6))
    assert ordered.rdd.getNumPartitions() == 1
    places = [(row.patch, row.row) for row in ordered.collect()]
    assert places == sorted(places) and len(places) == 136


def test_a_difference_is_in_order_and_not_moved_again(spark: SparkSession) -> None:
    def exchanges(df: DataFrame) -> int:
        return str(df._jdf.queryExecution().toString()).count("Exchange SinglePartition")

    old, new = frame(spark, [quad("a")]).repartition(3), frame(spark, [quad("b")]).repartition(3)
    changes = diff(old, new)
    assert changes.transform(in_order) is changes and exchanges(changes) == 1
    assert jellybridge.net_effect(changes).transform(in_order).rdd.getNumPartitions() == 1
    # What was made of it may have lost its order, and what is in several partitions is not in one.
    assert exchanges(changes.where("op = 'A'").transform(in_order)) == 2
    assert diff(old, new, partitions=4).transform(in_order).rdd.getNumPartitions() == 1
    assert changes.withColumn("day", F.lit("1")).transform(in_order, "day").count() == 4


@pytest.mark.parametrize("partitions", [0, -1])
def test_a_number_of_partitions_that_cannot_be_is_refused(spark: SparkSession, partitions: int) -> None:
    with pytest.raises(ValueError, match=f"partitions is {partitions}"):
        diff(frame(spark, []), frame(spark, []), partitions=partitions)


@pytest.mark.parametrize("argument", [
    {"patch": 1}, {"id": "<urn:id:1>"}, {"prev": "<urn:id:1>"}, {"partitions": None}, {"max_delete": "20%"}])
def test_what_is_of_dataframes_is_refused_for_files(argument: Dict[str, Any]) -> None:
    [name] = argument
    with pytest.raises(ValueError, match=f"^{name} is an argument for DataFrames$"):
        diff("old.nq", "new.nq", **argument)


def test_what_is_of_files_is_refused_for_dataframes_and_a_mixture_is(spark: SparkSession) -> None:
    quads = frame(spark, [])
    for argument in ({"format": "nquads"}, {"prefixes": {}}):
        with pytest.raises(ValueError, match="is an argument for files and datasets"):
            diff(quads, quads, **argument)
    with pytest.raises(TypeError, match="two DataFrames, or two files or datasets"):
        diff("old.nq", quads)  # type: ignore[call-overload]


def test_spark_says_into_how_many_partitions_a_difference_goes(spark: SparkSession) -> None:
    old, new = frame(spark, []), frame(spark, [quad(str(n)) for n in range(3000)])
    small = {"spark.sql.shuffle.partitions": "8", "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
             "spark.sql.adaptive.advisoryPartitionSizeInBytes": "2000",
             "spark.sql.adaptive.coalescePartitions.minPartitionSize": "2000"}
    few = diff(old, new, partitions=None)
    assert few.rdd.getNumPartitions() == 1  # so little is joined by adaptive execution
    assert [row.row for row in few.collect()] == list(range(3002))
    with spark_settings(spark, small):
        many = diff(old, new, partitions=None)
        assert many.rdd.getNumPartitions() > 2
        assert [row.subject for row in many.collect()] == [row.subject for row in few.collect()]


def test_in_order_needs_the_rows_numbered(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match="column row"):
        in_order(spark.createDataFrame([("TX",)], ["op"]))


def test_a_log_of_differences_comes_back_from_its_file(spark: SparkSession, tmp_path) -> None:
    old, new = frame(spark, []), frame(spark, [quad("a"), quad("b", "<urn:g>")])
    log = diff(old, new).unionByName(diff(new, old, patch=1))
    log.transform(in_order).write.format("jelly-patch").save(str(tmp_path / "log"))
    back = spark.read.format("jelly-patch").load(str(tmp_path / "log"))
    columns = ["patch", "tx", "op", "subject", "predicate", "object", "graph", "name", "value"]
    assert back.orderBy("row").select(columns).collect() == log.orderBy("patch", "row").select(columns).collect()
    with jellybridge.Dataset.open("mem:") as dataset:
        report = dataset.apply(back)
        assert (report.patches, report.added, report.deleted, len(dataset)) == (2, 2, 2, 0)


def test_files_and_logs_are_compared_beside_a_session_too(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "old.nt").write_text("<urn:a> <urn:p> <urn:o> .\n")
    (tmp_path / "new.nt").write_text("<urn:b> <urn:p> <urn:o> .\n")
    difference = diff(tmp_path / "old.nt", tmp_path / "new.nt", prefixes={"u": "urn:"})
    assert [row.op for row in difference] == ["TX", "D", "A", "TC"]
    assert "- u:a\n-     u:p  u:o\n" in str(difference)
    difference.write(tmp_path / "patch.jellyp")
    with jellybridge.PatchLog.create(tmp_path / "log") as log:
        log.append(tmp_path / "patch.jellyp", author="Ada")
        assert [entry.author for entry in log.entries(grep="A.a")] == ["Ada"]
        assert [quad.subject for quad in log.as_of()] == ["<urn:b>"]
        assert log.history(predicate="urn:p").to_arrow().read_all().num_rows == 2
        assert log.as_of(spark).count() == 1
        assert (log.show(1).added, log.diff(1, 0).deleted, log.revert(1).undone) == (1, 1, 1)
        with pytest.raises(ValueError, match="without Spark"):
            log.history(spark, predicate="urn:p")
