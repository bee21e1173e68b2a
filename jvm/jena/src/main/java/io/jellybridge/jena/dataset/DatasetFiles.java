package io.jellybridge.jena.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.CompressedStreams;
import io.jellybridge.convert.StatementFiles;
import io.jellybridge.convert.StatementSink;
import io.jellybridge.files.BadStatements;
import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.jena.data.TdbTerms;
import io.jellybridge.jena.data.UserDataView;
import io.jellybridge.jena.dataset.OpenDataset.LoadReport;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.nodes.IllegalTermException;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.jena.riot.RiotReader;
import io.jellybridge.text.NQuadsParser;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.riot.system.StreamRDFWrapper;
import org.apache.jena.riot.system.SyntaxLabels;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Quad;

/**
 * Loads RDF files into a dataset and dumps a dataset to files, in any syntax, compressed if the name ends with {@code .gz} or
 * {@code .zst}.
 *
 * <p>The labels of blank nodes are kept in N-Triples, N-Quads and Jelly, for reading and writing, since differences between
 * snapshots may compare labels. In other syntaxes a label is local to its document, as in RDF, so loading creates fresh nodes.
 */
public final class DatasetFiles {

    private DatasetFiles() {
    }

    /**
     * Loads a file into the dataset. The caller has the transaction, and rolls it back after an exception.
     *
     * @throws IllegalArgumentException the syntax is unknown, or it is the address of a server
     * @throws FormatException the content breaks its syntax, was cut off, or can't be stored by any dataset
     * @throws IOException it can't be read, or is not UTF-8 as its syntax demands
     */
    static LoadReport loadFile(DatasetGraph dataset, RdfFile source) throws IOException {
        return read(source, StreamRDFLib.dataset(dataset), TdbTerms.isTdb2(dataset));
    }

    /**
     * Reads a file and passes its content on. It leaves out the graph of {@link StoredPosition}s, which an export may have,
     * since that is the position of another store.
     *
     * @param isTdb2 true if it is for a TDB2 dataset, which can't store all terms
     * @throws IllegalArgumentException the syntax is unknown, or it is the address of a server
     * @throws FormatException the content breaks its syntax, was cut off, or can't be stored by any dataset
     * @throws IOException it can't be read, or is not UTF-8 as its syntax demands
     */
    public static LoadReport read(RdfFile source, StreamRDF statements, boolean isTdb2) throws IOException {
        if (source.graph() != null && source.graph().equals(StoredPosition.GRAPH)) {
            throw new IllegalArgumentException("the graph <" + source.graph() + "> is where a dataset keeps its positions, and no data");
        }
        String problem = source.graph() == null || source.graph().equals(RdfFile.DEFAULT_GRAPH) ? null
                : new DatasetTerms().graphProblem(Utf8Terms.toTerm(source.graph()));
        if (problem != null) {
            throw new IllegalArgumentException("graph=" + source.graph() + ": " + problem);
        }
        Data data = new Data(statements, source);
        readAll(source, data, isTdb2);
        return new LoadReport(data.statements, data.positions);
    }

    /** Returns the reason why the dataset can't store a statement, or null. It is null for a position, which is left out. */
    private static String findProblem(DatasetTerms terms, boolean isTdb2, Node graph, Node subject, Node predicate, Node object) {
        return StoredPosition.isGraph(graph) ? null : UserDataView.findProblem(terms, isTdb2, graph, subject, predicate, object);
    }

