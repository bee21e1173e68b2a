/**
 * What the runner of conformance suites, {@code python -m jellybridge.conformance}, calls. Knows the codecs, the texts and
 * Jena; nothing else knows it.
 */
package io.jellybridge.conformance;
