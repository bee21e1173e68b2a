/**
 * A log as a dataset with versions: the format {@code rdf-dataset}, which reads the state at a version, and what changed
 * between versions, for a catalog. Both are DataFrames over the log's files; Spark plans them when their rows are asked for.
 * Written, that format has an empty log begin with a state ({@link io.jellybridge.spark.dataset.BeginningWrite}).
 */
package io.jellybridge.spark.dataset;
