"""Change rows: their columns, and their operations in the DataFrame API. Runs under Spark Connect too."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, overload
from urllib.parse import unquote
from weakref import WeakSet

from . import _times
from ._errors import JellybridgeError
from ._spark import described, frame_of
from ._terms import as_id, as_term
from ._types import BlankNodes, Op, ReadFormat
from .functions import patch_order, rdf_canonical

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ._dataset import Dataset
    from ._difference import Difference
    from ._locations import Readable

#: The columns of quads, as the format ``nquads`` reads them.
QUADS_SCHEMA = "subject STRING, predicate STRING, object STRING, graph STRING"

#: The columns of change rows, as the format ``jelly-patch`` reads them.
CHANGES_SCHEMA = (
    "patch BIGINT NOT NULL, tx BIGINT, row BIGINT NOT NULL, op STRING NOT NULL, "
    "subject STRING, predicate STRING, object STRING, graph STRING, name STRING, value STRING"
)

_OPS = ("H", "TX", "TC", "TA", "PA", "PD", "A", "D")
_TRIPLE = ("subject", "predicate", "object")
_QUAD = (*_TRIPLE, "graph")
#: Keeps a quad unless it is in the graph in which a dataset stores its positions.
_IS_DATA = "graph IS NULL OR graph <> '<urn:jellybridge:sync>'"
# The place of a row in the order of all rows, and the place of rows that belong to no patch.
_PLACE = "struct(patch, row) AS place"
_NOWHERE = "cast(null AS struct<patch: bigint, row: bigint>) AS place"
# The file of a row, as Spark's file sources report it.
FILE = "_metadata.file_path"
# The columns of a row's file and of its patch's number, while patches are numbered.
_FILE, _NUMBER = "__jellybridge_file", "__jellybridge_number"
_TWO_FILES = "has rows of two files, %s and %s, each of which counts from 0; number them by jellybridge.number_patches"
_NUMBERED = "; the patches of several files get numbers of their own by jellybridge.number_patches"
# Why a patch does not belong behind the one before it, as text; null if it does. ``before`` is that patch, ``first`` the first of all.
_GAP = """CASE WHEN lower(prev) <> lower(before.id)
    THEN concat(coalesce(id, 'a patch'), ' follows ', prev, ', and the patch before it is ', before.id)
    WHEN before IS NOT NULL AND lower(id) = lower(first.prev)
    THEN concat(id, ', which the first patch follows, is behind ', coalesce(before.id, 'it')) END"""
_GAP_ADVICE = "; give all patches, in the order of their chain" + _NUMBERED
# DataFrames that were made with one partition and in order.
_IN_ORDER: WeakSet[DataFrame] = WeakSet()
# The places of those rows of a difference that are not statements. Place 1 has the deleted statements, place 2 the added ones.
_HEADER, _BEGIN, _COMMIT = -1, 0, 3


class ChangeRow(NamedTuple):
    """A change, with the columns that all interfaces share.

    A term is text in canonical N-Triples: ``<iri>``, ``_:label``, ``"text"``, ``"text"@en``, ``"1"^^<datatype>``.

    >>> ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"').graph is None
    True
    """

    #: Number of the patch in the file, from 0.
    patch: int = 0
    #: Number of the transaction in the file, from 0; ``None`` outside of a transaction.
    tx: Optional[int] = None
    #: Position in the file, from 0. Reading always sets it; writing does not need it.
    row: Optional[int] = None
    #: ``H`` ``TX`` ``TC`` ``TA`` ``PA`` ``PD`` ``A`` ``D``
    op: Op = ""  # type: ignore[assignment]
    subject: Optional[str] = None
    predicate: Optional[str] = None
    object: Optional[str] = None
    #: Graph of ``A`` ``D`` ``PA`` ``PD``; ``None`` = the default graph, or no graph in a triples stream.
    graph: Optional[str] = None
    #: The header's key (``H``), the prefix without colon (``PA``, ``PD``).
    name: Optional[str] = None
    #: The header's value, a term (``H``); the namespace, an IRI term (``PA``; optional in ``PD``).
    value: Optional[str] = None


@overload
def diff(
    old: Union[Readable, Dataset],
    new: Union[Readable, Dataset],
    *,
    blank_nodes: Optional[BlankNodes] = None,
    format: Optional[ReadFormat] = None,
    prefixes: Optional[Mapping[str, str]] = None,
    base: Optional[str] = None,
) -> Difference: ...


@overload
def diff(
    old: DataFrame,
    new: DataFrame,
    *,
    patch: int = 0,
    id: Optional[str] = None,
    prev: Optional[str] = None,
    blank_nodes: Optional[BlankNodes] = None,
    partitions: Optional[int] = 1,
    max_delete: Union[int, str, None] = None,
) -> DataFrame: ...


def diff(
    old: Any,
    new: Any,
    *,
    patch: int = 0,
    id: Optional[str] = None,
    prev: Optional[str] = None,
    blank_nodes: Optional[BlankNodes] = None,
    partitions: Optional[int] = 1,
    max_delete: Union[int, str, None] = None,
    format: Optional[ReadFormat] = None,
    prefixes: Optional[Mapping[str, str]] = None,
    base: Optional[str] = None,
) -> Any:
    """Computes the changes from ``old`` to ``new``: one transaction, with deletions before additions.

    Two files or open datasets are compared without Spark. The result shows what changed, by subject. It is also the rows of a
    patch, one by one or as Arrow columns:

    >>> from pathlib import Path
    >>> _ = Path("one.ttl").write_text("PREFIX ex: <http://example.org/> ex:tea ex:color 'green' .")
    >>> _ = Path("two.ttl").write_text("PREFIX ex: <http://example.org/> ex:tea ex:color 'black' .")
    >>> print(jellybridge.diff("one.ttl", "two.ttl"))
    --- one.ttl
    +++ two.ttl
        prefix ex: <http://example.org/>
    <BLANKLINE>
      ex:tea
    -     ex:color  "green"
    +     ex:color  "black"
    <BLANKLINE>
    1 statement added, 1 deleted. Subjects: 0 new, 0 deleted, 1 changed.

    Two DataFrames are compared on Spark. The result is a DataFrame of change rows.

    Both sides are sets of triples or quads, so a repeated row counts once. Terms are equal if their texts are equal; for blank
    nodes, ``blank_nodes`` decides. A null graph is the default graph and equals another null graph.

    The rows are ``TX``, the ``D`` rows, the ``A`` rows, and ``TC``. Statements are sorted by graph, subject, predicate and
    object. ``row`` counts from 0. Two runs therefore give the same rows. If nothing changed, ``TX`` and ``TC`` remain, so that
    a log has one patch per snapshot. The graph ``<urn:jellybridge:sync>`` is left out: a dataset keeps its positions there, and
    no patch may change it.

    >>> old = spark.createDataFrame([("<urn:s>", "<urn:p>", '"1"', None)], jellybridge.QUADS_SCHEMA)
    >>> new = spark.createDataFrame([("<urn:s>", "<urn:p>", '"2"', None)], jellybridge.QUADS_SCHEMA)
    >>> jellybridge.diff(old, new).select("op", "object").show()
    +---+------+
    | op|object|
    +---+------+
    | TX|  NULL|
    |  D|   "1"|
    |  A|   "2"|
    | TC|  NULL|
    +---+------+

    For a log of several patches, ``unionByName`` the differences and write them in order::

        first = jellybridge.diff(spark.createDataFrame([], jellybridge.QUADS_SCHEMA), monday)
        second = jellybridge.diff(monday, tuesday, patch=1)
        log = first.unionByName(second).transform(jellybridge.in_order)
        log.write.format("jelly-patch").save("log")

    One task writes a file of patches, so by default all rows are in one partition. A patch log and a dataset also accept one
    patch from many tasks, if its rows come in order. Send a large difference there with several partitions::

        changes = jellybridge.diff(monday, tuesday, partitions=None)
        changes.write.format("rdf-patch-log").option("inOrder", True).mode("append").save("log")

    Args:
        old: a file or another input of :func:`convert`, an open :class:`Dataset`, or a DataFrame with the columns ``subject``,
            ``predicate``, ``object`` and, unless it holds triples only, ``graph``.
        new: likewise.
        patch: the number for the columns ``patch`` and ``tx``; each such patch has one transaction.
        id: the header ``id`` of the patch: a UUID, an IRI with or without ``< >``, or another term. :meth:`Dataset.sync` recognizes applied patches by
            it. ``None`` = no header.
        prev: the header ``prev``, which is the id of the patch before. ``None`` = no header.
        blank_nodes: ``label`` compares blank nodes by label. ``structure`` compares them by the statements about them, whatever
            their labels, and keeps the difference small where something changed; blank nodes of ``new`` then get the labels of
            their equals in ``old``. On Spark, ``structure`` needs the jar, and runs jobs on the quads with blank nodes when you
            call it. One task compares the changed components, in its memory. ``None`` is ``structure`` where one of the two is
            a document such as Turtle, and ``label`` otherwise.
        partitions: the number of partitions, which are consecutive ranges of the sorted rows. ``None`` lets adaptive execution
            choose by size. With several partitions, the numbers in ``row`` grow with gaps, and may differ between two runs.
        max_delete: the largest number of statements of ``old`` that ``new`` may lack, or a share of them such as ``20%``. If
            more are gone, as after a failed export, the query fails. ``None`` = no limit.
        format: the format of files; ``None`` = by their suffixes. ``patch``, ``id``, ``prev``, ``partitions`` and
            ``max_delete`` are for DataFrames.
        prefixes: namespaces by their prefixes, which come before those of the files.
        base: the base of relative IRIs in files, as in :func:`convert`.

    Returns:
        A :class:`Difference`. For DataFrames, change rows with all ten columns of :data:`CHANGES_SCHEMA`, in order.

    Raises:
        TypeError: one of the two is a DataFrame and the other is not.
        ValueError: an argument is for the other kind, a column is missing or does not belong to quads, ``id`` or ``prev`` is not a term, ``blank_nodes`` is
            unknown, ``partitions`` is less than 1, or ``max_delete`` is neither a number nor a share.
        SparkRuntimeException: when the query runs, more statements would be deleted than ``max_delete`` allows.
    """
    frames = [_is_frame(side) for side in (old, new)]
    if any(frames) != all(frames):
        raise TypeError("diff compares two DataFrames, or two files or datasets, and not one with another")
    of_files = {"format": format is not None, "prefixes": prefixes is not None, "base": base is not None}
    of_frames = {"patch": patch != 0, "id": id is not None, "prev": prev is not None, "partitions": partitions != 1,
                 "max_delete": max_delete is not None}
    for name, is_given in (of_files if all(frames) else of_frames).items():
        if is_given:
            raise ValueError(f"{name} is an argument for {'files and datasets' if all(frames) else 'DataFrames'}")
    if not all(frames):
        from ._difference import compare

        return compare(old, new, blank_nodes, format, prefixes, base=base)
    from pyspark.sql import functions as F

    blank_nodes = blank_nodes or "label"
    sides = (
        _quads(old, "old", "diff").withColumn("in_old", F.lit(True))
        .unionByName(_quads(new, "new", "diff").withColumn("in_old", F.lit(False)))
    )
    chain = [(name, as_id(name, value)) for name, value in (("id", id), ("prev", prev)) if value is not None]
    if blank_nodes not in ("label", "structure"):
        raise ValueError(f"blank_nodes is {blank_nodes!r}: it must be 'label' or 'structure'")
    if partitions is not None and partitions < 1:
        raise ValueError(f"partitions is {partitions}: it must be at least 1, or None")
    if blank_nodes == "structure":
        from ._blank_nodes import named_as_before
        with described(old.sparkSession, "match blank nodes"):
            sides = named_as_before(sides)
    # One shuffle for both directions. Unlike a join, grouping treats two nulls as the same graph.
    in_old, in_new = F.max(F.col("in_old")), F.max(~F.col("in_old"))
    found = sides.groupBy(*_QUAD).agg(in_old.alias("in_old"), in_new.alias("in_new")).where(_IS_DATA)
    changed = (
        found.where(F.col("in_old") != F.col("in_new"))
        .select(F.when(F.col("in_old"), 1).otherwise(2).alias("rank"), *_QUAD)
    )
    headers = [{"rank": _HEADER, "name": name, "value": value} for name, value in chain]
    around = frame_of(old.sparkSession, [*headers, {"rank": _BEGIN}, {"rank": _COMMIT}], "rank INT, name STRING, value STRING")
    if max_delete is not None:
        around = around.join(_allowed(found, max_delete))
    rank = F.col("rank")
    op = F.when(rank == _HEADER, "H").when(rank == _BEGIN, "TX").when(rank == 1, "D").when(rank == 2, "A").otherwise("TC")
    if partitions != 1:
        # Range partitioning reads its input twice, so only the changed rows go through it.
        changed = changed.repartition("subject")
    return _numbered(
        changed.unionByName(around, allowMissingColumns=True), ("rank", "name", "graph", *_TRIPLE), partitions,
        F.lit(patch).cast("bigint").alias("patch"),
        F.when(rank != _HEADER, patch).cast("bigint").alias("tx"),
        op.alias("op"),
    )


def _allowed(found: DataFrame, max_delete: Union[int, str]) -> DataFrame:
    """Returns one row without columns, or fails when the query runs: too many statements are in ``old`` alone."""
    from pyspark.sql import functions as F

    match = re.fullmatch(r"(\d{1,18})|(\d{1,3}(?:\.\d{1,9})?)%", str(max_delete).strip())
    if match is None or (match[2] and Decimal(match[2]) > 100):
        raise ValueError(f"max_delete is {max_delete!r}: it must be a number of statements, or a share of them from 0% to 100%")
    deleted, before = F.count_if(F.col("in_old") & ~F.col("in_new")), F.count_if("in_old")
    # Decimals: of doubles, 29 of 100 would be more than 29 %.
    is_beyond = deleted > int(match[1]) if match[1] else deleted * 100 > before.cast("decimal(20)") * F.lit(Decimal(match[2]))
    fault = F.concat(F.lit("new lacks "), F.col("deleted"), F.lit(" of the "), F.col("before"), F.lit(
        f" statements of old, and max_delete allows {max_delete}; see what is gone, or allow more"))
    counted = found.agg(deleted.alias("deleted"), before.alias("before"), is_beyond.alias("is_beyond"))
    return counted.where(F.when(F.col("is_beyond"), F.raise_error(fault)).otherwise(F.lit(True))).select()


def _is_frame(value: object) -> bool:
    return hasattr(value, "sparkSession")


def _numbered(rows: DataFrame, order: Sequence[str], partitions: Optional[int], patch: Column, tx: Column, op: Column) -> DataFrame:
    """Returns the rows as numbered change rows, sorted and split into so many ranges."""
    from pyspark.sql import functions as F

    if partitions == 1:
        divided = rows.repartition(1)
    else:
        divided = rows.repartitionByRange(*(() if partitions is None else (partitions,)), *order)
    numbered = divided.sortWithinPartitions(*order).select(
        # Counts from 0 without gaps if there is one partition.
        patch, tx, F.monotonically_increasing_id().alias("row"), op, *_QUAD, "name", "value",
    )
    if partitions == 1:
        _IN_ORDER.add(numbered)
    return numbered


def _quads(df: DataFrame, name: str, call: str) -> DataFrame:
    """Returns the columns of quads of a DataFrame that may lack the graph. ``name`` and ``call`` are for the error message."""
    from pyspark.sql import functions as F

    columns: List[str] = df.columns
    missing = [column for column in _TRIPLE if column not in columns]
    surplus = [column for column in columns if column not in _QUAD]
    if missing or surplus:
        raise ValueError(
            f"{name} has the columns {', '.join(columns) or '(none)'}: {call} takes subject, predicate, object and "
            f"optionally graph; select these"
        )
    graph = F.col("graph") if "graph" in columns else F.lit(None)
    return df.select(
        *(F.col(column).cast("string").alias(column) for column in _TRIPLE),
        graph.cast("string").alias("graph"),
    )


def apply_changes(quads: DataFrame, changes: DataFrame) -> DataFrame:
    """Applies changes to quads; the inverse of :func:`diff`.

    The last operation on each quad counts. Operations of aborted transactions (``TA``) are ignored. So ``apply_changes(old,
    diff(old, new))`` has the quads of ``new``. Headers and prefixes change no quad.

    >>> old = spark.createDataFrame([("<urn:s>", "<urn:p>", '"1"', None)], jellybridge.QUADS_SCHEMA)
    >>> new = spark.createDataFrame([("<urn:s>", "<urn:p>", '"2"', None)], jellybridge.QUADS_SCHEMA)
    >>> jellybridge.apply_changes(old, jellybridge.diff(old, new)).select("object").show()
    +------+
    |object|
    +------+
    |   "2"|
    +------+

    Nothing is collected to the driver. One shuffle groups each quad with its operations. Another one checks that no two rows
    have the same place, since the order of operations would be unknown then.

    Args:
        quads: columns ``subject``, ``predicate``, ``object`` and, unless it holds triples only, ``graph``. A repeated row
            counts once, a null graph is the default graph, and the graph ``<urn:jellybridge:sync>`` is left out.
        changes: change rows whose ``patch`` and ``row`` together are unique; :func:`number_patches` makes them so for several
            files. ``tx`` is needed if a transaction is aborted.

    Returns:
        The columns of :data:`QUADS_SCHEMA`, each quad once, unordered.

    Raises:
        ValueError: a column is missing or does not belong to quads.
        SparkRuntimeException: when the query runs, a row has an unknown op, a null in ``patch`` or ``row``, the same
            ``patch`` and ``row`` as another, or ``TA`` without ``tx``. The message names the row.
    """
    from pyspark.sql import functions as F

    rows = _rows(changes, "apply_changes")
    there = _quads(quads, "quads", "apply_changes").selectExpr(_NOWHERE, "'A' AS op", *_QUAD)
    said = _committed(rows).where("op in ('A', 'D')").selectExpr(_PLACE, "op", *_QUAD)
    return (
        there.unionByName(said).unionByName(_faults(rows).select("place", "op", *_QUAD))
        .groupBy(*_QUAD)
        # Existing quads have no place, and so sort first.
        .agg(F.max(F.struct("place", "op")).alias("last"))
        .where("last.op = 'A'").where(_IS_DATA)
        .select(*_QUAD)
    )


def net_effect(changes: DataFrame) -> DataFrame:
    """Reduces changes to their net effect: the last operation on each quad and each prefix, as one patch with one transaction.

    Operations of aborted transactions (``TA``) are left out. The rest keep their order. A prefix that is deleted and added again
    has both operations, and the deletion has the namespace before all of them. The new patch has the ``id`` of the
    last patch and the ``prev`` of the first, so it can replace all of them in a chain. ``patch`` and ``row`` decide which
    operation is the last. Number the patches of several files first, before you filter any rows::

        log = spark.read.format("jelly-patch").load("log").transform(jellybridge.number_patches)
        dataset.apply(log.transform(jellybridge.net_effect))

    >>> triple = ("<urn:s>", "<urn:p>", "<urn:o>")
    >>> twice = spark.createDataFrame(
    ...     [(0, 0, "A", *triple), (0, 1, "A", "<urn:s>", "<urn:p>", '"1"'), (1, 2, "D", *triple)],
    ...     "patch BIGINT, row BIGINT, op STRING, subject STRING, predicate STRING, object STRING")
    >>> [(row.op, row.object) for row in jellybridge.net_effect(twice).collect()]
    [('TX', None), ('A', '"1"'), ('D', '<urn:o>'), ('TC', None)]

    Args:
        changes: change rows whose ``patch`` and ``row`` together are unique. ``tx`` is needed if a transaction is aborted.

    Returns:
        Change rows, all ten columns of :data:`CHANGES_SCHEMA`, in one partition and in order.

    Raises:
        ValueError: a required column is missing.
        SparkRuntimeException: when the query runs, a row has an unknown op, a null in ``patch`` or ``row``, the same
            ``patch`` and ``row`` as another, or ``TA`` without ``tx``. The message names the row. Also if the header ``prev`` of a
            patch is not the ``id`` of the one before it.
    """
    rows = _rows(changes, "the net effect")
    return _net(rows, _chain(rows))


def net_operations(changes: DataFrame) -> DataFrame:
    """Returns the net effect without headers, of patches that need not follow each other."""
    return _net(_rows(changes, "the net effect"), None)


def _net(rows: DataFrame, chain: Optional[DataFrame]) -> DataFrame:
    """Returns the net effect of rows of :func:`_rows`. ``chain`` has the rows of its headers."""
    from pyspark.sql import functions as F

    absent = F.lit(None).cast("string")
    effective = _committed(rows)
    statements = (
        effective.where("op in ('A', 'D')")
        .groupBy(*_QUAD)
        .agg(F.max(F.struct(F.expr(_PLACE), "op")).alias("last"))
        .select(F.col("last.place").alias("place"), F.col("last.op").alias("op"), *_QUAD, absent.alias("name"),
                absent.alias("value"))
    )
    prefixes = (
        effective.where("op in ('PA', 'PD')")
        .withColumn("change", F.struct(F.expr(_PLACE), "op", "graph", "value"))
        .groupBy("name")
        .agg(F.min("change").alias("first"), F.max("change").alias("last"),
             F.max(F.when(F.col("op") == "PD", F.col("change"))).alias("deleted"))
        # The namespace before all of them, if a deletion says it.
        .withColumn("before", F.when(F.col("first.op") == "PD", F.col("first.value")))
        .select("name", F.explode(F.array(F.struct("deleted.place", "deleted.op", "deleted.graph", F.col("before").alias("value")),
                                          F.when(F.col("last.op") == "PA", F.col("last")))).alias("change"))
        .where("change.op is not null")
        .select("change.place", "change.op", *(absent.alias(c) for c in _TRIPLE), "change.graph", "name", "change.value")
    )
    nowhere = F.expr(_NOWHERE)
    ends = rows.sparkSession.range(2).select(
        nowhere, F.when(F.col("id") == 0, "TX").otherwise("TC").alias("op"),
        *(absent.alias(c) for c in (*_QUAD, "name", "value")),
    )
    rank = F.when(F.col("op") == "H", 0).when(F.col("op") == "TX", 1).when(F.col("op") == "TC", 3).otherwise(2)
    parts = [statements, prefixes, *([] if chain is None else [chain]), _faults(rows), ends]
    return _numbered(
        reduce(lambda one, other: one.unionByName(other), parts).withColumn("rank", rank), ("rank", "place", "name"), 1,
        F.lit(0).cast("bigint").alias("patch"), F.when(F.col("op") != "H", 0).cast("bigint").alias("tx"), F.col("op"),
    )


def _chain(rows: DataFrame) -> DataFrame:
    """Returns the headers of a net effect: the id of the last patch and the predecessor of the first one.

    Raises:
        SparkRuntimeException: when the query runs, whatever it asks for, a patch does not follow the one before it.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    id, prev = (F.when(F.expr(f"op = 'H' and name = '{name}'"), F.struct("row", "value")) for name in ("id", "prev"))
    chain_of = rows.groupBy("patch").agg(F.max(id)["value"].alias("id"), F.min(prev)["value"].alias("prev"))
    # One task sees all patches, though not at once, a row for each.
    in_order = Window.partitionBy(F.isnull("patch")).orderBy("patch")
    patch = F.struct("id", "prev")
    followed = chain_of.select("*", F.lag(patch).over(in_order).alias("before"), F.first(patch).over(in_order).alias("first"))
    gap = F.struct("patch", F.expr(_GAP).alias("text"))
    headers = followed.agg(F.max_by("id", "patch").alias("id"), F.min_by("prev", "patch").alias("prev"),
                           F.min(F.when(gap["text"].isNotNull(), gap))["text"].alias("gap"))
    both = F.array(*(F.struct(F.lit(name).alias("name"), F.col(name).alias("value")) for name in ("id", "prev")))
    absent = F.lit(None).cast("string")
    is_gap, refused = F.col("gap").isNotNull(), F.raise_error(F.concat("gap", F.lit(_GAP_ADVICE)))
    # Refused twice: a query that asks for some ops has no other look at the rows, and one of some columns none at the op.
    return headers.select("gap", F.explode(both).alias("h")).where(
        F.when(is_gap, refused.cast("boolean")).otherwise(F.col("h.value").isNotNull())
    ).select(
        F.expr(_NOWHERE), F.when(is_gap, refused.cast("string")).otherwise("H").alias("op"), *(absent.alias(c) for c in _QUAD),
        "h.name", "h.value",
    )


