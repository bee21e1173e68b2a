package io.jellybridge.jena.riot;

import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.nodes.DatasetTerms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.graph.impl.GraphBase;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.RDFWriter;
import org.apache.jena.riot.RDFWriterBuilder;
import org.apache.jena.riot.RIOT;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.SysRIOT;
import org.apache.jena.riot.out.NodeFmtLib;
import org.apache.jena.riot.system.ErrorHandlerFactory;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.riot.system.StreamRDFWriter;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphMapLink;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sys.JenaSystem;
import org.apache.jena.util.iterator.ExtendedIterator;
import org.apache.jena.util.iterator.WrappedIterator;
import org.apache.jena.vocabulary.RDF;

/**
 * Writes a document of Turtle, TriG, RDF/XML, JSON-LD, RDF/JSON or TriX by Jena's writers, with its prefixes. Subjects keep the
 * order in which they came.
 *
 * <p>The statements are in memory until {@link #finish()}, so that blank nodes and lists can be nested. If they need more than a
 * part of the heap, Turtle and TriG are written as they come, subject by subject, without nesting.
 *
 * <p>Jena's writers of the other syntaxes leave out or alter what these can't hold, such as triple terms. So such a document is
 * read again before it is written. Not thread-safe.
 */
public final class DocumentWriter {
    static {
        JenaSystem.init();
    }

    /** An estimate of the memory of one statement, without the text of its literal. */
    private static final int STATEMENT_BYTES = 600;
    private static final int HEAP_SHARE = 4;
    /** More would make a document that does not fit into an array. */
    private static final long MAX_ROOM = 1L << 32;
    /** Writes {@code @prefix}, as most files in Turtle have it, and in RDF/XML also namespaces such as {@code urn:}. */
    private static final Context STYLE = new Context().set(RIOT.symTurtleDirectiveStyle, "at")
            .set(SysRIOT.sysRdfWriterProperties, Map.of("allowBadURIs", true));
    private static final String ADVICE = "write turtle, trig, nquads or jelly";

    private final OutputStream out;
    private final String file;
    private final Lang lang;
    private final DatasetTerms allowed = new DatasetTerms();
    /** The namespaces by their names. */
    private final Map<String, String> prefixes = new LinkedHashMap<>();
    private final boolean isTurtle;
    private OrderedDataset held = new OrderedDataset();
    private boolean nestsBlankNodes;
    /** True if a blank node must have a label, since it is also the name of a graph or in a triple term. */
    private boolean needsLabels;
    /** The bytes that may still be held. */
    private long room;
    /** The writer of a document that is too large to hold; null before. */
    private StreamRDF stream;

    /**
     * Creates a writer.
     *
     * @param out  the output, which stays open
     * @param file the name of the output in errors
     */
    public DocumentWriter(OutputStream out, String file, Lang lang) {
        this(out, file, lang, Math.min(Runtime.getRuntime().maxMemory() / HEAP_SHARE, MAX_ROOM));
    }

    /** Creates a writer that holds so many bytes of Turtle or TriG. */
    DocumentWriter(OutputStream out, String file, Lang lang, long room) {
        this.out = out;
        this.file = file;
        this.lang = lang;
        this.isTurtle = Lang.TURTLE.equals(lang) || Lang.TRIG.equals(lang);
        this.room = room;
    }

    /** Declares a prefix; the last namespace of a name counts. A name that Turtle can't write is left out, as it is no data. */
    public void prefix(String name, String namespace) throws IOException {
        if (DatasetTerms.isTurtlePrefix(name) && allowed.isValidPrefix(name, namespace)) {
            prefixes.put(name, namespace);
            if (stream != null) {
                write(() -> stream.prefix(name, namespace));
            }
        }
    }

