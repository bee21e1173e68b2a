/**
 * Records the changes of a dataset in a log, one patch a transaction. After a crash, a patch may be in the log and not yet in the
 * dataset; it is then applied.
 */
package io.jellybridge.jena.capture;