def _rows(changes: DataFrame, what: str) -> DataFrame:
    """Returns the columns of change rows, with nulls for missing optional ones. ``what`` names the call in the error for a
    required one.
    """
    from pyspark.sql import functions as F
    from pyspark.sql.types import IntegralType, NullType

    needed, numbers = ("patch", "row", "op", *_TRIPLE), ("patch", "row", "tx")
    columns = columns_of(changes)
    missing = [column for column in needed if column not in columns]
    if missing:
        raise ValueError(f"the column {missing[0]} is missing: {what} needs {', '.join(needed)}")
    for name in (columns[column] for column in numbers if column in columns):
        kind = changes.schema[name].dataType
        if not isinstance(kind, (IntegralType, NullType)):
            raise ValueError(f"column '{name}' is of type {kind.simpleString()}; change rows have it as bigint: "
                             f"cast it, as col('{name}').cast('bigint')")
    found = {column: F.col(columns[column]) if column in columns else F.lit(None) for column in (*needed, "graph", "name", "value", "tx")}
    return with_one_file_a_patch(changes).select(
        *(each.cast("bigint" if column in numbers else "string").alias(column) for column, each in found.items()))


def columns_of(changes: DataFrame) -> Dict[str, str]:
    """Returns the spelling of each column of change rows in a DataFrame. Spark keeps that of a query.

    Raises:
        ValueError: a column comes twice.
    """
    spelled: Dict[str, str] = {}
    for name in changes.columns:
        column = name.lower()
        if column in spelled:
            raise ValueError(f"column '{name}' comes twice; leave one out")
        if column in ChangeRow._fields:
            spelled[column] = name
    return spelled


