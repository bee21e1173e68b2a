/**
 * How datasets follow streams of patches, exactly once each ({@link io.jellybridge.sync.Synchronizer}), and the datasets
 * that are behind HTTP ({@link io.jellybridge.sync.FusekiDataset}); those of this process are of {@code jena}. Knows
 * {@code jena}, {@code text}, {@code codec}, {@code log} and {@code http}; knows nothing of Spark.
 */
package io.jellybridge.sync;
