/**
 * Benchmarks of the codec against its peers, and the data that they and the Spark benchmark measure on. What is measured
 * and how is in {@code benchmarks/RESULTS.md}, which {@code make bench} writes.
 */
package io.jellybridge.bench;
