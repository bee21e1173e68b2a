/**
 * Terms: Jena's nodes to and from canonical N-Triples in UTF-8, and which nodes a dataset may have. Knows {@code codec},
 * {@code wire} and Jena.
 */
package io.jellybridge.jena.nodes;
