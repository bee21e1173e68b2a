"""Compares blank nodes by structure, with the DataFrame API and the SQL functions of the jar. Runs under Spark Connect too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Tuple

from .functions import rdf_blank_nodes, rdf_rename_as_before, rdf_structure

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_QUAD = ("subject", "predicate", "object", "graph")
_SIDE = "in_old"


def named_as_before(sides: DataFrame) -> DataFrame:
    """Renames the blank nodes of the new side to the names of their equals on the old side.

    Quads without blank nodes pass through. The others form components, connected by shared blank nodes. Components are found by
    iteration, so this runs Spark jobs, and these quads are kept in Spark's storage. Components of the two sides with the same
    hash are compared with each other, in parallel tasks. The components that are left have changed, and one task compares them
    all.

    Args:
        sides: the columns of quads, and ``in_old``.

    Returns:
        The same columns.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    quads = sides.withColumn("nodes", _nodes())
    blank = quads.where(F.size("nodes") > 0).distinct().localCheckpoint()
    first = F.element_at("nodes", 1)
    quad = F.struct(*_QUAD)
    components = (
        blank.withColumn("node", first).join(_components(blank), [_SIDE, "node"], "left")
        .groupBy(_SIDE, F.coalesce("component", "node").alias("component"))
        .agg(F.array_sort(F.collect_list(quad)).alias("quads"))
        .withColumn("structure", rdf_structure("quads"))
    )
    place = F.row_number().over(Window.partitionBy(_SIDE, "structure").orderBy("component"))
    pairs = (
        components.withColumn("place", place).groupBy("structure", "place")
        .agg(F.max(F.when(F.col(_SIDE), F.col("quads"))).alias("old"),
             F.max(F.when(~F.col(_SIDE), F.col("quads"))).alias("new"))
        .select("old", "new").localCheckpoint()
    )
    # A number that no label of either side ends with.
    number = F.regexp_extract("node", "n([0-9]{1,17})$", 1)
    suffix = blank.select(F.explode("nodes").alias("node")).select(
        F.concat(F.lit("n"), F.coalesce(F.max(F.nullif(number, F.lit("")).cast("bigint")), F.lit(0)) + 1).alias("suffix")
    )
    both = F.col("old").isNotNull() & F.col("new").isNotNull()
    # A changed component may have joined another or split, so all changed ones are compared together.
    changed = pairs.where(~both).agg(
        *(F.array_sort(F.flatten(F.collect_list(side))).alias(side) for side in ("old", "new"))
    )
    renamed = (
        pairs.where(both).unionByName(changed).crossJoin(F.broadcast(suffix))
        .select(F.inline(rdf_rename_as_before("old", "new", "suffix"))).select(*_QUAD, F.lit(False).alias(_SIDE))
    )
    return (
        quads.where(F.size("nodes") == 0).unionByName(blank.where(_SIDE)).select(*_QUAD, _SIDE).unionByName(renamed)
    )


def _nodes() -> Column:
    """Returns the blank nodes of a quad, each once."""
    from pyspark.sql import functions as F

    none = F.array().cast("array<string>")
    return F.array_distinct(F.concat(*(
        F.when(F.col(term).startswith("_:"), F.array(term))
        .when(F.col(term).startswith("<<"), rdf_blank_nodes(term)).otherwise(none)
        for term in _QUAD
    )))


def _components(blank: DataFrame) -> DataFrame:
    """Maps each blank node that shares a quad with another to the name of its component, which is its least node.

    Alternates two steps until nothing changes (Kiveris et al., Connected Components in MapReduce and Beyond, 2014). In the
    first, each node tells its greater neighbours about the least node among its neighbours and itself. In the second, it tells
    its lesser ones and itself. The number of rounds grows with the logarithm of a component's width.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    edges = (
        blank.where(F.size("nodes") > 1)
        .select(_SIDE, F.element_at("nodes", 1).alias("a"), F.explode(F.slice("nodes", 2, 1 << 30)).alias("b"))
        .select(_SIDE, F.greatest("a", "b").alias("a"), F.least("a", "b").alias("b")).distinct().localCheckpoint()
    )
    least = F.least("a", F.min("b").over(Window.partitionBy(_SIDE, "a")))
    state = _state(edges)
    while True:
        swapped = edges.select(_SIDE, F.col("b").alias("a"), F.col("a").alias("b"))
        told = (
            edges.unionByName(swapped).withColumn("least", least).where("b > a")
            .select(_SIDE, F.col("b").alias("a"), F.col("least").alias("b")).distinct()
        )
        edges = (
            told.withColumn("least", least)
            .select(_SIDE, F.explode(F.array("a", "b")).alias("a"), F.col("least").alias("b")).where("a <> b")
            .distinct().localCheckpoint()
        )
        before, state = state, _state(edges)
        if before == state:
            return edges.select(_SIDE, F.col("a").alias("node"), F.col("b").alias("component"))


def _state(edges: DataFrame) -> Tuple[object, ...]:
    """Returns two numbers that differ if anything changed."""
    from pyspark.sql import functions as F

    [state] = edges.agg(F.count(F.lit(1)), F.bit_xor(F.xxhash64(_SIDE, "a", "b"))).collect()
    return tuple(state)
