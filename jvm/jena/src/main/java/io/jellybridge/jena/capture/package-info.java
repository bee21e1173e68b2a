/**
 * Records the changes of a dataset in a log, one patch a transaction. This package uses {@code apply}, since a patch may be in
 * the log and not yet in the dataset after a crash.
 */
package io.jellybridge.jena.capture;
