/**
 * The data source and sink {@code rdf-patch-log}: patch logs as tables of change rows, in batch and in Structured Streaming.
 * A version of the log is an offset, and a patch is never split; what is written is staged, and appended by the driver.
 * Knows {@code log} and Spark's public interfaces.
 */
package io.jellybridge.spark.log;
