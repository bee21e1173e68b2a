"""The story of a thing: what patches said of it, and when. Runs under Spark Connect as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from ._arguments import A_TERM, check
from ._changes import _QUAD, _committed, _faults, _rows
from .functions import rdf_canonical

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def history(
    changes: DataFrame, *, subject: Optional[str] = None, quad: Optional[Sequence[Optional[str]]] = None
) -> DataFrame:
    """What change rows say of a subject, or of one quad, in the order in which they said it.

    What a transaction holds that is aborted (``TA``) is left out. What a patch said counts, also where it changed nothing,
    such as adding a quad that was there; ``CHANGES FROM VERSION`` in SQL has what changed::

        log = spark.read.format("rdf-patch-log").load("/data/log")
        jellybridge.history(log, subject="<https://example.org/book>").show()

    Args:
        changes: change rows with ``patch`` and ``row``, by which each has a place of its own, as a log has them and
            :func:`number_patches` gives those of several files; ``tx`` where a transaction is aborted, ``name`` and ``value``
            for the times.
        subject: a term in N-Triples: an IRI stands between ``<`` and ``>``.
        quad: three terms, or four: subject, predicate, object and graph; ``None`` = the default graph.

    Returns:
        A row for each ``A`` and ``D``: ``version`` (the patch), ``time`` (as its header says; null = it says none), ``op``,
        ``subject``, ``predicate``, ``object``, ``graph``, ordered.

    Raises:
        ValueError: a column is missing, or not one of ``subject`` and ``quad`` is given, a quad has another number of
            terms, or a text is no term.
        SparkRuntimeException: when the query runs, rows have no order: two have the same ``patch`` and ``row``, one has null
            there, or a patch has rows of two files; says which.
    """
    rows = _rows(changes, "a history")
    return told(rows, _faults(rows), subject=subject, quad=quad)


def told(
    rows: DataFrame, faults: Optional[DataFrame], *, subject: Optional[str], quad: Optional[Sequence[Optional[str]]]
) -> DataFrame:
    """As :func:`history`, of :func:`_rows`; ``faults`` are those of rows that may have no order."""
    from pyspark.sql import functions as F

    if (subject is None) == (quad is None):
        raise ValueError("give a subject or a quad, and not both")
    if quad is not None and (isinstance(quad, str) or len(quad) not in (3, 4)):
        raise ValueError(f"quad={quad!r}: a quad has three terms, or four with its graph")
    terms = (subject,) if quad is None else (*quad, None)[:4]
    for column, term in zip(_QUAD, terms):
        check(A_TERM if column != "graph" else f"{A_TERM} or None", **{"subject" if quad is None else f"{column} of quad": term})
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
