"""What a streaming query needs that the format ``jena`` does not give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

from ._arguments import ServerOptions, texts
from ._changes import with_one_file_a_patch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# What Spark calls the id of the query, which stays the same when the query starts again from its checkpoint.
_QUERY_ID = "sql.streaming.queryId"


def apply_batch(
    target: str,
    *,
    app_id: Optional[str] = None,
    staging_dir: Optional[str] = None,
    check_chain: bool = True,
    options: Optional[ServerOptions] = None,
) -> Callable[[DataFrame, int], None]:
    """A function for ``foreachBatch`` that applies each batch of change rows to a dataset, exactly once.

    For a query that does more with a batch than to apply it; else ``writeStream.format("jena")`` does the same::

        apply = jellybridge.apply_batch("tdb2:/var/lib/graph")

        def archive_and_apply(changes, batch):
            changes.persist()
            changes.write.format("jelly-patch").mode("overwrite").save(f"archive/{batch}")
            apply(changes, batch)

        changes.writeStream.foreachBatch(archive_and_apply).option("checkpointLocation", "state").start()

    The number of the batch is stored in the dataset, in the transaction of the batch: one that Spark runs again, after
    a failure or a restart, is skipped. One that does not follow what the dataset has is refused: the checkpoint is then of
    another dataset, or batches were left out. So apply every batch as the query's own, also an empty one, unchanged in what
    it holds.

    Args:
        target: ``tdb2:DIR``, of the driver's disk, or the address of a Fuseki's dataset.
        app_id: the name under which the numbers are stored. By default the id of the query, which its checkpoint keeps.
            Give one, another for each query and each checkpoint, under Spark Connect, and where two functions of a query
            apply to one dataset.
        staging_dir: a folder that driver and executors can write, where a batch waits to be applied; with a local
            master it need not be given.
        check_chain: the option ``checkChain``: whether patches must follow each other as their headers ``id`` and ``prev``
            say.
        options: of a Fuseki's dataset, as in :meth:`Dataset.open`.

    Raises:
        ValueError: when it is called, there is no query that would have an id.
        JellybridgeError: likewise, the dataset did not take the batch; the message says why.
    """

    def apply(changes: DataFrame, batch: int) -> None:
        writer = with_one_file_a_patch(changes).write.format("jena").mode("append").options(**texts(options)).option("target", target)
        writer = writer.option("txnAppId", app_id or _query_id(changes)).option("txnVersion", batch)
        writer = writer.option("txnConsecutive", True).option("checkChain", check_chain)
        if staging_dir is not None:
            writer = writer.option("stagingDir", staging_dir)
        writer.save()

    return apply


def _query_id(changes: DataFrame) -> str:
    query = None
    if hasattr(changes, "_jdf"):
        query = changes.sparkSession.sparkContext.getLocalProperty(_QUERY_ID)
    if query is None:
        raise ValueError("the id of the streaming query is not known here: give apply_batch an app_id")
    return query
