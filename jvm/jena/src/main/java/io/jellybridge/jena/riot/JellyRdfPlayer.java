package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.jena.nodes.IllegalTermException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.sparql.core.Quad;

/**
 * Sends a Jelly-RDF stream to a {@link StreamRDF}. A TRIPLES stream becomes triples; other streams become quads, including
 * those of the default graph. Namespaces become prefixes. Frames, and named graphs without triples, are dropped.
 */
public class JellyRdfPlayer implements RdfHandler<Node> {
    private final StreamRDF sink;
    private RdfReader<Node> reader;

    public JellyRdfPlayer(StreamRDF sink) {
        this.sink = sink;
    }

    /**
     * Reads the stream and closes it. The sink is started, and also finished after an error, as by RIOT's readers.
     *
     * @param file the name of the stream in errors; may be null
     * @throws FormatException the stream breaks the format, or has a term for which Jena has no node (rule {@code term})
     */
    public final void playStream(InputStream in, String file, TermFactory<Node> terms) throws IOException {
        sink.start();
        try (RdfReader<Node> opened = new RdfReader<>(in, file, terms, ReadOptions.DEFAULT)) {
            reader = opened;
            reader.readAll(this);
        } catch (IllegalTermException e) {
            throw reader.newError("term", e.getMessage(), "correct the term where the stream is written");
        } finally {
            sink.finish();
        }
    }

    /** Returns the options of the stream, which are known before the first statement. */
    final RdfOptions options() {
        return reader.options();
    }

    Triple toTriple(Node subject, Node predicate, Node object) {
        return Triple.create(subject, predicate, object);
    }

    Quad toQuad(Node graph, Node subject, Node predicate, Node object) {
        return Quad.create(graph, subject, predicate, object);
    }

    @Override
    public final void namespace(byte[] name, Node namespace) {
        sink.prefix(new String(name, UTF_8), namespace.getURI());
    }

    @Override
    public final void statement(Node subject, Node predicate, Node object, Node graph) {
        if (graph == null) {
            sink.triple(toTriple(subject, predicate, object));
        } else {
            sink.quad(toQuad(graph, subject, predicate, object));
        }
    }

    @Override
    public final void startGraph(Node graph) {
        // each statement has its graph
    }

    @Override
    public final void endGraph() {
        // each statement has its graph
    }

    @Override
    public final void endFrame(Map<String, byte[]> metadata) {
        // RIOT has no frames
    }
}
