package io.jellybridge.jena.patch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.TransactionGrammar;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfpatch.PatchException;
import org.apache.jena.rdfpatch.binary.RDFChangesWriterBinary;
import org.apache.jena.riot.thrift.TRDF;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sys.JenaSystem;
import org.apache.jena.vocabulary.RDF;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Writes RDF Patch in Jena's binary form, RDF Thrift, with Jena's own writer. Every patch ends with a {@code Segment}, and
 * {@link #close()} ends a patch that has rows but was not ended. The default graph is written as no graph.
 *
 * <p>It throws a {@link FormatException} (whose row counts from the start of the stream) for these:
 *
 * <ul>
 * <li>a literal with a base direction, which Jena writes without it and then can't read (rule {@code term});
 * <li>an {@code rdf:langString} without a language tag, which Jena writes as a plain string;
 * <li>a variable, or a term that breaks the {@link TermRules} or that its position does not allow;
 * <li>a prefix with a character that ends it in Turtle (P-86);
 * <li>a graph whose IRI in the data is Jena's name for the default graph;
 * <li>{@code TX} in a transaction (P-102), {@code TC} or {@code TA} outside of one (P-101);
 * <li>the end of a patch (P-104) or of the stream (P-105) within a transaction.
 * </ul>
 *
 * <p>The format has no place for the namespace of a {@code PD} row, which is left out.
 *
 * <p>A rejected call does not change the stream. Not thread-safe.
 */
public final class ThriftPatchWriter implements PatchHandler<Node>, Closeable {

    static {
        JenaSystem.init();
    }

    private final OutputStream out;
    private final String file;
    private final TermRules rules;
    private final boolean generalized;
    private final RDFChangesWriterBinary writer;
    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions = TransactionGrammar.ofWriter(numbers, "stream", this::refuse);
    private boolean closed;

    /**
     * Creates a writer.
     *
     * @param out         the target; closed by {@link #close()}
     * @param file        the name of the stream in errors; may be null
     * @param rules       the rules for IRIs, language tags and datatypes
     * @param generalized true if generalized statements are allowed
     */
    public ThriftPatchWriter(OutputStream out, String file, TermRules rules, boolean generalized) {
        this.out = new BufferedOutputStream(out, 1 << 16);
        this.file = file;
        this.rules = rules;
        this.generalized = generalized;
        try {
            this.writer = new RDFChangesWriterBinary(TRDF.protocol(new TIOStreamTransport(this.out)));
        } catch (TTransportException e) {
            throw new IllegalStateException(e); // it opens nothing
        }
    }

    @Override
    public void header(byte[] key, Node value) {
        checkNode(TermPosition.HEADER_VALUE, value);
        transactions.checkHeader(key);
        write(() -> writer.header(new String(key, UTF_8), value));
        numbers.count(Op.H);
    }

    @Override
    public void transaction(Op op) {
        transactions.check(op);
        write(switch (op) {
            case TX -> writer::txnBegin;
            case TC -> writer::txnCommit;
            default -> writer::txnAbort;
        });
        numbers.count(op);
    }

    @Override
    public void prefix(Op op, byte[] name, Node namespace, Node graph) {
        RdfTerms.Fault fault = RdfTerms.prefixFault(name);
        if (fault != null) {
            throw refuse("P-86", fault.found(), fault.advice());
        }
        if (namespace == null ? op == Op.PA : !namespace.isURI()) {
            throw refuse("P-87", op + " without a namespace", "give it the namespace's IRI");
        }
        if (namespace != null) {
            checkNode(TermPosition.NAMESPACE, namespace);
        }
        Node g = toGraph(graph);
        String prefix = new String(name, UTF_8);
        if (op == Op.PD) {
            write(() -> writer.deletePrefix(g, prefix));
        } else {
            write(() -> writer.addPrefix(g, prefix, namespace.getURI()));
        }
        numbers.count(op);
    }

    @Override
    public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
        checkTriple(subject, predicate, object);
        Node g = toGraph(graph);
        if (op == Op.A) {
            write(() -> writer.add(g, subject, predicate, object));
        } else {
            write(() -> writer.delete(g, subject, predicate, object));
        }
        numbers.count(op);
    }

    @Override
    public void endPatch() {
        transactions.checkPatchEnd();
        write(writer::segment);
        numbers.countPatchEnd();
    }

    /**
     * Ends a patch that was not ended, and closes the stream. The stream is closed in any case.
     *
     * @throws FormatException a transaction is open (P-105), so the stream is not complete
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (out) {
            transactions.checkStreamEnd();
            if (numbers.patchHasRows()) {
                endPatch();
            }
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    /** Writes a row as a whole, since Jena first writes into its own objects. */
    private void write(Runnable row) {
        try {
            row.run();
        } catch (PatchException e) {
            if (e.getCause() != null && e.getCause().getCause() instanceof IOException io) {
                throw ExceptionMessages.cannotWriteError(file, io);
            }
            throw e;
        }
    }

    private Node toGraph(Node graph) {
        if (DatasetTerms.isDefaultGraph(graph)) {
            return null;
        }
        if (Quad.isDefaultGraph(graph)) {
            throw refuse("term", "a graph <" + graph.getURI() + ">, which RDF Thrift has for the default graph",
                    "give the graph another name, or leave it out");
        }
        checkNode(TermPosition.GRAPH, graph);
        return graph;
    }

    private void checkTriple(Node subject, Node predicate, Node object) {
        checkNode(TermPosition.SUBJECT, subject);
        checkNode(TermPosition.PREDICATE, predicate);
        checkNode(TermPosition.OBJECT, object);
    }

    private void checkNode(TermPosition position, Node node) {
        if (node == null || !node.isConcrete()) {
            throw refuse("term", (node == null ? "nothing" : node.toString()) + " where a term must be",
                    "give an IRI, a blank node, a literal or a triple term");
        }
        if (node.isURI()) {
            byte[] iri = NodeTerms.utf8(node.getURI(), "IRI");
            checkFault(position, rules.iriFault(iri, 0, iri.length));
        } else if (node.isBlank()) {
            checkPosition(position, position.takesBlankNode(), "a blank node");
        } else if (node.isLiteral()) {
            checkLiteral(position, node);
        } else if (node.isTripleTerm()) {
            if (position == TermPosition.GRAPH) {
                throw refuse("term", "a triple term as the graph", "name the graph by an IRI or a blank node");
            }
            checkPosition(position, position.takesTripleTerm(), "a triple term");
            Triple triple = node.getTriple();
            checkTriple(triple.getSubject(), triple.getPredicate(), triple.getObject());
        }
    }

    private void checkLiteral(TermPosition position, Node literal) {
        if (literal.getLiteralBaseDirection() != null) {
            throw refuse("term", "a literal with a base direction, which Jena's RDF Thrift loses and can't read back",
                    "write jelly-patch or rdf-patch");
        }
        String language = literal.getLiteralLanguage();
        if (language.isEmpty() && RDF.dtLangString.equals(literal.getLiteralDatatype())) {
            throw refuse("term", "an rdf:langString without a language tag, which Jena's RDF Thrift makes a plain string of",
                    "give it a language tag, or another datatype");
        }
        checkPosition(position, position.takesLiteral(), "a literal");
        byte[] suffix = NodeTerms.utf8(language.isEmpty() ? literal.getLiteralDatatypeURI() : language, "literal");
        checkFault(position, language.isEmpty() ? rules.datatypeFault(suffix, 0, suffix.length)
                : rules.languageTagFault(suffix, 0, suffix.length));
    }

    private void checkFault(TermPosition position, RdfTerms.Fault fault) {
        if (fault != null) {
            throw refuse("term", "no RDF term as the " + position + ": " + fault.found(), fault.advice());
        }
    }

    private void checkPosition(TermPosition position, boolean allowed, String what) {
        if (!allowed && !generalized) {
            throw refuse("term", what + " as the " + position, "correct it, or set generalizedStatements=true");
        }
    }

    private FormatException refuse(String rule, String found, String advice) {
        long row = numbers.row() + 1 + numbers.patches(); // the end of a patch is a row too
        return FormatException.inStream(rule, file, 0, row, 0, found, advice);
    }
}
