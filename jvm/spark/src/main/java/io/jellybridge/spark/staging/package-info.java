/**
 * Stages batches of change rows on their way to a store, in batch and Structured Streaming. One task writes the sorted rows of
 * a batch to a file. If the rows come in order, many tasks write a piece each. The driver then passes the batch to a {@link
 * io.jellybridge.spark.staging.StagedWrite.BatchStep}. The step knows the store, and recognizes a repeated batch.
 */
package io.jellybridge.spark.staging;
