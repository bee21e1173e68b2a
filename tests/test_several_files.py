"""Change rows of several files: the patches of each count from 0, and have an order all the same."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Set, Tuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from py4j.protocol import Py4JJavaError
from pyspark.errors import SparkRuntimeException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import ChangeRow, Dataset, JellybridgeError, _changes, in_order, net_effect, number_patches, write_patch

pytestmark = pytest.mark.settings

Change = Tuple[str, str]


def patch(*changes: Change, id: Optional[int] = None, prev: Optional[int] = None, end: str = "TC") -> List[ChangeRow]:
    headers = [
        ChangeRow(op="H", name=name, value=f"<urn:id:{value}>")
        for name, value in (("id", id), ("prev", prev)) if value is not None
    ]
    statements = [ChangeRow(op=op, subject=f"<urn:{name}>", predicate="<urn:p>", object='"o"') for op, name in changes]
    return [*headers, ChangeRow(op="TX"), *statements, ChangeRow(op=end)]


def write(file: Path, *patches: List[ChangeRow]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_patch(file, [row._replace(patch=number) for number, rows in enumerate(patches) for row in rows])


TWO_FILES = "patch 0 has rows of two files, .*jellybridge.number_patches"


def read(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.read.format("jelly-patch").load(str(folder))


def changes(frame: DataFrame) -> List[Change]:
    rows = frame.where("op in ('A', 'D')").orderBy("patch", "row").collect()
    return [(row.op, row.subject[len("<urn:"):-1]) for row in rows]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The second file takes back what the first one adds."""
    write(tmp_path / "log" / "1.jellyp", patch(("A", "q"), ("A", "r")))
    write(tmp_path / "log" / "2.jellyp", patch(("D", "q")))
    return tmp_path / "log"


def test_the_net_effect_of_several_files_that_are_not_numbered_is_refused(spark: SparkSession, log: Path) -> None:
    frame = net_effect(read(spark, log))
    says = "patch 0 has rows of two files, .*1.jellyp and .*2.jellyp, .* jellybridge.number_patches"
    for query in (frame, frame.where("op = 'A'"), frame.select("object"), frame.limit(1)):
        # Spark has another class of error where two tasks fail at a time.
        with pytest.raises((SparkRuntimeException, Py4JJavaError), match=says):
            query.collect()
    with pytest.raises(Exception, match=says):
        frame.write.format("noop").mode("append").save()
    with Dataset.open("mem:") as dataset, pytest.raises(Exception, match=says):
        dataset.apply(frame)


def test_two_rows_on_one_place_are_found_also_where_they_are_of_different_quads(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "1.jellyp", [ChangeRow(op="A", subject="<urn:a>", predicate="<urn:p>", object='"o"')])
    write(tmp_path / "2.jellyp", [ChangeRow(op="PA", name="x", value="<urn:x>")])
    both = read(spark, tmp_path / "1.jellyp").unionByName(read(spark, tmp_path / "2.jellyp"))
    with pytest.raises(SparkRuntimeException, match="patch 0, row 0: two rows have this place"):
        net_effect(both).collect()


@pytest.mark.parametrize("column", ["patch", "row"])
def test_a_row_without_a_place_has_no_net_effect(spark: SparkSession, log: Path, column: str) -> None:
    rows = read(spark, log / "1.jellyp").withColumn(column, F.expr(f"if(op = 'TC', null, {column})"))
    with pytest.raises(SparkRuntimeException, match="a row has null there"):
        net_effect(rows).collect()


def test_the_net_effect_of_numbered_patches_is_right(spark: SparkSession, log: Path) -> None:
    numbered = read(spark, log).transform(number_patches)
    assert numbered.columns == read(spark, log).columns
    assert changes(numbered) == [("A", "q"), ("A", "r"), ("D", "q")]
    assert sorted(changes(net_effect(numbered))) == [("A", "r"), ("D", "q")]
    with Dataset.open("mem:") as dataset:
        dataset.apply(numbered)
        assert [row["s"] for row in dataset.query("SELECT ?s { ?s ?p ?o }")] == ["<urn:r>"]


