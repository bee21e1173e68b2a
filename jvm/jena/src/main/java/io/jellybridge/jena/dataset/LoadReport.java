package io.jellybridge.jena.dataset;

/**
 * Counts what loading a file did.
 *
 * @param statements added ones; one that was there, or that comes twice, counts too
 * @param positions  those of the graph of positions, which were left out
 */
public record LoadReport(long statements, long positions) {
}
