/**
 * Batches of change rows on their way to a store, in batch and in Structured Streaming: one task stages the rows of a batch
 * as a file, in their order, or many tasks a piece each where the rows come in order; and the driver has a {@link
 * io.jellybridge.spark.staging.BatchStep} take it. Which store that is, and how it knows a batch that comes again, the step
 * says.
 */
package io.jellybridge.spark.staging;
