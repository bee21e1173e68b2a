/**
 * Patches as Jena's {@code RDFChanges}: Jelly-Patch, and Jena's binary RDF Patch (Thrift). Knows {@code nodes}, {@code codec}
 * and Jena.
 */
package io.jellybridge.jena.patch;
