/** Connects patches to Jena's {@code RDFChanges}: Jelly-Patch, and Jena's binary RDF Patch (Thrift). */
package io.jellybridge.jena.patch;
