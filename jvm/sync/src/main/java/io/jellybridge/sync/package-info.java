/**
 * Synchronization of datasets with streams of patches, each patch exactly once ({@link io.jellybridge.sync.Synchronizer}), and
 * datasets behind HTTP ({@link io.jellybridge.sync.FusekiDataset}). Local datasets are in {@code jena}.
 */
package io.jellybridge.sync;
