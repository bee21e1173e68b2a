"""Change rows: their columns, and what the DataFrame API can say about them. Runs under Spark Connect as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, NamedTuple, Optional

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: The columns of quads, as the format ``nquads`` reads them.
QUADS_SCHEMA = "subject STRING, predicate STRING, object STRING, graph STRING"

#: The columns of change rows, as the format ``jelly-patch`` reads them.
CHANGES_SCHEMA = (
    "patch BIGINT NOT NULL, tx BIGINT, row BIGINT NOT NULL, op STRING NOT NULL, "
    "subject STRING, predicate STRING, object STRING, graph STRING, name STRING, value STRING"
)

_TRIPLE = ("subject", "predicate", "object")
_QUAD = (*_TRIPLE, "graph")


class ChangeRow(NamedTuple):
    """One change, with the columns that every door shows.

    A term is text in canonical N-Triples: ``<iri>``, ``_:label``, ``"text"``, ``"text"@en``, ``"1"^^<datatype>``.

    >>> ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"').graph is None
    True
    """

    #: Which patch of the file, from 0.
    patch: int = 0
    #: Which transaction of the file, from 0; ``None`` outside of one.
    tx: Optional[int] = None
    #: Position in the file, from 0. Reading always sets it; writing does not need it.
    row: Optional[int] = None
    #: ``H`` ``TX`` ``TC`` ``TA`` ``PA`` ``PD`` ``A`` ``D``
    op: str = ""
    subject: Optional[str] = None
    predicate: Optional[str] = None
    object: Optional[str] = None
    #: Graph of ``A`` ``D`` ``PA`` ``PD``; ``None`` = the default graph, or no graph in a triples stream.
    graph: Optional[str] = None
    #: The header's key (``H``), the prefix without colon (``PA``, ``PD``).
    name: Optional[str] = None
    #: The header's value, a term (``H``); the namespace, an IRI term (``PA``; optional in ``PD``).
    value: Optional[str] = None


def diff(old: DataFrame, new: DataFrame, *, patch: int = 0) -> DataFrame:
    """The changes that make ``new`` of ``old``: one transaction, deletions before additions.

    Both are sets of triples or quads: a repeated row counts once. Terms are compared by their text, so blank nodes by
    their label, and a null graph (the default graph) equals a null graph. The rows are ``TX``, the ``D`` rows, the
    ``A`` rows, ``TC``; each kind ordered by graph, subject, predicate, object, and ``row`` counts from 0, so that two
    runs give the same rows. Where nothing changed ``TX`` and ``TC`` remain: a log keeps one patch a snapshot.

    For a log of several patches, ``unionByName`` the differences and write them in order::

        first = jellybridge.diff(spark.createDataFrame([], jellybridge.QUADS_SCHEMA), monday)
        second = jellybridge.diff(monday, tuesday, patch=1)
        log = first.unionByName(second).transform(jellybridge.in_order)
        log.write.format("jelly-patch").save("log")

    Args:
        old: columns ``subject``, ``predicate``, ``object`` and, unless it holds triples only, ``graph``.
        new: likewise.
        patch: the number in ``patch``; ``tx`` gets the same, as each such patch holds one transaction.

    Returns:
        Change rows, all ten columns of :data:`CHANGES_SCHEMA`.

    Raises:
        ValueError: a column is missing, or is one that a quad does not have.
    """
    from pyspark.sql import functions as F

    sides = _quads(old, "old", True).unionByName(_quads(new, "new", False))
    # One shuffle for both directions: grouping, unlike a join, takes two nulls for the same graph.
    in_old, in_new = F.max(F.col("in_old")), F.max(~F.col("in_old"))
    changed = (
        sides.groupBy(*_QUAD)
        .agg(in_old.alias("in_old"), in_new.alias("in_new"))
        .where(F.col("in_old") != F.col("in_new"))
        .select(F.when(F.col("in_old"), 1).otherwise(2).alias("rank"), *_QUAD)
    )
    absent = F.lit(None).cast("string")
    ends = old.sparkSession.range(0, 4, 3, 1).select(
        F.col("id").cast("int").alias("rank"), *(absent.alias(column) for column in _QUAD)
    )
    rank = F.col("rank")
    op = F.when(rank == 0, "TX").when(rank == 1, "D").when(rank == 2, "A").otherwise("TC")
    return (
        changed.unionByName(ends)
        .repartition(1)
        .sortWithinPartitions("rank", "graph", *_TRIPLE)
        .select(
            F.lit(patch).cast("bigint").alias("patch"),
            F.lit(patch).cast("bigint").alias("tx"),
            # Counts from 0 without gaps, as there is one partition.
            F.monotonically_increasing_id().alias("row"),
            op.alias("op"),
            *_QUAD,
            absent.alias("name"),
            absent.alias("value"),
        )
    )


def _quads(df: DataFrame, name: str, in_old: bool) -> DataFrame:
    from pyspark.sql import functions as F

    columns: List[str] = df.columns
    missing = [column for column in _TRIPLE if column not in columns]
    surplus = [column for column in columns if column not in _QUAD]
    if missing or surplus:
        raise ValueError(
            f"{name} has the columns {', '.join(columns) or '(none)'}: diff takes subject, predicate, object and "
            f"optionally graph; select these"
        )
    graph = F.col("graph") if "graph" in columns else F.lit(None)
    return df.select(
        *(F.col(column).cast("string").alias(column) for column in _TRIPLE),
        graph.cast("string").alias("graph"),
        F.lit(in_old).alias("in_old"),
    )


def in_order(df: DataFrame) -> DataFrame:
    """Change rows in one partition, ordered by ``patch`` and ``row``, as writing a patch needs them.

    Spark keeps no order by itself, and the format ``jelly-patch`` refuses rows that come out of order::

        changes.transform(jellybridge.in_order).write.format("jelly-patch").save("log")

    Args:
        df: change rows; ``row`` is needed, and ``patch`` where there is more than one.

    Raises:
        ValueError: there is no column ``row``.
    """
    if "row" not in df.columns:
        raise ValueError("the column row is missing: without it nothing says in which order the changes apply")
    keys = [column for column in ("patch", "row") if column in df.columns]
    return df.repartition(1).sortWithinPartitions(*keys)
