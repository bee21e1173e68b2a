package io.jellybridge.fuseki;

import io.jellybridge.jena.apply.ApplyReport;

/**
 * The result of a request with status 200.
 *
 * @param applied  false if its patches had been applied before
 * @param key      the key of the position; null if there was no step
 * @param position the position now; null if there was no step
 */
record Applied(boolean applied, ApplyReport report, String key, String position) {
}
