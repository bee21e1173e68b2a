/**
 * The Jena side: Jelly-Patch to and from {@code RDFChanges}, datasets that patches are applied to and captured from,
 * and Jelly-RDF as a language of RIOT. Knows {@code codec} and Jena; knows nothing of Spark.
 *
 * <p>What holds for every class here:
 * <ul>
 *   <li>A blank node is its label, byte for byte, and labels are never renamed: a patch names the nodes of the dataset
 *       that it was made from. RIOT's reader of Jelly-RDF alone makes nodes as RIOT does, see {@link
 *       io.jellybridge.jena.JellyRdfLang}.</li>
 *   <li>The default graph is null towards {@code RDFChanges} when writing, and {@code Quad.defaultGraphIRI} when
 *       reading a QUADS stream; every spelling Jena has for it is understood.</li>
 *   <li>Jena's in-memory datasets and TDB2 keep one prefix map for the whole dataset: the graph of a prefix row is
 *       ignored when it is applied.</li>
 * </ul>
 */
package io.jellybridge.jena;
