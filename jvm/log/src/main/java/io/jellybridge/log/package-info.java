/**
 * Patch logs: one linear order of patches, each with an id and the id of the patch before it, that several writers append
 * to by compare-and-set. A log is a folder ({@link io.jellybridge.log.FolderLog}), a folder that a Fuseki serves ({@link
 * io.jellybridge.log.HttpLog}) or {@code jellybridge serve} ({@link io.jellybridge.log.GrpcLog}), or one on another file
 * system ({@link io.jellybridge.log.LogStore}). Knows {@code codec}, {@code http} and {@code grpc}; nothing of Jena and
 * Spark, so that both sides read logs.
 *
 * <p>Terms are UTF-8 in canonical N-Triples, see {@link io.jellybridge.codec.Utf8Terms}. The id of a patch is a UUID in
 * its lower-case form; in a patch it is the header {@code id}, {@code <urn:uuid:…>}, and that of the patch before it is
 * the header {@code prev}.
 */
package io.jellybridge.log;