def with_one_file_a_patch(changes: DataFrame) -> DataFrame:
    """Returns the same rows; a query on them fails if a patch has rows of two files, since each file counts patches from 0."""
    from pyspark.sql import functions as F

    files = _of_two_files(changes)
    if files is None:
        return changes
    refused = F.raise_error(F.format_string(f"patch %s {_TWO_FILES}", "of", "file", "other")).cast("string").alias("op")
    return changes.unionByName(files.select(refused).where("op is not null"), allowMissingColumns=True)


def require_one_file_a_patch(changes: DataFrame) -> None:
    """Checks at once that no patch has rows of two files.

    Raises:
        JellybridgeError: a patch has rows of two files.
    """
    files = _of_two_files(changes)
    found = None if files is None else files.first()
    if found is not None:
        raise JellybridgeError(f"patch {found['of']} " + _TWO_FILES % (found["file"], found["other"]))


def _of_two_files(changes: DataFrame) -> Optional[DataFrame]:
    """Returns the patches with rows of two files. ``None`` if Spark does not know the files: in streams, and after joins,
    unions and groups.
    """
    from pyspark.sql import functions as F

    if changes.isStreaming or not knows_file(changes):
        return None
    columns = columns_of(changes)
    patch = F.col(columns["patch"]) if "patch" in columns else F.lit(0)
    files = changes.groupBy(patch.alias("of")).agg(F.min(FILE).alias("file"), F.max(FILE).alias("other"))
    return files.where("file <> other")


