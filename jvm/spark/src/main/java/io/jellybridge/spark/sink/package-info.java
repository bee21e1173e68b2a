/**
 * The Spark sink {@code jena}, in batch and streaming. It applies change rows to a dataset, each batch in one transaction. One
 * task stages the rows of a batch as a file. The driver makes the dataset apply it, by {@link
 * io.jellybridge.jena.dataset.OpenDataset}. The same transaction stores the number of the batch, so a batch that Spark repeats
 * is skipped. The package also reads the quads of a dataset as a DataFrame.
 */
package io.jellybridge.spark.sink;

