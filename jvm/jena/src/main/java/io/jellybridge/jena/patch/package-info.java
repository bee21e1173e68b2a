/**
 * Connects patches to Jena's {@code RDFChanges}: Jelly-Patch, and Jena's binary RDF Patch (Thrift). This package uses {@code
 * nodes}, {@code codec} and Jena.
 */
package io.jellybridge.jena.patch;