    /**
     * Adds a statement.
     *
     * @param graph null for the default graph
     * @throws FormatException the syntax can't hold it; the message says which can
     */
    public void statement(Node graph, Node subject, Node predicate, Node object) throws IOException {
        String problem = allowed.findProblem(graph, subject, predicate, object);
        if (problem != null) {
            throw refusalError("a statement with " + problem, "correct the term");
        }
        if (graph != null && !RDFLanguages.isQuads(lang)) {
            throw refusalError("the named graph " + NodeFmtLib.strNT(graph) + " for " + lang.getName() + ", which has none",
                    "write trig, nquads or jelly, or the statements without it");
        }
        Triple triple = Triple.create(subject, predicate, object);
        if (stream != null) {
            write(() -> sendStatement(graph, triple));
            return;
        }
        held.add(graph, triple);
        nestsBlankNodes |= subject.isBlank() && object.isBlank();
        needsLabels |= graph != null && graph.isBlank() || object.isTripleTerm() && hasBlankNode(object);
        room -= STATEMENT_BYTES + (object.isLiteral() ? object.getLiteralLexicalForm().length() : 0);
        if (room < 0 && isTurtle) {
            write(this::beginStream);
        }
    }

    /** Checks whether a term is or has a blank node. In a triple term, Jena's writer does not see it. */
    private static boolean hasBlankNode(Node term) {
        return term.isBlank() || term.isTripleTerm()
                && (hasBlankNode(term.getTriple().getSubject()) || hasBlankNode(term.getTriple().getObject()));
    }

    private void beginStream() {
        stream = StreamRDFWriter.getWriterStream(out, lang, STYLE);
        stream.start();
        prefixes.forEach(stream::prefix);
        held.find().forEachRemaining(quad -> sendStatement(quad.isDefaultGraph() ? null : quad.getGraph(), quad.asTriple()));
        held = null;
    }

    private void sendStatement(Node graph, Triple triple) {
        if (graph == null) {
            stream.triple(triple);
        } else {
            stream.quad(Quad.create(graph, triple));
        }
    }

    /**
     * Writes what is left. Without it, a document that is held is not written.
     *
     * @throws FormatException the syntax can't hold the statements; the message says which can
     */
    public void finish() throws IOException {
        if (stream != null) {
            write(stream::finish);
            return;
        }
        prefixes.forEach(held.prefixes()::add);
        if (isTurtle && needsLabels) {
            writeWithLabels();
        } else if (isTurtle && nestsBlankNodes) {
            writeNested();
        } else if (isTurtle) {
            write(() -> writeHeld(out));
        } else {
            out.write(checked());
        }
        out.flush();
    }