    private static void readAll(RdfFile source, Data statements, boolean isTdb2) throws IOException {
        if (!source.isReadable()) {
            throw source.unknownSyntaxError();
        }
        try (InputStream in = openFile(source);
                InputStream content = CompressedStreams.decompress(source.compression(), in, source.name())) {
            if (source.isNQuads() || source.isJelly()) {
                readStatements(source, content, statements, isTdb2);
            } else {
                DatasetTerms terms = new DatasetTerms();
                new RiotReader(source, (graph, subject, predicate, object) ->
                        findProblem(terms, isTdb2, graph, subject, predicate, object))
                        .read(content, SyntaxLabels.createLabelToNode(), statements);
                if (source.bad() != null) {
                    source.bad().endFile(source.name(), statements.statements + statements.positions);
                }
            }
        } catch (RiotException e) {
            throw new IllegalArgumentException(source.name() + ": " + e.getMessage(), e);
        } catch (RuntimeIOException e) {
            throw new IOException(source.name() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads lines and Jelly with the readers that all commands share, so that all accept the same. For Jelly, another library may
     * have registered its own reader in RIOT.
     */
    private static void readStatements(RdfFile source, InputStream content, StreamRDF statements, boolean isTdb2) throws IOException {
        statements.start();
        try (StatementSource<byte[]> read = StatementFiles.read(content, source)) {
            CheckedStatements handler = new CheckedStatements(read, source.bad(), statements, isTdb2);
            while (read.next(handler)) {
                // the handler does the work
            }
        } finally {
            statements.finish();
        }
    }

    private static final class CheckedStatements implements RdfHandler<byte[]> {
        private final StatementSource<byte[]> source;
        private final BadStatements bad;
        private final StreamRDF sink;
        private final boolean isTdb2;
        private final DatasetTerms terms = new DatasetTerms();
        private final TermBuilder<byte[], Node> builder = new TermBuilder<>(new Utf8Terms(), new NodeTerms());
        /** The last term of each position, which often repeats as the same array. */
        private final byte[][] last = new byte[NQuadsParser.POSITIONS][];
        private final Node[] nodes = new Node[NQuadsParser.POSITIONS];

        /**
         * Creates a handler.
         *
         * @param bad receives statements that the dataset can't store; null if the first is an error
         */
        CheckedStatements(StatementSource<byte[]> source, BadStatements bad, StreamRDF sink, boolean isTdb2) {
            this.source = source;
            this.bad = bad;
            this.sink = sink;
            this.isTdb2 = isTdb2;
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            try {
                Triple triple = Triple.create(parseNode(NQuadsParser.SUBJECT, subject), parseNode(NQuadsParser.PREDICATE, predicate),
                        parseNode(NQuadsParser.OBJECT, object));
                Node named = parseNode(NQuadsParser.GRAPH, graph);
                String problem = findProblem(
                        terms, isTdb2, named, triple.getSubject(), triple.getPredicate(), triple.getObject());
                if (problem != null) {
                    throw new IllegalTermException("a statement has " + problem);
                }
                if (named == null) {
                    sink.triple(triple);
                } else {
                    sink.quad(Quad.create(named, triple));
                }
            } catch (IllegalTermException e) {
                FormatException fault = source.newError("term", e.getMessage(), "correct it there, or get the file again");
                if (bad == null) {
                    throw fault;
                }
                bad.add(fault, new CanonicalQuad(subject, predicate, object, graph).text());
            }
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            sink.prefix(new String(name, UTF_8), builder.translate(namespace).getURI());
        }

        private Node parseNode(int position, byte[] term) {
            if (term != last[position]) {
                nodes[position] = builder.translate(term);
                last[position] = term;
            }
            return nodes[position];
        }
    }

    private static InputStream openFile(RdfFile source) throws IOException {
        if (source.isRemote()) {
            throw new IllegalArgumentException(source.name() + " is an address; download it, and load the file");
        }
        Path file = source.file();
        if (!Files.exists(file) || Files.isDirectory(file)) {
            throw new FileNotFoundException(source.name() + " is not a file that is there");
        }
        return new FileInputStream(file.toFile()); // the stream of Files seeks, which a pipe can't
    }

    /**
     * Writes a dataset to a file that appears whole or not at all.
     *
     * @param rows the {@linkplain #selectionOf selected} quads of the dataset; closed by the caller
     * @param prefixes the namespaces by their prefixes
     * @throws IllegalArgumentException the syntax is unknown, or can't express the content of the dataset
     */
    static long dump(Iterator<byte[][]> rows, Map<String, String> prefixes, RdfFile target) throws IOException {
        DatasetTerms terms = new DatasetTerms();
        Map<String, String> legal = new TreeMap<>(prefixes);
        legal.entrySet().removeIf(each -> !terms.isValidPrefix(each.getKey(), each.getValue()));
        RdfOptions options = RdfOptions.DEFAULT.withNamespaceDeclarations(!legal.isEmpty());
        try (StatementSink file = new StatementSink(target, options)) {
            legal.forEach((name, namespace) -> file.namespace(name.getBytes(UTF_8), Utf8Terms.toTerm(namespace)));
            rows.forEachRemaining(quad -> writeQuad(quad, target.graph() == null ? quad[3] : null, file));
            file.commit();
            return file.statements();
        } catch (IllegalTermException e) {
            throw new IllegalArgumentException(target.name() + ": the dataset has " + e.getMessage()
                    + ", which no file can hold; replace it by SPARQL Update", e);
        } catch (FormatException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    /** Returns the quads of a dataset that a file is to hold. */
    static QuadSelection selectionOf(RdfFile target) {
        String graph = target.graph();
        return graph == null ? QuadSelection.ALL : new QuadSelection(Wanted.ANY, Wanted.ANY, Wanted.ANY,
                graph.equals(RdfFile.DEFAULT_GRAPH) ? Wanted.NULL : Wanted.oneOf(Set.of("<" + graph + ">")), Long.MAX_VALUE);
    }

    private static void writeQuad(byte[][] quad, byte[] graph, StatementSink file) {
        try {
            file.statement(quad[0], quad[1], quad[2], graph);
        } catch (FormatException e) {
            String text = new CanonicalQuad(quad[0], quad[1], quad[2], quad[3]).text();
            throw new IllegalArgumentException(e.getMessage() + ". The quad is " + ExceptionMessages.excerpt(text), e);
        }
    }

    /** Leaves out positions and illegal prefixes, and counts statements. It puts triples into the graph of the file. */
    private static final class Data extends StreamRDFWrapper {
        private final RdfFile file;
        private final DatasetTerms terms = new DatasetTerms();
        private final Node graph;
        private long statements;
        private long positions;

        Data(StreamRDF sink, RdfFile file) {
            super(sink);
            this.file = file;
            this.graph = file.graph() == null || file.graph().equals(RdfFile.DEFAULT_GRAPH) ? null : NodeFactory.createURI(file.graph());
        }

        @Override
        public void prefix(String prefix, String iri) {
            // JSON-LD and XML allow prefixes that other syntaxes do not. The statements have the expanded IRIs.
            if (DatasetTerms.isTurtlePrefix(prefix) && terms.isValidPrefix(prefix, iri)) {
                super.prefix(prefix, iri);
            }
        }

        @Override
        public void triple(Triple triple) {
            if (graph == null) {
                super.triple(triple);
            } else {
                super.quad(Quad.create(graph, triple));
            }
            statements++;
        }

        @Override
        public void quad(Quad quad) {
            if (StoredPosition.isGraph(quad.getGraph())) {
                positions++;
                return;
            }
            if (file.graph() != null && quad.isDefaultGraph()) {
                triple(quad.asTriple());
                return;
            }
            if (file.graph() != null && !quad.getGraph().equals(graph)) {
                throw new IllegalArgumentException(file.name() + " has a statement in the graph " + quad.getGraph()
                        + ", and is to be loaded into the graph " + file.graph() + "; load it without a graph, or take the others out");
            }
            super.quad(quad);
            statements++;
        }
    }
}
