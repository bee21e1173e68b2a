/**
 * The changes of a dataset into a log, one patch a transaction. Knows {@code apply}, since a log that is ahead of its
 * dataset is applied to it.
 */
package io.jellybridge.jena.capture;
