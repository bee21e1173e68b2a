"""Change rows: their columns, and what the DataFrame API can say about them. Runs under Spark Connect as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, NamedTuple, Optional, Sequence
from weakref import WeakSet

from ._arguments import A_TERM, check
from ._errors import JellybridgeError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

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
#: Of a quad, that it is not of the graph in which a dataset keeps its own positions.
_IS_DATA = "graph IS NULL OR graph <> '<urn:jellybridge:sync>'"
# Where a row stands among all; and where it stands that is of no patch.
_PLACE = "struct(patch, row) AS place"
_NOWHERE = "cast(null AS struct<patch: bigint, row: bigint>) AS place"
# What Spark itself knows of a row that it reads from a file.
FILE = "_metadata.file_path"
_TWO_FILES = "has rows of two files, %s and %s, each of which counts from 0; number them by jellybridge.number_patches"
_NUMBERED = "; the patches of several files get numbers of their own by jellybridge.number_patches"
# What is in one partition and in order, as it was made.
_IN_ORDER: WeakSet[DataFrame] = WeakSet()
# Where the rows of a difference stand that are no statements; 1 = deleted, 2 = added.
_HEADER, _BEGIN, _COMMIT = -1, 0, 3


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


def diff(
    old: DataFrame,
    new: DataFrame,
    *,
    patch: int = 0,
    id: Optional[str] = None,
    prev: Optional[str] = None,
    blank_nodes: str = "label",
    partitions: Optional[int] = 1,
) -> DataFrame:
    """The changes that make ``new`` of ``old``: one transaction, deletions before additions.

    Both are sets of triples or quads: a repeated row counts once. Terms are compared by their text, but for blank nodes
    where ``blank_nodes`` says so, and a null graph (the default graph) equals a null graph. The rows are ``TX``, the ``D`` rows, the
    ``A`` rows, ``TC``; each kind ordered by graph, subject, predicate, object, and ``row`` counts from 0, so that two
    runs give the same rows. Where nothing changed ``TX`` and ``TC`` remain: a log keeps one patch a snapshot. The graph
    ``<urn:jellybridge:sync>``, in which a dataset keeps its own positions, is left out: no patch may touch it.

    For a log of several patches, ``unionByName`` the differences and write them in order::

        first = jellybridge.diff(spark.createDataFrame([], jellybridge.QUADS_SCHEMA), monday)
        second = jellybridge.diff(monday, tuesday, patch=1)
        log = first.unionByName(second).transform(jellybridge.in_order)
        log.write.format("jelly-patch").save("log")

    A file of patches is written by one task, and so the rows are in one partition. A patch log and a dataset take one patch
    of many tasks too, where its rows come in order; a large difference goes there without being moved into one task::

        changes = jellybridge.diff(monday, tuesday, partitions=None)
        changes.write.format("rdf-patch-log").option("inOrder", True).mode("append").save("log")

    Args:
        old: columns ``subject``, ``predicate``, ``object`` and, unless it holds triples only, ``graph``.
        new: likewise.
        patch: the number in ``patch``; ``tx`` gets the same, as each such patch holds one transaction.
        id: the patch's name in a chain, a term such as ``<urn:uuid:…>``, for its header ``id``; by it
            :meth:`Dataset.sync` knows what it has applied. ``None`` = no header.
        prev: likewise, the id of the patch before it, for the header ``prev``.
        blank_nodes: ``label``: they are the same when their labels are; ``structure``: when what is said of them is,
            however they are called, and of what changed, as much as goes together. Then blank nodes of ``new`` are called
            as those of ``old`` that they are. This needs the jar, and runs jobs when it is called, on the quads with blank
            nodes; those of components that changed are compared in one task, in its memory.
        partitions: into how many the rows are divided by ranges of their order, which goes on from one to the next; ``None``:
            adaptive execution says, by their size. In several, the numbers in ``row`` grow, but not one by one, and two runs may
            give others.

    Returns:
        Change rows, all ten columns of :data:`CHANGES_SCHEMA`, in order.

    Raises:
        ValueError: a column is missing, or is one that a quad does not have; ``id`` or ``prev`` is no term;
            ``blank_nodes`` is neither, or ``partitions`` is less than 1.
    """
    from pyspark.sql import functions as F

    sides = (
        _quads(old, "old", "diff").withColumn("in_old", F.lit(True))
        .unionByName(_quads(new, "new", "diff").withColumn("in_old", F.lit(False)))
    )
    check(f"{A_TERM} or None", id=id, prev=prev)
    if blank_nodes not in ("label", "structure"):
        raise ValueError(f"blank_nodes is {blank_nodes!r}: it must be 'label' or 'structure'")
    if partitions is not None and partitions < 1:
        raise ValueError(f"partitions is {partitions}: it must be at least 1, or None")
    if blank_nodes == "structure":
        from ._blank_nodes import named_as_before

        sides = named_as_before(sides)
    # One shuffle for both directions: grouping, unlike a join, takes two nulls for the same graph.
    in_old, in_new = F.max(F.col("in_old")), F.max(~F.col("in_old"))
    changed = (
        sides.groupBy(*_QUAD)
        .agg(in_old.alias("in_old"), in_new.alias("in_new"))
        .where(F.col("in_old") != F.col("in_new"))
        .where(_IS_DATA)
        .select(F.when(F.col("in_old"), 1).otherwise(2).alias("rank"), *_QUAD)
    )
    headers = [(name, value) for name, value in (("id", id), ("prev", prev)) if value is not None]
    around = old.sparkSession.createDataFrame(
        [(_HEADER, name, value) for name, value in headers] + [(_BEGIN, None, None), (_COMMIT, None, None)],
        "rank INT, name STRING, value STRING",
    )
    rank = F.col("rank")
    op = F.when(rank == _HEADER, "H").when(rank == _BEGIN, "TX").when(rank == 1, "D").when(rank == 2, "A").otherwise("TC")
    if partitions != 1:
        # To divide by ranges, Spark reads what is to be divided twice: only what changed.
        changed = changed.repartition("subject")
    return _numbered(
        changed.unionByName(around, allowMissingColumns=True), ("rank", "name", "graph", *_TRIPLE), partitions,
        F.lit(patch).cast("bigint").alias("patch"),
        F.when(rank != _HEADER, patch).cast("bigint").alias("tx"),
        op.alias("op"),
    )


def _numbered(rows: DataFrame, order: Sequence[str], partitions: Optional[int], patch: Column, tx: Column, op: Column) -> DataFrame:
    """Rows in that order, by ranges in so many partitions, as change rows with numbers."""
    from pyspark.sql import functions as F

    if partitions == 1:
        divided = rows.repartition(1)
    else:
        divided = rows.repartitionByRange(*(() if partitions is None else (partitions,)), *order)
    numbered = divided.sortWithinPartitions(*order).select(
        # Counts from 0 without gaps, where there is one partition.
        patch, tx, F.monotonically_increasing_id().alias("row"), op, *_QUAD, "name", "value",
    )
    if partitions == 1:
        _IN_ORDER.add(numbered)
    return numbered


def _quads(df: DataFrame, name: str, call: str) -> DataFrame:
    """The columns of quads of a DataFrame that may lack the graph; else an error of that call, with that name for it."""
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
    """What quads become by changes; the inverse of :func:`diff`.

    Of each quad the last operation counts, and what a transaction holds that is aborted (``TA``) does not. So
    ``apply_changes(old, diff(old, new))`` has the quads of ``new``. Headers and prefixes change no quad.

    Nothing is collected: Spark brings a quad and what is said of it together by one shuffle, and looks in another whether
    each row has a place of its own, without which nothing tells which operation is the last.

    Args:
        quads: columns ``subject``, ``predicate``, ``object`` and, unless it holds triples only, ``graph``. A repeated row
            counts once, a null graph is the default graph, and the graph ``<urn:jellybridge:sync>`` is left out.
        changes: change rows with ``patch`` and ``row``, by which each has a place of its own, as
            :func:`number_patches` gives those of several files; ``tx`` where a transaction is aborted.

    Returns:
        The columns of :data:`QUADS_SCHEMA`, each quad once, in no order.

    Raises:
        ValueError: a column is missing, or is one that a quad does not have.
        SparkRuntimeException: when the query runs, a row has another op than change rows have, or two rows have the same
            ``patch`` and ``row``, or one has null there; says which row.
    """
    from pyspark.sql import functions as F

    rows = _rows(changes, "apply_changes")
    there = _quads(quads, "quads", "apply_changes").selectExpr(_NOWHERE, "'A' AS op", *_QUAD)
    said = _committed(rows).where("op in ('A', 'D')").selectExpr(_PLACE, "op", *_QUAD)
    return (
        there.unionByName(said).unionByName(_faults(rows).select("place", "op", *_QUAD))
        .groupBy(*_QUAD)
        # What was there has no place, and so comes first.
        .agg(F.max(F.struct("place", "op")).alias("last"))
        .where("last.op = 'A'").where(_IS_DATA)
        .select(*_QUAD)
    )


def net_effect(changes: DataFrame) -> DataFrame:
    """What changes come to: of each quad, and of each prefix, the last operation; one patch with one transaction.

    What a transaction holds that is aborted (``TA``) is left out. Operations that stay keep their order. The patch gets
    the ``id`` of the last patch and the ``prev`` of the first, so that it takes the place of all of them in a chain. Which
    operation is the last, ``patch`` and ``row`` say, so the patches of several files are numbered first, before any rows
    are filtered out::

        log = spark.read.format("jelly-patch").load("log").transform(jellybridge.number_patches)
        dataset.apply(log.transform(jellybridge.net_effect))

    Args:
        changes: change rows with ``patch`` and ``row``, by which each has a place of its own; ``tx`` where a transaction is
            aborted.

    Returns:
        Change rows, all ten columns of :data:`CHANGES_SCHEMA`, in one partition and in order.

    Raises:
        ValueError: a column that is needed is missing.
        SparkRuntimeException: when the query runs, a row has another op than change rows have, or two rows have the same
            ``patch`` and ``row``, or one has null there; says which row.
    """
    from pyspark.sql import functions as F

    absent = F.lit(None).cast("string")
    rows = _rows(changes, "the net effect")
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
        .groupBy("name")
        .agg(F.max(F.struct(F.expr(_PLACE), "op", "graph", "value")).alias("last"))
        .select(F.col("last.place").alias("place"), F.col("last.op").alias("op"), *(absent.alias(c) for c in _TRIPLE),
                F.col("last.graph").alias("graph"), "name", F.col("last.value").alias("value"))
    )
    header = F.struct("patch", "row", "value")
    headers = rows.agg(
        F.min("patch").alias("first"),
        F.max("patch").alias("last"),
        F.max(F.when(F.expr("op = 'H' and name = 'id'"), header)).alias("id"),
        F.min(F.when(F.expr("op = 'H' and name = 'prev'"), header)).alias("prev"),
    ).select(
        F.when(F.col("id.patch") == F.col("last"), F.col("id.value")).alias("id"),
        F.when(F.col("prev.patch") == F.col("first"), F.col("prev.value")).alias("prev"),
    )
    nowhere = F.expr(_NOWHERE)
    both = F.array(*(F.struct(F.lit(name).alias("name"), F.col(name).alias("value")) for name in ("id", "prev")))
    chain = headers.select(F.explode(both).alias("h")).select(
        nowhere, F.lit("H").alias("op"), *(absent.alias(c) for c in _QUAD), "h.name", "h.value"
    ).where("value is not null")
    ends = changes.sparkSession.range(2).select(
        nowhere, F.when(F.col("id") == 0, "TX").otherwise("TC").alias("op"),
        *(absent.alias(c) for c in (*_QUAD, "name", "value")),
    )
    rank = F.when(F.col("op") == "H", 0).when(F.col("op") == "TX", 1).when(F.col("op") == "TC", 3).otherwise(2)
    return _numbered(
        statements.unionByName(prefixes).unionByName(chain).unionByName(_faults(rows)).unionByName(ends)
        .withColumn("rank", rank),
        ("rank", "place", "name"), 1,
        F.lit(0).cast("bigint").alias("patch"), F.when(F.col("op") != "H", 0).cast("bigint").alias("tx"), F.col("op"),
    )


def _rows(changes: DataFrame, what: str) -> DataFrame:
    """The columns of change rows, those that are not there as null; without those that are needed, an error of ``what``."""
    from pyspark.sql import functions as F

    needed = ("patch", "row", "op", *_TRIPLE)
    missing = [column for column in needed if column not in changes.columns]
    if missing:
        raise ValueError(f"the column {missing[0]} is missing: {what} needs {', '.join(needed)}")
    absent = F.lit(None).cast("string")
    return with_one_file_a_patch(changes).select(
        *needed,
        *(F.col(c) if c in changes.columns else absent.alias(c) for c in ("graph", "name", "value")),
        (F.col("tx") if "tx" in changes.columns else F.lit(None)).cast("bigint").alias("tx"),
    )


def with_one_file_a_patch(changes: DataFrame) -> DataFrame:
    """Returns the same rows, of which a query fails where a patch has rows of two files, as each file counts from 0."""
    from pyspark.sql import functions as F

    files = _of_two_files(changes)
    if files is None:
        return changes
    refused = F.raise_error(F.format_string(f"patch %s {_TWO_FILES}", "of", "file", "other")).cast("string").alias("op")
    return changes.unionByName(files.select(refused).where("op is not null"), allowMissingColumns=True)


def require_one_file_a_patch(changes: DataFrame) -> None:
    """Checks the same at once.

    Raises:
        JellybridgeError: a patch has rows of two files.
    """
    files = _of_two_files(changes)
    found = None if files is None else files.first()
    if found is not None:
        raise JellybridgeError(f"patch {found['of']} " + _TWO_FILES % (found["file"], found["other"]))


def _of_two_files(changes: DataFrame) -> Optional[DataFrame]:
    """The patches with rows of two files; ``None``: that is not known, as in streams and behind joins, unions and groups."""
    from pyspark.sql import functions as F

    if changes.isStreaming or not knows_file(changes):
        return None
    patch = F.col("patch") if "patch" in changes.columns else F.lit(0)
    files = changes.groupBy(patch.alias("of")).agg(F.min(FILE).alias("file"), F.max(FILE).alias("other"))
    return files.where("file <> other")


def knows_file(rows: DataFrame) -> bool:
    """Whether Spark knows which file each row is from."""
    from pyspark.errors import AnalysisException

    column = FILE.partition(".")[0]
    if hasattr(rows, "_jdf"):
        # To try it would log an error of many lines.
        hidden = rows._jdf.queryExecution().analyzed().metadataOutput()
        return column in rows.columns or any(hidden.apply(i).name() == column for i in range(hidden.size()))
    try:
        rows.select(FILE).schema  # under Spark Connect, the column is looked for here
    except AnalysisException:
        return False
    return True


def _committed(rows: DataFrame) -> DataFrame:
    """What changes a dataset, of :func:`_rows`: statements and prefixes, but for those of aborted transactions."""
    # By both, as the numbers of transactions start again in each file.
    transaction = ["patch", "tx"]
    aborted = rows.where("op = 'TA'").select(*transaction).distinct()
    return rows.where("op in ('A', 'D', 'PA', 'PD')").join(aborted, transaction, "left_anti")


def _faults(rows: DataFrame) -> DataFrame:
    """No rows: where it is to give one, it fails, as the rows have none that would say which operation is the last.

    That is known only where each row has a place of its own; two on one place may be of different quads, so this is looked
    for in all rows.
    """
    from pyspark.sql import functions as F

    other = F.when(~F.coalesce(F.col("op").isin(*_OPS), F.lit(False)), F.coalesce("op", F.lit("null")))
    fault = F.when(
        F.col("other").isNotNull(), F.concat(F.lit("a row has op "), "other", F.lit(f"; it must be one of {', '.join(_OPS)}"))
    ).when(F.col("patch").isNull() | F.col("row").isNull(), f"a row has null there{_NUMBERED}").when(
        F.col("rows") > 1, f"two rows have this place{_NUMBERED}"
    )
    refused = F.raise_error(F.format_string("patch %s, row %s: %s", "patch", "row", fault)).cast("string")
    return (
        rows.groupBy("patch", "row").agg(F.count(F.lit(1)).alias("rows"), F.max(other).alias("other"))
        .select(F.expr(_NOWHERE), F.when(fault.isNotNull(), refused).alias("op"),
                *(F.lit(None).cast("string").alias(c) for c in (*_QUAD, "name", "value")))
        .where("op is not null")
    )


def in_order(df: DataFrame, *partition_by: str) -> DataFrame:
    """Change rows in one partition, ordered by ``patch`` and ``row``, as writing a patch needs them.

    What :func:`diff` and :func:`net_effect` gave is so, and comes back as it is.

    Spark keeps no order by itself, and the format ``jelly-patch`` refuses rows that come out of order, or two on one place;
    of rows from several files, :func:`number_patches` makes one order first::

        changes.transform(jellybridge.in_order).write.format("jelly-patch").save("log")

    With ``partitionBy``, Spark sorts by its columns before it writes, and forgets the order that was. Name them here too.
    All rows of a patch need the same values in them, so that it stays in one folder::

        changes.transform(jellybridge.in_order, "day").write.partitionBy("day").format("jelly-patch").save("log")

    Args:
        df: change rows; ``row`` is needed, and ``patch`` where there is more than one.
        partition_by: the columns of ``partitionBy``. In those of text, null and ``""`` become the name of the folder that
            Spark has for both, ``__HIVE_DEFAULT_PARTITION__``, which reads back as null.

    Raises:
        ValueError: there is no column ``row``, or none that is named in ``partition_by``.
    """
    missing = [column for column in partition_by if column not in df.columns]
    if missing:
        raise ValueError(f"there is no column {missing[0]} to partition by; the columns are {', '.join(df.columns)}")
    if "row" not in df.columns:
        raise ValueError("the column row is missing: without it nothing says in which order the changes apply")
    if df in _IN_ORDER and not partition_by:
        return df
    keys = [*partition_by, *(c for c in ("patch", "row") if c in df.columns and c not in partition_by)]
    return _without_empty(with_one_file_a_patch(df), partition_by).repartition(1).sortWithinPartitions(*keys)


# The name of the folder for rows that have no value in a column of partitionBy.
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


def _without_empty(df: DataFrame, columns: Sequence[str]) -> DataFrame:
    """The same, but where a text that Spark has no folder for is missing or empty.

    Spark replaces such texts by itself just before it writes, and then takes the rows for unsorted.
    """
    from pyspark.sql import functions as F

    texts = [field.name for field in df.schema if field.name in columns and field.dataType.typeName() == "string"]
    filled = {name: F.coalesce(F.nullif(F.col(name), F.lit("")), F.lit(_NO_VALUE)) for name in texts}
    return df.withColumns(filled) if filled else df