def knows_file(rows: DataFrame) -> bool:
    """Returns whether Spark knows the file of each row."""
    from pyspark.errors import AnalysisException

    column = FILE.partition(".")[0]
    if hasattr(rows, "_jdf"):
        # Just selecting the column would make Spark log a long error.
        hidden = rows._jdf.queryExecution().analyzed().metadataOutput()
        return column in rows.columns or any(hidden.apply(i).name() == column for i in range(hidden.size()))
    try:
        rows.select(FILE).schema  # under Spark Connect, this resolves the column
    except AnalysisException:
        return False
    return True


def _committed(rows: DataFrame) -> DataFrame:
    """Returns those rows of :func:`_rows` that change a dataset: statements and prefixes of transactions that are not aborted.
    """
    # Both columns, since transaction numbers restart in each file.
    transaction = ["patch", "tx"]
    aborted = rows.where("op = 'TA'").select(*transaction).distinct()
    return rows.where("op in ('A', 'D', 'PA', 'PD')").join(aborted, transaction, "left_anti")


def _faults(rows: DataFrame) -> DataFrame:
    """Returns an empty DataFrame whose query fails if two rows have the same place, an aborted transaction has no number, or a patch
    was lost.

    Two rows at one place may be about different quads. So all rows are checked, before they are grouped by quad.
    """
    from pyspark.sql import functions as F

    # A placeholder, which stands for a patch of a log.
    lost = F.when(F.expr("op = 'H' AND name = 'lost'"), F.coalesce("value", F.lit("")))
    other = F.when(~F.coalesce(F.col("op").isin(*_OPS), F.lit(False)), F.coalesce("op", F.lit("null")))
    fault = F.when(
        F.col("other").isNotNull(), F.concat(F.lit("a row has op "), "other", F.lit(f"; it must be one of {', '.join(_OPS)}"))
    ).when(F.col("patch").isNull() | F.col("row").isNull(), f"a row has null there{_NUMBERED}").when(
        F.col("rows") > 1, f"two rows have this place{_NUMBERED}"
    ).when(
        F.col("lost").isNotNull(), F.concat(F.lit("the patch was lost, and this stands in its place: "), "lost",
                                            F.lit("; append the lost changes anew, if they are known"))
    ).when(F.col("lacks_tx"), "an aborted transaction has no tx; number transactions in tx, so that its rows are known")
    refused = F.raise_error(F.format_string("patch %s, row %s: %s", "patch", "row", fault)).cast("string")
    return (
        rows.groupBy("patch", "row").agg(F.count(F.lit(1)).alias("rows"), F.max(other).alias("other"), F.max(lost).alias("lost"),
                                     F.max((F.col("op") == "TA") & F.col("tx").isNull()).alias("lacks_tx"))
        .select(F.expr(_NOWHERE), F.when(fault.isNotNull(), refused).alias("op"),
                *(F.lit(None).cast("string").alias(c) for c in (*_QUAD, "name", "value")))
        .where("op is not null")
    )


