/**
 * The data source and sink {@code rdf-patch-log}: patch logs as tables of change rows, in batch and Structured Streaming. An
 * offset is a version of the log, and a patch is never split. Written rows are staged, and the driver appends them. This
 * package knows {@code log} and Spark's public interfaces.
 */
package io.jellybridge.spark.log;
