/**
 * Datasets that follow streams of patches, exactly once each: where a dataset stands is stored in the dataset itself, in
 * the transaction that brought it there. Targets are in this process ({@link io.jellybridge.sync.DatasetTarget}) or behind
 * HTTP ({@link io.jellybridge.sync.FusekiTarget}). Knows {@code jena}, {@code text}, {@code codec}, {@code log}
 * and {@code http}; knows nothing of Spark.
 */
package io.jellybridge.sync;
