/**
 * Jelly-Patch: options, lookup tables, terms, rows. Generic in what a term becomes ({@link
 * io.jellybridge.codec.TermFactory}) and in what it is made of ({@link io.jellybridge.codec.TermSource}); UTF-8 text in
 * canonical N-Triples is one such term and is here too. May know {@code wire} only: no Jena, no Spark, no protobuf.
 *
 * <p>Rules are named by their ids in the project's checklist of the format, such as {@code P-62}.
 */
package io.jellybridge.codec;
