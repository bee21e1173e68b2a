/**
 * The states that a log in a folder comes to: checkpoints of it ({@link
 * io.jellybridge.checkpoint.CheckpointFiles}), the state at
 * any version from the nearest one ({@link io.jellybridge.checkpoint.State}), what may be taken away once there is one
 * ({@link io.jellybridge.checkpoint.Pruning}), and whether all of that is true ({@link
 * io.jellybridge.checkpoint.LogVerification}). Knows {@code codec}, {@code convert}, {@code files}, {@code jena.apply} and
 * {@code log}; nothing of Spark.
 */
package io.jellybridge.checkpoint;