def in_order(df: DataFrame, *partition_by: str) -> DataFrame:
    """Returns change rows in one partition, sorted by ``patch`` and ``row``, as writing patches requires.

    The results of :func:`diff` and :func:`net_effect` are so already, and are returned as they are.

    Spark does not preserve order by itself. The format ``jelly-patch`` rejects rows out of order, and two rows at one place.
    For rows of several files, call :func:`number_patches` first::

        changes.transform(jellybridge.in_order).write.format("jelly-patch").save("log")

    >>> rows = spark.createDataFrame([(2, "TC"), (0, "TX")], "row BIGINT, op STRING")
    >>> [row.op for row in rows.transform(jellybridge.in_order).collect()]
    ['TX', 'TC']

    With ``partitionBy``, Spark sorts by those columns before it writes, and drops the earlier order. Name the columns here too.
    All rows of a patch need the same values in them, so that the patch stays in one folder::

        changes.transform(jellybridge.in_order, "day").write.partitionBy("day").format("jelly-patch").save("log")

    Args:
        df: change rows with ``row``, and with ``patch`` if there are several patches.
        partition_by: the columns of ``partitionBy``. In text columns, null and ``""`` become ``__HIVE_DEFAULT_PARTITION__``,
            the folder that Spark uses for both. It reads back as null.

    Raises:
        ValueError: the column ``row``, or a column of ``partition_by``, is missing.
    """
    missing = [column for column in partition_by if column not in df.columns]
    if missing:
        raise ValueError(f"there is no column {missing[0]} to partition by; the columns are {', '.join(df.columns)}")
    columns = columns_of(df)
    if "row" not in columns:
        raise ValueError("the column row is missing: without it nothing says in which order the changes apply")
    if df in _IN_ORDER and not partition_by:
        return df
    numbers = [columns[column] for column in ("patch", "row") if column in columns]
    keys = [*partition_by, *(name for name in numbers if name not in partition_by)]
    return _without_empty(with_one_file_a_patch(df), partition_by).repartition(1).sortWithinPartitions(*keys)


