/**
 * Statements through RIOT: any syntax that it reads, Jelly-RDF as one of its languages, canonical N-Quads. Knows {@code
 * nodes}, {@code codec} and Jena.
 */
package io.jellybridge.jena.riot;
