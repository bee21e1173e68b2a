package io.jellybridge.jena.riot;

import java.io.OutputStream;
import java.io.Writer;
import org.apache.jena.graph.Graph;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFFormat;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.WriterGraphRIOT;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.riot.system.StreamRDFOps;
import org.apache.jena.sparql.util.Context;

/** RIOT's writer of a graph as Jelly-RDF. Its errors are those of {@link JellyRdfStream}. */
final class JellyRdfGraphWriter implements WriterGraphRIOT {
    private final RDFFormat format;

    /**
     * Creates a writer.
     *
     * @param format one of {@link JellyRdfLang}
     */
    JellyRdfGraphWriter(RDFFormat format) {
        this.format = format;
    }

    @Override
    public void write(OutputStream out, Graph graph, PrefixMap prefixes, String base, Context context) {
        JellyRdfStream stream = new JellyRdfStream(out, JellyRdfLang.graphOptions(format));
        StreamRDFOps.sendGraphToStream(graph, stream, base, prefixes);
        stream.finish();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RiotException always, since the format is binary
     */
    @Override
    public void write(Writer out, Graph graph, PrefixMap prefixes, String base, Context context) {
        throw new RiotException(JellyRdfStream.BINARY);
    }

    @Override
    public Lang getLang() {
        return format.getLang();
    }
}
