/**
 * Text formats of RDF and of RDF changes, read and written as bytes. This package uses the terms of {@code codec}, and neither
 * Jena nor Spark.
 */
package io.jellybridge.text;
