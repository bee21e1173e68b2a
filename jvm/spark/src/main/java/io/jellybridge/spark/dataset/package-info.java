/**
 * A log as a dataset with versions. The format {@code rdf-dataset} reads the state at a version, and the changes between
 * versions for a catalog. Both are DataFrames over the log's files, which are planned when their rows are requested. Writing
 * that format creates the initial content of an empty log ({@link io.jellybridge.spark.dataset.InitialStateWrite}).
 */
package io.jellybridge.spark.dataset;