def test_the_numbers_of_patches_count_in_any_case(spark: SparkSession, log: Path) -> None:
    upper = {"patch": "PATCH", "row": "ROW"}
    second = F.col("_metadata.file_path").endswith("2.jellyp").cast("int")
    spelled = read(spark, log).withColumn("patch", second).withColumnsRenamed(upper)
    assert sorted(changes(net_effect(spelled))) == [("A", "r"), ("D", "q")]
    ordered = spelled.sort("op").transform(in_order).collect()
    assert ordered == sorted(ordered, key=lambda row: (row.PATCH, row.ROW))
    with pytest.raises(Exception, match=TWO_FILES):
        net_effect(read(spark, log).withColumnsRenamed(upper)).collect()


def test_numbered_patches_are_written_in_order_and_others_refused(spark: SparkSession, log: Path, tmp_path: Path) -> None:
    unnumbered = read(spark, log)
    both = read(spark, log / "1.jellyp").unionByName(read(spark, log / "2.jellyp"))
    # Of what is filtered, no two rows need have one place.
    for rows, says in (
        (unnumbered, TWO_FILES), (unnumbered.where("op = 'D' or row > 1"), TWO_FILES),
        (both, "two rows have patch 0, row 0; .*number_patches"),
    ):
        with pytest.raises(Exception, match=says):
            rows.transform(in_order).write.format("jelly-patch").mode("overwrite").save(str(tmp_path / "refused"))
    read(spark, log).transform(number_patches).transform(in_order).write.format("jelly-patch").save(str(tmp_path / "one"))
    assert changes(read(spark, tmp_path / "one")) == [("A", "q"), ("A", "r"), ("D", "q")]
    with Dataset.open("mem:") as dataset:
        for rows, says in ((unnumbered, TWO_FILES), (unnumbered.drop("row"), TWO_FILES), (both, "two rows have patch 0, row 0")):
            with pytest.raises(JellybridgeError, match=says):
                dataset.apply(rows)
        assert len(dataset) == 0


