package io.jellybridge.jena.riot;

import io.jellybridge.codec.LogicalType;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.jena.dataset.DatasetStore;
import java.io.OutputStream;
import java.io.Writer;
import org.apache.jena.graph.Graph;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.LangBuilder;
import org.apache.jena.riot.RDFFormat;
import org.apache.jena.riot.RDFFormatVariant;
import org.apache.jena.riot.RDFParserRegistry;
import org.apache.jena.riot.RDFWriterRegistry;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.WriterDatasetRIOT;
import org.apache.jena.riot.WriterDatasetRIOTFactory;
import org.apache.jena.riot.WriterGraphRIOT;
import org.apache.jena.riot.WriterGraphRIOTFactory;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.riot.system.StreamRDFOps;
import org.apache.jena.riot.system.StreamRDFWriter;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.util.Context;

/**
 * Registers Jelly-RDF as a language of RIOT, Jena's readers and writers. With our jar on the class path, {@code
 * RDFDataMgr.read(dataset, "all.jelly")} works, and so does {@code .jelly.gz}. {@link JellyRdfSubsystem} registers it when Jena
 * starts.
 *
 * <p>The language is equal to that of {@code jelly-jena}, the format's own library, with all its names. If both are on the
 * class path, {@code jelly-jena} reads, and writes when only the language is given. Our {@link RDFFormat}s are available too.
 * <p>Blank node labels are local to their document, as in every reader of RIOT. A second reading gives other nodes, unless the
 * parser is built with {@code LabelToNode.createUseLabelAsGiven()}. {@link DatasetStore#load} keeps labels.
 */
public final class JellyRdfLang {
    /** The language: {@code application/x-jelly-rdf}, {@code .jelly}. */
    public static final Lang JELLY = LangBuilder.create("Jelly", "application/x-jelly-rdf")
            .addAltNames("JELLY")
            .addFileExtensions("jelly")
            .build();

    /**
     * The default: triples for a graph; quads for a dataset and for a stream. It announces triple terms and generalized
     * statements, since Jena can hold them and the options come before the first statement.
     */
    public static final RDFFormat JELLY_ALL = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge all"));

    /** Triples only, otherwise like {@link #JELLY_ALL}; a named graph is an error. For graphs and streams. */
    public static final RDFFormat JELLY_TRIPLES = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge triples"));

    /** A stream of graphs, otherwise like {@link #JELLY_ALL}. For datasets and streams. */
    public static final RDFFormat JELLY_GRAPHS = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge graphs"));

    /**
     * RDF 1.1 for the oldest readers, otherwise like {@link #JELLY_ALL}. Triple terms and generalized statements are errors
     * . Prefixes are left out, so the version tag is 1.
     */
    public static final RDFFormat JELLY_PLAIN = new RDFFormat(JELLY, new RDFFormatVariant("jellybridge plain"));

    private static final String BINARY = "Jelly is a binary format: write it to an OutputStream, not to a java.io.Writer";

    private JellyRdfLang() {
    }

    /** Registers the language. A second call has no effect, and a registration by another library stays. */
    static void register() {
        if (!RDFParserRegistry.isRegistered(JELLY)) {
            RDFParserRegistry.registerLangTriples(JELLY, JellyRdfParser::new);
            RDFParserRegistry.registerLangQuads(JELLY, JellyRdfParser::new);
        }
        for (RDFFormat format : new RDFFormat[] {JELLY_ALL, JELLY_TRIPLES, JELLY_GRAPHS, JELLY_PLAIN}) {
            StreamRDFWriter.register(format, (out, f, context) -> new JellyRdfStream(out, streamOptions(f)));
        }
        for (RDFFormat format : new RDFFormat[] {JELLY_ALL, JELLY_TRIPLES, JELLY_PLAIN}) {
            RDFWriterRegistry.register(format, (WriterGraphRIOTFactory) Writers::new);
        }
        for (RDFFormat format : new RDFFormat[] {JELLY_ALL, JELLY_GRAPHS, JELLY_PLAIN}) {
            RDFWriterRegistry.register(format, (WriterDatasetRIOTFactory) Writers::new);
        }
        if (!RDFWriterRegistry.contains(JELLY)) {
            RDFWriterRegistry.register(JELLY, JELLY_ALL);
        }
        if (!StreamRDFWriter.registered(JELLY)) {
            StreamRDFWriter.register(JELLY, JELLY_ALL);
        }
    }

    /** Returns the options for a dataset, or for a stream whose statements are unknown. */
    static RdfOptions streamOptions(RDFFormat format) {
        return optionsFor(format, JELLY_TRIPLES.equals(format) ? PhysicalType.TRIPLES
                : JELLY_GRAPHS.equals(format) ? PhysicalType.GRAPHS : PhysicalType.QUADS);
    }

    private static RdfOptions optionsFor(RDFFormat format, PhysicalType physical) {
        boolean all = !JELLY_PLAIN.equals(format);
        return RdfOptions.DEFAULT
                .withTypes(physical, LogicalType.toFlat(physical).number())
                .withGeneralizedStatements(all)
                .withRdfStar(all)
                .withNamespaceDeclarations(all);
    }

    /**
     * RIOT's writer of graphs and datasets. Its errors are those of {@link JellyRdfStream}.
     *
     * @param format one of those above
     */
    record Writers(RDFFormat format) implements WriterGraphRIOT, WriterDatasetRIOT {

        @Override
        public void write(OutputStream out, Graph graph, PrefixMap prefixes, String base, Context context) {
            JellyRdfStream stream = new JellyRdfStream(out, optionsFor(format, PhysicalType.TRIPLES));
            StreamRDFOps.sendGraphToStream(graph, stream, base, prefixes);
            stream.finish();
        }

        @Override
        public void write(OutputStream out, DatasetGraph dataset, PrefixMap prefixes, String base, Context context) {
            JellyRdfStream stream = new JellyRdfStream(out, streamOptions(format));
            StreamRDFOps.sendDatasetToStream(dataset, stream, base, prefixes);
            stream.finish();
        }

        /**
         * {@inheritDoc}
         *
         * @throws RiotException always, since the format is binary
         */
        @Override
        public void write(Writer out, Graph graph, PrefixMap prefixes, String base, Context context) {
            throw new RiotException(BINARY);
        }

        /**
         * {@inheritDoc}
         *
         * @throws RiotException always, since the format is binary
         */
        @Override
        public void write(Writer out, DatasetGraph dataset, PrefixMap prefixes, String base, Context context) {
            throw new RiotException(BINARY);
        }

        @Override
        public Lang getLang() {
            return format.getLang();
        }
    }
}
