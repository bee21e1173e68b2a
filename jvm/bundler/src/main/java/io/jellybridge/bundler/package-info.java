/**
 * Build tool: makes the self-contained jar of ours and of all that Jena needs. It runs while the project is built and
 * is part of no jar. Knows jars and text files, and nothing of RDF.
 */
package io.jellybridge.bundler;
