"""The history of a subject or a quad in patches. Runs under Spark Connect too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from ._changes import _QUAD, _committed, _faults, _rows
from ._terms import as_term
from .functions import rdf_canonical

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


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
            null there, or a patch has rows of two files. The message says which.
    """
    rows = _rows(changes, "a history")
    return told(rows, _faults(rows), subject=subject, quad=quad)


def told(
    rows: DataFrame, faults: Optional[DataFrame], *, subject: Optional[str], quad: Optional[Sequence[Optional[str]]]
) -> DataFrame:
    """Returns the same as :func:`history`, for rows of :func:`_rows`. ``faults`` are the :func:`_faults` of rows that may have
    no order.
    """
    from pyspark.sql import functions as F

    if (subject is None) == (quad is None):
        raise ValueError("give a subject or a quad, and not both")
    if quad is not None and (isinstance(quad, str) or len(quad) not in (3, 4)):
        raise ValueError(f"quad={quad!r}: a quad has three terms, or four with its graph")
    given = (subject,) if quad is None else (*quad, None)[:4]
    terms = [None if column == "graph" and term is None else as_term("subject" if quad is None else f"{column} of quad", term)
             for column, term in zip(_QUAD, given)]
    operations = _committed(rows).where("op in ('A', 'D')")
    for column, term in zip(_QUAD, terms):
        operations = operations.where(F.col(column).eqNullSafe(F.lit(None) if term is None else rdf_canonical(F.lit(term))))
    if faults is not None:
        operations = operations.unionByName(faults.select("op"), allowMissingColumns=True)
    time = F.try_to_timestamp(F.regexp_extract("value", '^"([^"]*)"', 1))
    times = rows.where("op = 'H' and name = 'time'").groupBy("patch").agg(F.max(time).alias("time"))
    return (
        operations.join(times, "patch", "left")
        .orderBy("patch", "row")
        .select(F.col("patch").alias("version"), "time", "op", *_QUAD)
    )
