"""A job with a broker of Kafka: ``test_kafka.py`` runs it, and kills it.

``BROKER TOPIC TARGET STATE FROM TO``: sends the messages FROM to TO, a patch each, and runs the streaming query over all
that there are. Prints ``kafka job done`` at the end. The jars of Spark's connector are in ``KAFKA_JARS``.
"""

from __future__ import annotations

import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge.functions import from_jelly_patch, rdf_iri, rdf_literal, to_jelly_patch

MESSAGES_A_BATCH = 2


def main() -> None:
    broker, topic, target, state, start, end = sys.argv[1:]
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "ERROR")
    builder = builder.config("spark.jars", os.environ["KAFKA_JARS"])
    spark = jellybridge.configure_spark(builder).getOrCreate()
    produce(spark, broker, topic, int(start), int(end))
    apply(spark, broker, topic, target, state)
    spark.stop()
    print("kafka job done")


def produce(spark: SparkSession, broker: str, topic: str, start: int, end: int) -> None:
    """Message n moves a mark from n - 1 to n, and adds an event: lost, doubled late or out of order, it would show."""
    term = F.lit(None).cast("string")

    def row(op: str, subject: str, number: str) -> F.Column:
        return F.struct(
            F.lit(op).alias("op"), F.lit(subject).alias("subject"), rdf_iri(F.lit("urn:number")).alias("predicate"),
            rdf_literal(F.expr(number).cast("string")).alias("object"),
        )

    def edge(op: str) -> F.Column:
        return F.struct(F.lit(op).alias("op"), term.alias("subject"), term.alias("predicate"), term.alias("object"))

    rows = F.array(edge("TX"), row("D", "<urn:mark>", "id - 1"), row("A", "<urn:mark>", "id"), row("A", "<urn:event>", "id"),
                   edge("TC"))
    messages = spark.range(start, end, 1, 1).select(to_jelly_patch(rows).alias("value"))
    messages.write.format("kafka").option("kafka.bootstrap.servers", broker).option("topic", topic).save()


def apply(spark: SparkSession, broker: str, topic: str, target: str, state: str) -> None:
    messages = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", broker)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", MESSAGES_A_BATCH)
        .load()
    )
    # A message is a stream of its own: what orders the messages is their offset.
    changes = messages.select("offset", F.inline(from_jelly_patch("value")))
    changes = changes.withColumn("patch", F.expr("offset * 1000000 + patch")).drop("offset")
    # Of a Fuseki, the seconds that a request may take: without the module, it lets no other write for as long and a
    # minute when this is killed while it writes.
    patience = {"timeout": 10} if target.startswith("http") else {}
    query = (
        changes.writeStream.format("jena")
        .options(target=target, checkpointLocation=state, **patience)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main()
