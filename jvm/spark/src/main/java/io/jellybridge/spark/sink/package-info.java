/**
 * The sink {@code jena} of Spark, in batch and streaming: change rows go to a dataset, each batch in one transaction. One
 * task stages its rows as a file; the driver has the dataset apply it, by {@link io.jellybridge.jena.dataset.OpenDataset}, and says
 * in the same transaction which batch it was. So a batch that Spark runs again is seen, and skipped.
 */
package io.jellybridge.spark.sink;