def test_a_data_frame_of_several_files_is_followed_when_it_is_numbered(spark: SparkSession, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        write(tmp_path / f"{number}.jellyp", patch(("A", str(number)), id=number, prev=number - 1 or None))
    with Dataset.open("mem:") as dataset:
        assert dataset.sync(read(spark, tmp_path / "1.jellyp")).position == "<urn:id:1>"
        unnumbered = read(spark, tmp_path)
        for rows, says in ((unnumbered, TWO_FILES), (unnumbered.unionByName(unnumbered), "two rows have patch 0, row .; .*number"),
                           (unnumbered.unionByName(unnumbered).drop("row"), "two ids have patch 0; .*number_patches")):
            with pytest.raises(JellybridgeError, match=says):
                dataset.sync(rows)
        assert dataset.sync(read(spark, tmp_path).transform(number_patches)).patches == 2
        assert dataset.position() == "<urn:id:3>" and len(dataset) == 3


def test_nothing_is_logged_of_rows_whose_file_is_not_asked_for(spark: SparkSession, log: Path) -> None:
    said: List[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("DataFrameQueryContextLogger")
    logger.addHandler(handler)
    try:
        for frame in (read(spark, log), number_patches(read(spark, log)), read(spark, log).groupBy("op").count()):
            assert _changes.knows_file(frame) == ("_metadata" in str(frame._jdf.queryExecution().analyzed().metadataOutput()))
    finally:
        logger.removeHandler(handler)
    assert said == []


def test_names_count_as_people_read_them(spark: SparkSession, tmp_path: Path) -> None:
    names = ["day 2/log 2#a.jellyp", "day 2/log 10.jellyp", "day 2/log 11%20.jellyp", "day 3/1.jellyp", "day 10/1.jellyp"]
    for name in reversed(names):
        write(tmp_path / name, patch(("A", name.replace(" ", "").replace("%", "p").replace("#", "h"))))
    frame = spark.read.format("jelly-patch").option("recursiveFileLookup", True).load(str(tmp_path))
    found = [name for _, name in changes(number_patches(frame))]
    assert found == [name.replace(" ", "").replace("%", "p").replace("#", "h") for name in names]


@pytest.mark.parametrize("links, says", [
    ({1: None, 2: 1, 4: 3}, "a gap: <urn:id:4> .*4.jellyp.* follows <urn:id:3>, and the chain begins with <urn:id:1>"),
    ({1: None, 2: 1, 3: 1}, "the chain forks after <urn:id:1>: <urn:id:2> .*2.jellyp.* and <urn:id:3> .*3.jellyp.* both follow it"),
    ({1: None, 2: 1, 3: None}, "two patches are the first of their chain: <urn:id:1> .* and <urn:id:3> "),
    ({1: 2, 2: 1}, "in a circle; <urn:id:1>"),
    ({1: None, 2: 3, 3: 2}, "in a circle; <urn:id:2>"),
])
def test_a_chain_that_is_none_is_refused(
    spark: SparkSession, tmp_path: Path, links: Dict[int, Optional[int]], says: str
) -> None:
    for number, prev in links.items():
        write(tmp_path / f"{number}.jellyp", patch(id=number, prev=prev))
    with pytest.raises(JellybridgeError, match=says):
        number_patches(read(spark, tmp_path))


@pytest.mark.parametrize("prev", [1, None])
def test_two_patches_with_one_id_are_refused(spark: SparkSession, tmp_path: Path, prev: Optional[int]) -> None:
    write(tmp_path / "1.jellyp", patch(id=1), patch(id=2, prev=prev))
    write(tmp_path / "2.jellyp", patch(id=2, prev=prev))
    says = "two patches have the id <urn:id:2>: .*1.jellyp, patch 1 and .*2.jellyp, patch 0"
    with pytest.raises(JellybridgeError, match=says):
        number_patches(read(spark, tmp_path))


def test_rows_whose_file_is_not_known_are_refused_with_what_to_do(spark: SparkSession, log: Path) -> None:
    both = read(spark, log / "1.jellyp").unionByName(read(spark, log / "2.jellyp"))
    with pytest.raises(ValueError, match="right behind load"):
        number_patches(both)
    with pytest.raises(ValueError, match="the column origin is missing"):
        number_patches(both, file="origin")
    stream = spark.readStream.format("jelly-patch").schema(jellybridge.CHANGES_SCHEMA).load(str(log))
    with pytest.raises(ValueError, match="rdf-patch-log"):
        number_patches(stream)
    with pytest.raises(ValueError, match="the column value is missing"):
        number_patches(read(spark, log).drop("value"))


def test_several_reads_are_numbered_by_a_column(spark: SparkSession, log: Path) -> None:
    reads = [read(spark, log / f"{n}.jellyp").withColumn("origin", F.col("_metadata.file_path")) for n in (2, 1)]
    numbered = number_patches(reads[0].unionByName(reads[1]), file="origin")
    assert changes(numbered) == [("A", "q"), ("A", "r"), ("D", "q")]
    assert "origin" in numbered.columns


def test_no_rows_have_no_patches(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "1.jellyp")
    assert number_patches(read(spark, tmp_path)).collect() == []


def test_a_patch_that_came_after_the_numbers_is_an_error(spark: SparkSession, log: Path) -> None:
    numbered = number_patches(read(spark, log))
    write(log / "2.jellyp", patch(("D", "q")), patch(("A", "q")))
    with pytest.raises(SparkRuntimeException, match="2.jellyp, patch 1: this patch was not there when .* numbered"):
        numbered.collect()


def test_what_two_jobs_append_has_an_order_by_a_chain_alone(spark: SparkSession, tmp_path: Path) -> None:
    one = spark.createDataFrame([("<urn:s>", "<urn:p>", '"o"', None)], jellybridge.QUADS_SCHEMA)
    added, deleted = (one.limit(0), one), (one, one.limit(0))
    for number, snapshots in enumerate((added, deleted)):
        jellybridge.diff(*snapshots).write.format("jelly-patch").mode("append").save(str(tmp_path / "loose"))
        headers = {"id": f"<urn:id:{number}>", "prev": f"<urn:id:{number - 1}>" if number else None}
        jellybridge.diff(*snapshots, **headers).write.format("jelly-patch").mode("append").save(str(tmp_path / "chain"))
    says = "part-00000-.* comes first: two jobs of Spark wrote them|no number or time in their names"
    with pytest.raises(JellybridgeError, match=says):
        number_patches(read(spark, tmp_path / "loose"))
    with Dataset.open("mem:") as dataset:
        with pytest.raises(JellybridgeError, match=says):
            dataset.sync(tmp_path / "loose")
        assert dataset.sync(tmp_path / "chain").patches == 2 and len(dataset) == 0
    assert changes(number_patches(read(spark, tmp_path / "chain"))) == [("A", "s"), ("D", "s")]


def test_the_files_of_one_job_are_numbered(spark: SparkSession, tmp_path: Path) -> None:
    rows = [row._replace(patch=number, row=place) for number in range(30)
            for place, row in enumerate(patch(("AD"[number % 2], "s"), ("A", str(number))))]
    frame = spark.createDataFrame(rows, jellybridge.CHANGES_SCHEMA).repartitionByRange(3, "patch")
    frame.sortWithinPartitions("patch", "row").write.format("jelly-patch").save(str(tmp_path / "log"))
    assert len(list((tmp_path / "log").glob("*.jellyp"))) == 3
    expected = [change for number in range(30) for change in (("AD"[number % 2], "s"), ("A", str(number)))]
    assert changes(number_patches(read(spark, tmp_path / "log"))) == expected
    with Dataset.open("mem:") as dataset:
        assert dataset.sync(tmp_path / "log").patches == 30 and len(dataset) == 30


class Log(NamedTuple):
    """Files of patches; ``order`` says at which place of the chain each patch stands, where they have one."""

    files: List[List[Tuple[List[Change], str]]]
    names: List[str]
    order: List[int]
    chained: bool


@st.composite
def logs(draw: Any) -> Log:
    change = st.tuples(st.sampled_from("AD"), st.sampled_from("pqrs"))
    one = st.tuples(st.lists(change, max_size=4), st.sampled_from(["TC", "TC", "TC", "TA"]))
    files = draw(st.lists(st.lists(one, min_size=1, max_size=3), min_size=2, max_size=5))
    names = st.integers(0, 300).map(lambda number: f"f{number}")
    found = draw(st.lists(names, min_size=len(files), max_size=len(files), unique=True))
    return Log(files, found, draw(st.permutations(range(sum(map(len, files))))), draw(st.booleans()))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(log=logs())
def test_numbered_patches_come_to_what_one_after_the_other_makes_and_to_what_sync_makes(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, log: Log
) -> None:
    folder = tmp_path_factory.mktemp("log")
    places = iter(log.order)
    in_chain: List[Tuple[int, Tuple[List[Change], str]]] = []
    for name, patches in zip(log.names, log.files):
        rows = []
        for one in patches:
            place = next(places)
            in_chain.append((place, one))
            header = {"id": place, "prev": place - 1 if place else None} if log.chained else {}
            rows.append(patch(*one[0], end=one[1], **header))
        write(folder / f"{name}.jellyp", *rows)

    frame = number_patches(read(spark, folder))
    with Dataset.open("mem:") as dataset:
        dataset.sync(folder)
        synced = {row["s"] for row in dataset.query("SELECT ?s { ?s <urn:p> ?o }")}
    with Dataset.open("mem:") as dataset:
        dataset.apply(frame)
        applied = {row["s"] for row in dataset.query("SELECT ?s { ?s <urn:p> ?o }")}
    net: Set[str] = {f"<urn:{name}>" for op, name in changes(net_effect(frame)) if op == "A"}
    assert net == applied == synced
    if log.chained and len(in_chain) > 1:
        model: Set[str] = set()
        for _, (statements, end) in sorted(in_chain, key=lambda entry: entry[0]):
            for op, name in statements if end == "TC" else []:
                (model.add if op == "A" else model.discard)(f"<urn:{name}>")
        assert net == model
