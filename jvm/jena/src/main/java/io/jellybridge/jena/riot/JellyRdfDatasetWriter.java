package io.jellybridge.jena.riot;

import java.io.OutputStream;
import java.io.Writer;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFFormat;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.WriterDatasetRIOT;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.riot.system.StreamRDFOps;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.util.Context;

/** RIOT's writer of a dataset as Jelly-RDF. Its errors are those of {@link JellyRdfStream}. */
final class JellyRdfDatasetWriter implements WriterDatasetRIOT {
    private final RDFFormat format;

    /**
     * Creates a writer.
     *
     * @param format one of {@link JellyRdfLang}
     */
    JellyRdfDatasetWriter(RDFFormat format) {
        this.format = format;
    }

    @Override
    public void write(OutputStream out, DatasetGraph dataset, PrefixMap prefixes, String base, Context context) {
        JellyRdfStream stream = new JellyRdfStream(out, JellyRdfLang.streamOptions(format));
        StreamRDFOps.sendDatasetToStream(dataset, stream, base, prefixes);
        stream.finish();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RiotException always, since the format is binary
     */
    @Override
    public void write(Writer out, DatasetGraph dataset, PrefixMap prefixes, String base, Context context) {
        throw new RiotException(JellyRdfStream.BINARY);
    }

    @Override
    public Lang getLang() {
        return format.getLang();
    }
}
