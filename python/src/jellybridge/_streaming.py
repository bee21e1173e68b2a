"""Applies the batches of a streaming query, for queries that need more than the format ``jena``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from ._arguments import texts
from ._changes import with_one_file_a_patch
from ._types import ServerOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The local property with the id of the query, which survives a restart from the checkpoint.
_QUERY_ID = "sql.streaming.queryId"


def apply_batch(
    target: str,
    *,
    app_id: Optional[str] = None,
    staging_dir: Optional[str] = None,
    check_chain: bool = True,
    options: Optional[ServerOptions] = None,
) -> Callable[[DataFrame, int], None]:
    """Returns a function for ``foreachBatch`` that applies each batch of change rows to a dataset, exactly once.

    Use it if a query does more with a batch than apply it. Otherwise, ``writeStream.format("jena")`` does the same::

        apply = jellybridge.apply_batch("tdb2:/var/lib/graph")

        def archive_and_apply(changes, batch):
            changes.persist()
            changes.write.format("jelly-patch").mode("overwrite").save(f"archive/{batch}")
            apply(changes, batch)

        changes.writeStream.foreachBatch(archive_and_apply).option("checkpointLocation", "state").start()

    >>> rows = spark.createDataFrame([(0, "A", "<urn:s>", "<urn:p>", "<urn:o>")],
    ...                              "row BIGINT, op STRING, subject STRING, predicate STRING, object STRING")
    >>> import os
    >>> apply = jellybridge.apply_batch(f"tdb2:{os.path.abspath('batches')}", app_id="example")
    >>> apply(rows, 0)
    >>> apply(rows, 0)  # the same batch again does nothing
    >>> with Dataset.open("tdb2:batches") as dataset:
    ...     print(len(dataset))
    1

    The number of a batch is stored in the dataset, in the transaction of the batch. A batch that Spark repeats after a failure
    or a restart is skipped. A batch that does not follow the last one is rejected, since the checkpoint belongs to another
    dataset, or batches are missing. So apply every batch of the query, also an empty one, with unchanged content.

    Args:
        target: ``tdb2:DIR`` on the driver's disk, or the address of a dataset on a Fuseki.
        app_id: the name under which the numbers are stored. By default it is the id of the query, which its checkpoint keeps.
            Set it under Spark Connect, and if two functions of a query apply to one dataset. Use a different one for each query
            and each checkpoint.
        staging_dir: a folder that driver and executors can write, for batches before they are applied. Not needed with a local
            master.
        check_chain: the option ``checkChain``: require that patches follow each other by their headers ``id`` and ``prev``.
        options: connection options of a Fuseki, as in :meth:`Dataset.open`.

    Returns:
        The function, of a DataFrame and the number of its batch.

    Raises:
        ValueError: on a call of the function, there is no query with an id.
        JellybridgeError: on a call of the function, the dataset rejects the batch. The message says why.
    """

    given = texts(options)

    def apply(changes: DataFrame, batch: int) -> None:
        writer = with_one_file_a_patch(changes).write.format("jena").mode("append").options(**given).option("target", target)
        writer = writer.option("txnAppId", app_id or _query_id(changes)).option("txnVersion", batch)
        writer = writer.option("txnConsecutive", True).option("checkChain", check_chain)
        if staging_dir is not None:
            writer = writer.option("stagingDir", staging_dir)
        writer.save()
        given.pop("breakLease", None)  # as in the format, only the first batch takes the lease of another sync

    return apply


def _query_id(changes: DataFrame) -> str:
    query = None
    if hasattr(changes, "_jdf"):
        query = changes.sparkSession.sparkContext.getLocalProperty(_QUERY_ID)
    if query is None:
        raise ValueError("the id of the streaming query is not known here: give apply_batch an app_id")
    return query
