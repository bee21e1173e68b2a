"""Connects Apache Spark and Apache Jena through streams of RDF changes.

Spark computes changes to RDF graphs as DataFrames of *change rows*. Jena stores and serves the graphs. The changes travel
between them as RDF Patch, in its binary form Jelly-Patch.

In Spark::

    from pyspark.sql import SparkSession
    import jellybridge

    spark = jellybridge.configure_spark(SparkSession.builder).getOrCreate()
    old = spark.read.format("nquads").load("monday.nq.gz")
    new = spark.read.format("nquads").load("tuesday.nq.gz")
    changes = jellybridge.diff(old, new)
    changes.transform(jellybridge.in_order).write.format("jelly-patch").save("changes")
    with jellybridge.Dataset.open("tdb2:/var/lib/graph") as dataset:
        print(dataset.apply("changes"))

Without Spark:

>>> import jellybridge
>>> with jellybridge.Dataset.open("mem:") as dataset:
...     with dataset.capture("log.jellyp"):
...         dataset.update('INSERT DATA { <urn:s> <urn:p> "o" }')
>>> for row in jellybridge.read_patch("log.jellyp"):
...     if row.op in ("A", "D"):
...         print(row.op, row.subject, row.predicate, row.object)
A <urn:s> <urn:p> "o"

Importing this package does not import pyspark, py4j or jpype. They are imported on first use.
"""

from . import changes, functions
from ._capture import Capture
from ._changes import (
    CHANGES_SCHEMA, QUADS_SCHEMA, ChangeRow, apply_changes, diff, history, in_order, net_effect, number_patches,
)
from ._change_report import report
from ._checkpoints import Checkpoint, DatasetVerification, LogVerification, PruneReport, StateReport
from ._convert import ConvertReport, convert
from ._dataset import ApplyReport, Dataset, LoadReport
from ._difference import Difference
from ._errors import JellybridgeError, PatchFormatError, TextFormatError, UnreachableError
from ._files import PatchRows, WriteReport, read_patch, write_patch
from ._follow import Lag
from ._jars import jar_path
from ._log import CompactionReport, FetchReport, LogConflictError, LogEntries, LogEntry, LogHead, PatchLog, RestoreReport, RevertReport
from ._log_rows import HistoryRow, LogRows, QuadRow
from ._publish import PublishReport
from ._repair import LogFault
from ._results import Bindings, Quads, Triples
from ._spark import configure_spark
from ._streaming import apply_batch
from ._sync import SyncReport
from ._types import ChangeRowDict, ServerOptions
from ._version import __version__

__all__ = [
    "ApplyReport",
    "Bindings",
    "CHANGES_SCHEMA",
    "Capture",
    "ChangeRow",
    "ChangeRowDict",
    "Checkpoint",
    "CompactionReport",
    "ConvertReport",
    "Dataset",
    "DatasetVerification",
    "Difference",
    "FetchReport",
    "HistoryRow",
    "JellybridgeError",
    "Lag",
    "LoadReport",
    "LogConflictError",
    "LogEntries",
    "LogEntry",
    "LogFault",
    "LogHead",
    "LogRows",
    "LogVerification",
    "PatchFormatError",
    "PatchLog",
    "PatchRows",
    "PruneReport",
    "PublishReport",
    "QUADS_SCHEMA",
    "QuadRow",
    "Quads",
    "RestoreReport",
    "RevertReport",
    "ServerOptions",
    "StateReport",
    "SyncReport",
    "TextFormatError",
    "Triples",
    "UnreachableError",
    "WriteReport",
    "__version__",
    "apply_batch",
    "apply_changes",
    "changes",
    "configure_spark",
    "convert",
    "diff",
    "functions",
    "history",
    "in_order",
    "jar_path",
    "net_effect",
    "number_patches",
    "read_patch",
    "report",
    "write_patch",
]

# Tracebacks then show an error under the name that users catch it by.
for _error in (JellybridgeError, LogConflictError, PatchFormatError, TextFormatError, UnreachableError):
    _error.__module__ = __name__
