/**
 * Reads and writes statements with RIOT: any syntax that it reads, Jelly-RDF as one of its languages, and canonical N-Quads.
 */
package io.jellybridge.jena.riot;
