/**
 * Synchronization of datasets with streams of patches, each patch exactly once ({@link io.jellybridge.sync.Synchronizer}), and
 * datasets behind HTTP ({@link io.jellybridge.sync.FusekiDataset}). Local datasets are in {@code jena}. This package uses
 * {@code jena}, {@code text}, {@code codec}, {@code log} and {@code http}, but not Spark.
 */
package io.jellybridge.sync;
