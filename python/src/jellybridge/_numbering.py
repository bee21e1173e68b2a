"""Numbers the patches of several files in one order, that of ``Dataset.sync``. Runs under Spark Connect too."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Tuple
from urllib.parse import unquote

from ._changes import FILE, knows_file
from ._spark import described
from .functions import patch_order

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FILE, _NUMBER = "__jellybridge_file", "__jellybridge_number"


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