    /**
     * Writes Turtle with nested blank nodes. Jena's writer loses statements if blank nodes are in a ring, since none of them is the
     * first. So the document is read again. If something is missing, it is written without nesting.
     */
    private void writeNested() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        writeHeld(written);
        if (sumOf(written.toByteArray()) == sumHashes(held.find())) {
            written.writeTo(out);
        } else {
            writeWithLabels();
        }
    }

    private void writeWithLabels() throws IOException {
        write(() -> {
            beginStream();
            stream.finish();
        });
    }

    /** Returns the hash of a document's statements as {@link #sumHashes} does; 0 if it can't be read. */
    private long sumOf(byte[] document) {
        long[] sum = {0};
        try {
            parse(document, new StreamRDFBase() {
                @Override
                public void triple(Triple triple) {
                    quad(Quad.create(Quad.defaultGraphIRI, triple));
                }

                @Override
                public void quad(Quad quad) {
                    sum[0] += hashOf(quad);
                }
            });
        } catch (RiotException e) {
            return 0;
        }
        return sum[0];
    }

    /** Parses a document. RIOT's warnings are no errors, as in {@link RiotReader}. */
    private void parse(byte[] document, StreamRDF to) {
        RDFParser.create().source(new ByteArrayInputStream(document)).lang(lang)
                .errorHandler(ErrorHandlerFactory.errorHandlerNoLogging).checking(false).parse(to);
    }

    private void writeHeld(OutputStream to) {
        RDFWriterBuilder writer = RDFWriter.create().lang(lang).context(STYLE);
        (RDFLanguages.isQuads(lang) ? writer.source(held) : writer.source(held.getDefaultGraph())).output(to);
    }

    /** Returns the document, which has been read again and compared. */
    private byte[] checked() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        DatasetGraph read = DatasetGraphFactory.create();
        try {
            writeHeld(written);
            parse(written.toByteArray(), StreamRDFLib.dataset(read));
        } catch (RuntimeException e) {
            throw refusalError("what Jena's writer of " + lang.getName() + " does not take: " + e.getMessage(), ADVICE);
        }
        if (sumHashes(held.find()) != sumHashes(read.find())) {
            throw refusalError("what Jena's writer of " + lang.getName() + " does not keep, such as a triple term, a base direction, a "
                    + "control character or, in TriX, a line break", ADVICE);
        }
        return written.toByteArray();
    }

    /** Returns a hash of statements in any order, in which all blank nodes are alike. */
    private static long sumHashes(Iterator<Quad> quads) {
        long sum = 0;
        while (quads.hasNext()) {
            sum += hashOf(quads.next());
        }
        return sum;
    }

    private static long hashOf(Quad quad) {
        long hash = quad.isDefaultGraph() ? 7 : hashOf(quad.getGraph());
        for (Node term : new Node[] {quad.getSubject(), quad.getPredicate(), quad.getObject()}) {
            hash = hash * 0x9E3779B97F4A7C15L + hashOf(term);
        }
        return hash ^ hash >>> 29;
    }

    private static long hashOf(Node term) {
        return term.isBlank() ? 1 : term.hashCode();
    }

    private FormatException refusalError(String found, String advice) {
        return FormatException.inText(lang.getName(), file, 0, 0, -1, found, advice);
    }

    /** Runs a writer of Jena, which hides an {@link IOException}. */
    private static void write(Runnable work) throws IOException {
        try {
            work.run();
        } catch (RuntimeIOException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getMessage(), e);
        }
    }

    /**
     * A dataset in memory that lists graphs, subjects and objects in the order in which they came, so that a document of it
     * changes no more than its content. Not thread-safe.
     */
    private static final class OrderedDataset extends DatasetGraphMapLink {
        private final Map<Node, Graph> named = new LinkedHashMap<>();

        OrderedDataset() {
            super(new OrderedGraph());
        }

        /** Adds a triple; {@code graph} is null for the default graph. */
        void add(Node graph, Triple triple) {
            Graph to = graph == null ? getDefaultGraph() : named.computeIfAbsent(graph, name -> {
                Graph made = new OrderedGraph();
                addGraph(name, made);
                return made;
            });
            to.add(triple);
        }

        @Override
        public Iterator<Node> listGraphNodes() {
            return named.keySet().iterator();
        }

        private static final class OrderedGraph extends GraphBase {
            private final Map<Node, Set<Triple>> bySubject = new LinkedHashMap<>();
            /** The triples of those objects that writers look for: blank nodes, and the end of lists. */
            private final Map<Node, Set<Triple>> byObject = new HashMap<>();

            @Override
            public void performAdd(Triple triple) {
                bySubject.computeIfAbsent(triple.getSubject(), node -> new LinkedHashSet<>()).add(triple);
                if (isIndexed(triple.getObject())) {
                    byObject.computeIfAbsent(triple.getObject(), node -> new LinkedHashSet<>()).add(triple);
                }
            }

            private static boolean isIndexed(Node object) {
                return object.isBlank() || object.equals(RDF.Nodes.nil);
            }

            @Override
            protected ExtendedIterator<Triple> graphBaseFind(Triple pattern) {
                Node subject = pattern.getSubject();
                Node object = pattern.getObject();
                Iterator<Triple> found;
                if (subject.isConcrete()) {
                    found = bySubject.getOrDefault(subject, Set.of()).iterator();
                } else if (object.isConcrete() && isIndexed(object)) {
                    found = byObject.getOrDefault(object, Set.of()).iterator();
                } else {
                    found = bySubject.values().stream().flatMap(Collection::stream).iterator();
                }
                return WrappedIterator.create(found).filterKeep(pattern::matches);
            }

            @Override
            protected int graphBaseSize() {
                return bySubject.values().stream().mapToInt(Set::size).sum();
            }
        }
    }
}