# The folder for rows without a value in a column of partitionBy.
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


def _without_empty(df: DataFrame, columns: Sequence[str]) -> DataFrame:
    """Replaces missing and empty texts in the columns by Spark's folder name for them.

    Spark does this itself just before it writes, and then considers the rows unsorted.
    """
    from pyspark.sql import functions as F

    texts = [field.name for field in df.schema if field.name in columns and field.dataType.typeName() == "string"]
    filled = {name: F.coalesce(F.nullif(F.col(name), F.lit("")), F.lit(_NO_VALUE)) for name in texts}
    return df.withColumns(filled) if filled else df


def history(
    changes: DataFrame, *, subject: Optional[str] = None, quad: Optional[Sequence[Optional[str]]] = None
) -> DataFrame:
    """Lists the operations on a subject or on one quad, in order.

    Operations of aborted transactions (``TA``) are left out. Operations without effect, such as adding an existing quad, are
    included. For effective changes only, use ``CHANGES FROM VERSION`` in SQL::

        log = spark.read.format("rdf-patch-log").load("/data/log")
        jellybridge.history(log, subject="<https://example.org/book>").show()

    >>> rows = spark.createDataFrame(
    ...     [(1, 0, "A", "<urn:book>", "<urn:title>", '"Tea"'), (2, 0, "D", "<urn:book>", "<urn:title>", '"Tea"')],
    ...     "patch BIGINT, row BIGINT, op STRING, subject STRING, predicate STRING, object STRING")
    >>> jellybridge.history(rows, subject="urn:book").select("version", "op", "object").show()
    +-------+---+------+
    |version| op|object|
    +-------+---+------+
    |      1|  A| "Tea"|
    |      2|  D| "Tea"|
    +-------+---+------+

    Args:
        changes: change rows whose ``patch`` and ``row`` together are unique, as in a log; :func:`number_patches` makes them so
            for several files. ``tx`` is needed if a transaction is aborted, ``name`` and ``value`` for the times.
        subject: an IRI, with or without ``< >``, or another term in N-Triples.
        quad: three such terms, or four with the graph: subject, predicate, object, graph. ``None`` = the default graph.

    Returns:
        A row for each ``A`` and ``D``, in order: ``version`` (the patch), ``time`` (from its header, or null), ``op``,
        ``subject``, ``predicate``, ``object``, ``graph``.

    Raises:
        ValueError: a column is missing, not exactly one of ``subject`` and ``quad`` is given, a quad has another number of
            terms, or a text is not a term.
        SparkRuntimeException: when the query runs, the rows have no order: two have the same ``patch`` and ``row``, one has a
            null there, or a patch has rows of two files; or one has ``TA`` without ``tx``. The message says which.
    """
    rows = _rows(changes, "a history")
    return told(rows, _faults(rows), subject=subject, quad=quad)


