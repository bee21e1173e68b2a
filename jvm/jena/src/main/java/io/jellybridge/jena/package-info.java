/**
 * The Jena side, in rooms: {@link io.jellybridge.jena.nodes}, {@link io.jellybridge.jena.patch}, {@link
 * io.jellybridge.jena.riot}, {@link io.jellybridge.jena.data}, {@link io.jellybridge.jena.apply}, {@link
 * io.jellybridge.jena.capture}, {@link io.jellybridge.jena.tdb}, {@link io.jellybridge.jena.dataset}. None knows Spark.
 *
 * <p>What holds for every class of them:
 * <ul>
 *   <li>A blank node is its label, byte for byte, and labels are never renamed: a patch names the nodes of the dataset
 *       that it was made from. RIOT's reader of Jelly-RDF alone makes nodes as RIOT does, see {@link
 *       io.jellybridge.jena.riot.JellyRdfLang}.</li>
 *   <li>The default graph is null towards {@code RDFChanges} when writing, and {@code Quad.defaultGraphIRI} when
 *       reading a QUADS stream; every spelling Jena has for it is understood.</li>
 *   <li>Jena's in-memory datasets and TDB2 keep one prefix map for the whole dataset: the graph of a prefix row is
 *       ignored when it is applied.</li>
 * </ul>
 */
package io.jellybridge.jena;
