/**
 * Text formats of RDF and of changes to it, read and written over bytes. Knows the terms of {@code codec}, and neither
 * Jena nor Spark.
 */
package io.jellybridge.text;
