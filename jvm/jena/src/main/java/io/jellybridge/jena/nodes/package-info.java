/**
 * Converts terms between Jena's nodes and canonical N-Triples in UTF-8, and checks which nodes a dataset may store. This
 * package uses {@code codec}, {@code wire} and Jena.
 */
package io.jellybridge.jena.nodes;
