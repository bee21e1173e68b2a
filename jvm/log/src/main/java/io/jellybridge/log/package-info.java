/**
 * Patch logs: append-only sequences of patches. Each patch has an id, and the id of the patch before it. Several writers can
 * append, by compare-and-set. A log is a set of objects ({@link io.jellybridge.log.StoreLog}) in a folder, on another file
 * system or behind HTTP ({@link io.jellybridge.log.LogStore}). {@code jellybridge serve} can serve a folder over gRPC ({@link
 * io.jellybridge.log.GrpcLog}). This package uses neither Jena nor Spark, so that the code of both can read logs.
 *
 * <p>Terms are canonical N-Triples in UTF-8, see {@link io.jellybridge.codec.Utf8Terms}. The id of a patch is a UUID in lower
 * case. In a patch, its header {@code id} is {@code <urn:uuid:…>}, and its header {@code prev} has the id of the patch before
 * it.
 */
package io.jellybridge.log;
