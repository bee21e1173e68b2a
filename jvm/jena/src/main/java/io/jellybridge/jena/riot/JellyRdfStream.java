package io.jellybridge.jena.riot;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.StatementWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.CloseShieldOutputStream;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.jena.atlas.io.IO;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.sparql.core.Quad;

/**
 * A {@link StreamRDF} that writes a Jelly-RDF stream. Labels of blank nodes are kept. Prefixes become namespace declarations,
 * or are left out if the options have none. A base is left out. {@link #finish()} ends the stream and flushes the output, but
 * does not close it, as RIOT's writers do.
 *
 * <p>A statement that the stream can't hold throws a {@link RiotException} whose cause is the {@link FormatException} with the
 * rule.
 */
public final class JellyRdfStream implements StreamRDF {

    private final StatementWriter<Node> writer;
    private final boolean prefixes;

    public JellyRdfStream(OutputStream out, RdfOptions options) {
        // A stream that may hold everything in Jena accepts any term, as RIOT's writers do.
        TermRules rules = options.generalizedStatements() ? TermRules.ANY : TermRules.RDF;
        this.writer = new StatementWriter<>(
                new CloseShieldOutputStream(out), null, new NodeTerms(), options, WriteOptions.DEFAULT.withTerms(rules));
        this.prefixes = options.namespaceDeclarations();
    }

    @Override
    public void start() {
        // the options are the start
    }

    @Override
    public void triple(Triple triple) {
        statement(triple.getSubject(), triple.getPredicate(), triple.getObject(), null);
    }

    @Override
    public void quad(Quad quad) {
        boolean isDefault = quad.isTriple() || quad.isDefaultGraph();
        statement(quad.getSubject(), quad.getPredicate(), quad.getObject(), isDefault ? null : quad.getGraph());
    }

    private void statement(Node subject, Node predicate, Node object, Node graph) {
        asRiot(() -> writer.statement(subject, predicate, object, graph));
    }

    @Override
    public void base(String base) {
        // all IRIs are absolute
    }

    @Override
    public void version(String version) {
        // the stream has a version of its own
    }

    @Override
    public void prefix(String prefix, String iri) {
        if (prefixes) {
            asRiot(() -> writer.namespace(NodeTerms.utf8(prefix, "prefix"), NodeFactory.createURI(iri)));
        }
    }

    @Override
    public void finish() {
        try {
            writer.close();
        } catch (IOException e) {
            IO.exception(e);
        }
    }

    /** Calls the codec, and converts its exceptions to those of RIOT. */
    private static void asRiot(Runnable write) {
        try {
            write.run();
        } catch (FormatException e) {
            throw new RiotException(e.getMessage(), e);
        } catch (UncheckedIOException e) {
            IO.exception(e.getCause());
        }
    }
}