def quad_terms(quad: Sequence[Optional[str]]) -> List[Optional[str]]:
    """Returns the four terms of a wanted quad. ``None`` = the default graph.

    Raises:
        ValueError: a text is not a term, or there are not three or four.
    """
    if isinstance(quad, str) or len(quad) not in (3, 4):
        raise ValueError(f"quad={quad!r}: a quad has three terms, or four with its graph")
    return [None if column == "graph" and term is None else as_term(f"{column} of quad", term)
            for column, term in zip(_QUAD, (*quad, None))]


def told(
    rows: DataFrame, faults: Optional[DataFrame], *, subject: Optional[str], quad: Optional[Sequence[Optional[str]]]
) -> DataFrame:
    """Returns the same as :func:`history`, for rows of :func:`_rows`. ``faults`` are the :func:`_faults` of rows that may have
    no order.
    """
    from pyspark.sql import functions as F

    if (subject is None) == (quad is None):
        raise ValueError("give a subject or a quad, and not both")
    terms = [as_term("subject", subject)] if quad is None else quad_terms(quad)
    operations = _committed(rows).where("op in ('A', 'D')")
    for column, term in zip(_QUAD, terms):
        operations = operations.where(F.col(column).eqNullSafe(F.lit(None) if term is None else rdf_canonical(F.lit(term))))
    if faults is not None:
        operations = operations.unionByName(faults.select("op"), allowMissingColumns=True)
    # A type without a zone, which spark.sql.timestampType may be, would lose the zone of the header.
    time = F.regexp_extract("value", _times.HEADER, 1).try_cast("timestamp_ltz")
    first, last = (F.lit(text).cast("timestamp_ltz") for text in _times.YEARS)
    times = rows.where("op = 'H' and name = 'time'").groupBy("patch").agg(F.max(F.when(time.between(first, last), time)).alias("time"))
    return (
        operations.join(times, "patch", "left")
        .orderBy("patch", "row")
        .select(F.col("patch").alias("version"), "time", "op", *_QUAD)
    )


