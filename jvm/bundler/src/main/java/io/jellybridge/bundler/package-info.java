/**
 * A build tool that makes the self-contained jar of our classes and all that Jena needs. It runs during the build, and is part
 * of no jar. It knows jars and text files, and nothing of RDF.
 */
package io.jellybridge.bundler;
