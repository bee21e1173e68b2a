"""What a client of Spark Connect can do with our functions. ``test_functions.py`` runs it.

The argument says where the jar comes from: the ``server`` has it at its start, or the ``client`` adds it to a session.
Prints ``connect job done`` when everything was as it should be.
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge.functions import from_jelly_patch, rdf_value, to_jelly_patch, try_from_jelly_patch


def main() -> None:
    builder = SparkSession.builder.remote("local[1]").config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    if sys.argv[1] == "server":
        builder = builder.config("spark.jars", jellybridge.jar_path())
    spark = builder.getOrCreate()
    if sys.argv[1] == "client":
        spark.addArtifacts(jellybridge.jar_path())
    rows = spark.sql(
        """SELECT array(
             named_struct('op', 'TX', 'subject', NULL, 'predicate', NULL, 'object', NULL),
             named_struct('op', 'A', 'subject', '<urn:s>', 'predicate', '<urn:p>', 'object', '"o"@en'),
             named_struct('op', 'TC', 'subject', NULL, 'predicate', NULL, 'object', NULL)) AS changes"""
    )
    streams = rows.select(to_jelly_patch("changes").alias("value"))
    changes = streams.select(F.inline(from_jelly_patch("value", strict=True)))
    assert [row.op for row in changes.collect()] == ["TX", "A", "TC"]
    assert changes.where("op = 'A'").select(rdf_value("object")).collect() == [("o",)]
    broken = streams.select(F.substring("value", 1, 20).alias("value"))
    assert broken.select(try_from_jelly_patch("value")).collect() == [(None,)]
    try:
        broken.select(from_jelly_patch("value")).collect()
    except Exception as error:
        assert "[P-" in str(error), error
    else:
        raise AssertionError("a value that was cut was read")
    spark.stop()
    print("connect job done")


if __name__ == "__main__":
    main()