def number_patches(changes: DataFrame, *, file: Optional[str] = None) -> DataFrame:
    """Numbers the patches of several files consecutively from 0, in order.

    A reader counts ``patch`` and ``row`` from 0 in each file, so rows of several files have no order. Call this right after
    ``load``::

        log = spark.read.format("jelly-patch").load("log").transform(jellybridge.number_patches)
        with jellybridge.Dataset.open("tdb2:/var/lib/graph") as dataset:
            dataset.apply(log.transform(jellybridge.net_effect))

    >>> import os
    >>> os.mkdir("numbered")
    >>> for name in ("1", "2"):
    ...     _ = write_patch(f"numbered/{name}.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{name}"')])
    >>> log = spark.read.format("jelly-patch").load(os.path.abspath("numbered"))
    >>> log.transform(jellybridge.number_patches).select("patch", "object").orderBy("patch").show()
    +-----+------+
    |patch|object|
    +-----+------+
    |    0|   "1"|
    |    1|   "2"|
    +-----+------+

    The order is that of :meth:`Dataset.sync`. If all patches have a header ``id`` and some have ``prev``, it is the chain of
    ids. Otherwise it is the natural order of the files' paths (``log2`` before ``log10``), and the order of the patches in each
    file. Paths define an order only if numbers, times or single letters distinguish each from the next. The files of one Spark
    job are numbered. The files of two jobs in one folder have no order; append such patches to a log instead, with the format
    ``rdf-patch-log``.

    To find the order, Spark reads the files twice for the list of patches, which the driver keeps. Rows stay where they are.
    The columns ``tx`` and ``row`` still count per file.

    Args:
        changes: change rows of one ``load``. You may have filtered rows, but not the headers.
        file: the column with the file of each row; by default, Spark knows it. To combine several reads, give each such a
            column (``withColumn("file", F.col("_metadata.file_path"))``), then unite them. If names define no order but you
            know it, use a column of numbers.

    Returns:
        The same rows and columns, with new numbers in ``patch``.

    Raises:
        ValueError: a required column is missing, the file of a row is unknown, or this is a stream.
        JellybridgeError: the chain forks, has a gap or is circular, two patches have the same id, or two files have no order.
            The message names them.
        SparkRuntimeException: when the query runs, a file has a patch that it did not have before.
    """
    from pyspark.sql import functions as F

    needed = ("patch", "row", "op", "name", "value")
    missing = [column for column in (*needed, *([file] if file is not None else [])) if column not in changes.columns]
    if missing:
        raise ValueError(f"the column {missing[0]} is missing: to number patches needs {', '.join(needed)}")
    if changes.isStreaming:
        raise ValueError(
            "the patches of a stream can't be numbered, as later files are not known: read a log by the format "
            "rdf-patch-log, which numbers them"
        )
    columns: List[str] = changes.columns
    if file is None and not knows_file(changes):
        raise _unknown_file()
    rows = changes.withColumn(_FILE, F.col(FILE if file is None else file).cast("string"))
    with described(changes.sparkSession, "list patches"):
        listed = _listed(rows)
        patches = changes.sparkSession.createDataFrame(
            [([(unquote(file), *others) for file, *others in listed],)],
            "patches ARRAY<STRUCT<file STRING, patch BIGINT, id STRING, prev STRING>>",
        )
        [[order]] = patches.select(patch_order("patches")).collect()
    numbers = changes.sparkSession.createDataFrame(
        [(*listed[index][:2], number) for number, index in enumerate(order)], f"{_FILE} STRING, patch BIGINT, {_NUMBER} BIGINT"
    )
    says = "%s, patch %s: this patch was not there when the patches were numbered; number them again"
    unknown = F.raise_error(F.format_string(says, _FILE, "patch")).cast("bigint")
    patch = F.coalesce(F.col(_NUMBER), unknown).alias("patch")
    numbered = rows.join(F.broadcast(numbers), [_FILE, "patch"], "left")
    return numbered.select(*(patch if column == "patch" else column for column in columns))


def _unknown_file() -> ValueError:
    return ValueError(
        "it is not known which file each row is from: number the patches right behind load(), before rows are joined, "
        "united or grouped, or name a column that says it, by file="
    )


def _listed(rows: DataFrame) -> List[Tuple[str, int, Optional[str], Optional[str]]]:
    """Returns the file, the number and the headers ``id`` and ``prev`` of each patch."""
    from pyspark.sql import functions as F

    headers = [F.expr(f"max_by(value, row) FILTER (WHERE op = 'H' AND name = '{name}')") for name in ("id", "prev")]
    listed = [tuple(row) for row in rows.groupBy(_FILE, "patch").agg(*headers).collect()]
    for file, patch, *_ in listed:
        if file is None or patch is None:
            raise ValueError(f"a row has null in {'patch' if file else 'the column of its file'}; number all rows")
    return listed
