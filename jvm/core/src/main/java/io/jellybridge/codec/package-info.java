/**
 * The Jelly codec: options, lookup tables, terms and rows of Jelly-Patch and Jelly-RDF. Readers are generic in the type of term
 * they create ({@link io.jellybridge.codec.TermFactory}), and writers in the type they accept ({@link
 * io.jellybridge.codec.TermSource}). This package also has one such type, UTF-8 text in canonical N-Triples. It uses {@code
 * wire} only: no Jena, no Spark, no protobuf.
 *
 * <p>Rules are named by their ids in the project's checklist of the format, such as {@code P-62}.
 */
package io.jellybridge.codec;
