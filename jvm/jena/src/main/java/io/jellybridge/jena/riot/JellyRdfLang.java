package io.jellybridge.jena.riot;

import io.jellybridge.codec.LogicalType;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.jena.dataset.DatasetStore;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.LangBuilder;
import org.apache.jena.riot.RDFFormat;
import org.apache.jena.riot.RDFFormatVariant;
import org.apache.jena.riot.RDFParserRegistry;
import org.apache.jena.riot.RDFWriterRegistry;
import org.apache.jena.riot.system.StreamRDFWriter;

/**
 * Jelly-RDF as a language of RIOT, Jena's readers and writers: {@code RDFDataMgr.read(dataset, "all.jelly")} works
 * with our jar on the class path, {@code .jelly.gz} too. {@link JellyRdfSubsystem} registers it when Jena starts.
 *
 * <p>The language is the same as that of {@code jelly-jena}, the format's own library, to the last of its names.
 * Where both are on the class path that one reads, and writes what is asked for by language; our {@link RDFFormat}s
 * are there too.
 *
 * <p>Blank node labels belong to their document, as in every reader of RIOT: a second reading gives other nodes,
 * unless the parser is built with {@code LabelToNode.createUseLabelAsGiven()}. {@link DatasetStore#load} keeps
 * labels.
 */
public final class JellyRdfLang {
    /** The language: {@code application/x-jelly-rdf}, {@code .jelly}. */
    public static final Lang JELLY = LangBuilder.create("Jelly", "application/x-jelly-rdf")
            .addAltNames("JELLY")
            .addFileExtensions("jelly")
            .build();

    /**
     * The default: a graph becomes a stream of triples; a dataset, and what comes as a stream, one of quads. Announces
     * triple terms and generalized statements, since Jena can hold them and a stream's options come first.
     */
    public static final RDFFormat JELLY_ALL = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge all"));

    /** As {@link #JELLY_ALL}, but always triples; a named graph is refused. For graphs and streams. */
    public static final RDFFormat JELLY_TRIPLES = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge triples"));

    /** As {@link #JELLY_ALL}, but a stream of graphs. For datasets and streams. */
    public static final RDFFormat JELLY_GRAPHS = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge graphs"));

    /**
     * As {@link #JELLY_ALL}, but RDF 1.1 for the oldest readers: triple terms and generalized statements are refused
     * and prefixes are left out, so that the version tag is 1.
     */
    public static final RDFFormat JELLY_PLAIN = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge plain"));

    private JellyRdfLang() {
    }

    /** Tells RIOT; a second time changes nothing. What another library has registered for the language stays. */
    static void register() {
        if (!RDFParserRegistry.isRegistered(JELLY)) {
            RDFParserRegistry.registerLangTriples(JELLY, JellyRdfParser::new);
            RDFParserRegistry.registerLangQuads(JELLY, JellyRdfParser::new);
        }
        for (RDFFormat format : new RDFFormat[] {JELLY_ALL, JELLY_TRIPLES, JELLY_GRAPHS, JELLY_PLAIN}) {
            StreamRDFWriter.register(format, (out, f, context) -> new JellyRdfStream(out, streamOptions(f)));
        }
        for (RDFFormat format : new RDFFormat[] {JELLY_ALL, JELLY_TRIPLES, JELLY_PLAIN}) {
            RDFWriterRegistry.register(format, JellyRdfGraphWriter::new);
        }
        for (RDFFormat format : new RDFFormat[] {JELLY_ALL, JELLY_GRAPHS, JELLY_PLAIN}) {
            RDFWriterRegistry.register(format, JellyRdfDatasetWriter::new);
        }
        if (!RDFWriterRegistry.contains(JELLY)) {
            RDFWriterRegistry.register(JELLY, JELLY_ALL);
        }
        if (!StreamRDFWriter.registered(JELLY)) {
            StreamRDFWriter.register(JELLY, JELLY_ALL);
        }
    }

    /** The options of a stream whose statements are not known in advance, or of a dataset. */
    static RdfOptions streamOptions(RDFFormat format) {
        return options(format, JELLY_TRIPLES.equals(format) ? PhysicalType.TRIPLES
                : JELLY_GRAPHS.equals(format) ? PhysicalType.GRAPHS : PhysicalType.QUADS);
    }

    /** The options of a graph. */
    static RdfOptions graphOptions(RDFFormat format) {
        return options(format, PhysicalType.TRIPLES);
    }

    private static RdfOptions options(RDFFormat format, PhysicalType physical) {
        boolean all = !JELLY_PLAIN.equals(format);
        return RdfOptions.DEFAULT
                .withTypes(physical, LogicalType.flat(physical).number())
                .withGeneralizedStatements(all)
                .withRdfStar(all)
                .withNamespaceDeclarations(all);
    }
}
