"""The story of a thing: what patches said of it, and when. Runs under Spark Connect as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from ._changes import _QUAD, _committed, _rows

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
        changes: change rows with ``patch`` and ``row``, by which each has a place of its own, as a log has them;
            ``tx`` where a transaction is aborted, ``name`` and ``value`` for the times.
        subject: a term in canonical N-Triples.
        quad: three terms, or four: subject, predicate, object and graph; ``None`` = the default graph.

    Returns:
        A row for each ``A`` and ``D``: ``version`` (the patch), ``time`` (as its header says; null = it says none), ``op``,
        ``subject``, ``predicate``, ``object``, ``graph``, ordered.

    Raises:
        ValueError: a column is missing, or not one of ``subject`` and ``quad`` is given, or a quad has another number of
            terms.
    """
    from pyspark.sql import functions as F

    if (subject is None) == (quad is None):
        raise ValueError("give a subject or a quad, and not both")
    if quad is not None and (isinstance(quad, str) or len(quad) not in (3, 4)):
        raise ValueError(f"quad={quad!r}: a quad has three terms, or four with its graph")
    terms = (subject,) if quad is None else (*quad, None)[:4]
    rows = _rows(changes, "a history")
    said_of = _committed(rows).where("op in ('A', 'D')")
    for column, term in zip(_QUAD, terms):
        said_of = said_of.where(F.col(column).eqNullSafe(F.lit(term).cast("string")))
    said = F.try_to_timestamp(F.regexp_extract("value", '^"([^"]*)"', 1))
    times = rows.where("op = 'H' and name = 'time'").groupBy("patch").agg(F.max(said).alias("time"))
    return (
        said_of.join(times, "patch", "left")
        .orderBy("patch", "row")
        .select(F.col("patch").alias("version"), "time", "op", *_QUAD)
    )
