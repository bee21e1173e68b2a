package io.jellybridge.fuseki;

import io.jellybridge.jena.apply.ApplyReport;

/**
 * What became of a request that was answered with 200.
 *
 * @param applied  false: its patches had been applied before
 * @param key      under which the position is; null where there was no step
 * @param position the position now; null where there was no step
 */
record Applied(boolean applied, ApplyReport report, String key, String position) {
}
