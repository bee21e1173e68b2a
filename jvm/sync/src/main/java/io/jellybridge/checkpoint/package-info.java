/**
 * The states of a log in a folder: checkpoints ({@link io.jellybridge.checkpoint.CheckpointFiles}), and the state at any
 * version, computed from the nearest checkpoint ({@link io.jellybridge.checkpoint.State}).
 * {@link io.jellybridge.checkpoint.Pruning} deletes patches that a checkpoint covers, and
 * {@link io.jellybridge.checkpoint.LogVerification} verifies the log.
 * {@link io.jellybridge.checkpoint.PatchAlgebra} computes with patches and such states. This package
 * uses {@code codec}, {@code convert}, {@code files}, {@code jena.apply} and {@code log}, but not Spark.
 */
package io.jellybridge.checkpoint;
