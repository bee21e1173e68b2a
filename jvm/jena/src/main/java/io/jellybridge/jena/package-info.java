/**
 * The packages that use Jena: {@link io.jellybridge.jena.nodes}, {@link io.jellybridge.jena.patch}, {@link
 * io.jellybridge.jena.riot}, {@link io.jellybridge.jena.data}, {@link io.jellybridge.jena.apply}, {@link
 * io.jellybridge.jena.capture}, {@link io.jellybridge.jena.tdb}, {@link io.jellybridge.jena.dataset}. None uses Spark.
 *
 * <p>These rules hold for all of them:
 * <ul>
 * <li>A blank node is its label, byte for byte, and labels are never renamed: a patch names the nodes of the dataset that it
 * was made from. Only RIOT's reader of Jelly-RDF creates nodes as RIOT does, see {@link
 * io.jellybridge.jena.riot.JellyRdfLang}.</li>
 * <li>The default graph is null in calls of {@code RDFChanges}, and {@code Quad.defaultGraphIRI} in quads that are read from a
 * QUADS stream. All of Jena's names for it are understood.</li>
 * <li>Jena's in-memory datasets and TDB2 keep one prefix map for the whole dataset, so the graph of a prefix row is ignored
 * when it is applied.</li>
 * </ul>
 */
package io.jellybridge.jena;
