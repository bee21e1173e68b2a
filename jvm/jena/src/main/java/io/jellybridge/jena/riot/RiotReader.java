package io.jellybridge.jena.riot;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.files.BlockInputStream;
import io.jellybridge.files.CheckedUtf8InputStream;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.jena.nodes.IllegalTermException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.atlas.io.AWriter;
import org.apache.jena.atlas.io.IndentedLineBuffer;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.irix.IRIxResolver;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParserRegistry;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.out.NodeFormatterNT;
import org.apache.jena.riot.system.ErrorHandler;
import org.apache.jena.riot.system.FactoryRDFCaching;
import org.apache.jena.riot.system.ParserProfileStd;
import org.apache.jena.riot.system.PrefixMapFactory;
import org.apache.jena.riot.system.RiotLib;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFWrapper;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sys.JenaSystem;

/**
 * Reads a document with RIOT. Each error is a {@link FormatException} with the file, and with the line and the column if the
 * parser knows them. RIOT's warnings are errors only if our own rules say so, in every syntax: the form of a literal is not
 * checked, but an IRI with a space is an error.
 *
 * <p>It reads only the document. Remote contexts of JSON-LD are errors unless they are allowed, and so is an external entity of
 * XML. XML is read twice, since Jena's parsers silently accept the faults that {@link XmlCheck} finds. It serves one document.
 */
public final class RiotReader {
    static {
        JenaSystem.init();
    }

    static final String NO_MEMORY = "more than fits into the memory that there is";
    static final String MORE_MEMORY = "give Java more memory, or split the document";
    private static final int BUFFER_BYTES = 1 << 16;
    /** The start of RIOT's error for an invalid IRI, after which it goes on. */
    private static final String BAD_CHARACTER = "Bad character in IRI";
    private static final int SPOOLED_IN_MEMORY = 1 << 20;
    private static final Path TEMP_FOLDER = Path.of(System.getProperty("java.io.tmpdir"));
    private static final int HEAD_BYTES = 1 << 12;
    /** The syntaxes in UTF-8. XML declares its encoding itself, and the other syntaxes are binary. */
    private static final Set<Lang> IN_UTF8 = Set.of(Lang.NTRIPLES, Lang.NQUADS, Lang.TURTLE, Lang.TRIG, Lang.N3,
            Lang.RDFJSON, Lang.JSONLD, Lang.JSONLD11);
    /** The syntaxes whose last statement RIOT ends at the end of the file. */
    private static final Set<Lang> ENDED_BY_DOT = Set.of(Lang.TURTLE, Lang.TRIG, Lang.N3);
    private static final Set<Lang> IN_XML = Set.of(Lang.RDFXML, Lang.TRIX);
    private static final Set<Lang> IN_JSON = Set.of(Lang.RDFJSON, Lang.JSONLD, Lang.JSONLD11);
    private static final Set<Lang> IN_JSON_LD = Set.of(Lang.JSONLD, Lang.JSONLD11);
    /**
     * The base for JSON-LD without a base. The library would leave out statements with relative IRIs; with this base they are
     * errors.
     */
    private static final String NO_BASE = "relative://iri/";
    /** The syntaxes whose IRIs are absolute. */
    private static final Set<Lang> WITHOUT_BASE = Set.of(Lang.NTRIPLES, Lang.NQUADS, Lang.RDFJSON);
    /** Matches the messages of RIOT and of its XML parser for a relative IRI. */
    private static final Pattern IS_RELATIVE = Pattern.compile("elative [IU]RI");
    private static final String CORRECT_IT = "correct it there, or get the file again";
    private static final String NAME_A_BASE = "name a base, by base (--base) or in the document";
    /** Writes N-Triples with the labels of the output. Jena's own format encodes them. */
    private static final NodeFormatterNT LINE = new NodeFormatterNT() {
        @Override
        public void formatBNode(AWriter out, String label) {
            out.print("_:" + label);
        }
    };

    /**
     * The length in characters from which an IRI is not cached. A longer IRI rarely repeats, or comes from a prefix of an
     * attack.
     */
    private static final int LONG_IRI = 1 << 10;

    private final RdfFile file;
    private final Lang lang;
    private final String base;
    private final Rule rule;
    private final boolean countsPlaces;
    private Consumer<FormatException> warnings = warning -> { };
    /** The absolute IRIs for relative datatypes of RDF/XML. */
    private Map<String, String> datatypes = Map.of();
    private boolean hadStatements;
    /** The number of statements that may have an IRI relative to the file's location. */
    private long relative;
    /** The mark at the end of the document; null for a syntax whose parser needs none. */
    private EndMark end;
    /** The last statement that was checked, and whether it was rejected. */
    private Object checked;
    private boolean isBad;
    private long checkedLine;
    private long checkedColumn;
    /** The first error, since a parser may wrap it, or go on and fail for another reason. */
    private Exception fault;
    /** A lower bound for the number of bytes of the document that were read. */
    private long bytesRead;

    /** Checks statements. */
    @FunctionalInterface
    public interface Rule {
        /** Returns the fault of a statement, as a clause without a full stop; null if it is valid. */
        String findProblem(Node graph, Node subject, Node predicate, Node object);
    }

    /** Creates errors of this document. */
    @FunctionalInterface
    interface ErrorMaker {
        FormatException newError(String found, String advice, long line, long column);
    }

    /**
     * Creates a reader.
     *
     * @param file a file in a syntax for which RIOT has a parser
     */
    public RiotReader(RdfFile file, Rule rule) {
        this.file = file;
        this.lang = file.lang();
        this.base = file.baseIri() == null && IN_JSON_LD.contains(lang) ? NO_BASE : file.baseIri();
        this.rule = rule;
        this.countsPlaces = !WITHOUT_BASE.contains(lang) && file.hasLocalBase();
    }

    /** Sets a listener for RIOT's warnings. */
    public void onWarning(Consumer<FormatException> listener) {
        warnings = listener;
    }

    /**
     * Reads the whole document.
     *
     * @param content the decompressed content; not closed
     * @param labels  creates the blank nodes
     * @throws FormatException the document breaks its syntax, or has a statement that the rule rejects
     * @throws IOException it can't be read, or is not UTF-8 as its syntax demands
     */
    public void read(InputStream content, LabelToNode labels, StreamRDF statements) throws IOException {
        SpillBuffer spool = IN_XML.contains(lang) ? new SpillBuffer(TEMP_FOLDER, SPOOLED_IN_MEMORY) : null;
        byte[] head = new byte[0];
        try (BufferedInputStream in = new BufferedInputStream(new Watched(content), BUFFER_BYTES)) {
            in.mark(BUFFER_BYTES);
            head = in.readNBytes(HEAD_BYTES);
            in.reset();
            InputStream text = IN_UTF8.contains(lang) ? new CheckedUtf8InputStream(in, "save the text as UTF-8") : in;
            if (spool != null) {
                in.transferTo(spool);
                XmlCheck check = new XmlCheck(base, this::withLocation, warnings);
                check.run(() -> new Watched(spool.read()));
                datatypes = check.datatypes();
                text = spool.read();
            }
            parseDocument(new Watched(text), labels, statements);
        } catch (IOException | RuntimeException e) {
            throw describeError(fault != null ? fault : unexpectedError(e), head);
        } catch (StackOverflowError e) {
            throw withLocation("terms that are nested too deep for the parser", 0, 0);
        } catch (OutOfMemoryError e) {
            // Some parsers, such as that of JSON-LD, hold a whole document and the result of its context in memory.
            throw withLocation(NO_MEMORY, MORE_MEMORY, 0, 0);
        } finally {
            if (spool != null) {
                spool.discard();
            }
            statements.finish();
        }
    }

    private void parseDocument(InputStream text, LabelToNode labels, StreamRDF statements) {
        end = ENDED_BY_DOT.contains(lang) ? new EndMark(text) : null;
        Sink sink = new Sink(statements);
        RDFParserRegistry.getFactory(lang).create(lang, makeProfile(labels))
                .read(end == null ? text : end, base, lang.getContentType(), sink, context());
        if (end != null && !end.isTaken()) {
            throw firstCause(unendedError());
        }
        sink.release();
        if (relative > 0) {
            file.relative().accept(relative);
            warnings.accept(withLocation(relative + " statements with `file:` IRIs, which relative ones become that go from the place of "
                    + "the file itself; elsewhere they are others, and no snapshot may have them", NAME_A_BASE, 0, 0));
        }
    }

    /** Converts an exception of a parser that has no position. */
    private Exception unexpectedError(Exception error) {
        if (error instanceof FormatException) {
            return error;
        }
        boolean isOfReading = error instanceof RuntimeIOException && error.getCause() instanceof IOException;
        return isOfReading ? (IOException) error.getCause()
                : withLocation(error instanceof JenaException ? error.getMessage() : "what its parser fails of: " + error, 0, 0);
    }

    /** Throws a read error. For a fault of the document, it throws the most helpful error. */
    private RuntimeException describeError(Exception error, byte[] head) throws IOException {
        if (error instanceof InterruptedIOException interrupted) {
            throw interrupted;
        }
        SniffedFormat sniffed = hadStatements ? null : SniffedFormat.of(head, 0, head.length);
        if (sniffed != null && isOther(sniffed)) {
            FormatException syntax = error instanceof FormatException of ? of : withLocation(error.getMessage(), 0, 0);
            return syntax.of(sniffed, null, lang.getName());
        }
        if (error instanceof IOException unreadable) {
            boolean isNamed = String.valueOf(unreadable.getMessage()).contains(file.name());
            throw isNamed ? unreadable : new IOException(file.name() + ": " + unreadable.getMessage(), unreadable);
        }
        return (RuntimeException) error;
    }

    /** Checks whether the content can't be in the expected syntax. Some syntaxes look like another. */
    private boolean isOther(SniffedFormat sniffed) {
        return switch (sniffed) {
            case XML -> !IN_XML.contains(lang);
            case JSON -> IN_XML.contains(lang);
            case TURTLE, NQUADS -> IN_XML.contains(lang) || IN_JSON.contains(lang);
            case UTF16 -> IN_UTF8.contains(lang);
            default -> true;
        };
    }

    private FormatException unendedError() {
        return FormatException.inText(lang.getName(), file.name(), end.line(), end.column(), -1, end.found(), end.advice());
    }

    private FormatException withLocation(String message, long line, long column) {
        boolean isRelative = base == null && message != null && IS_RELATIVE.matcher(message).find();
        return withLocation(message, isRelative ? NAME_A_BASE : CORRECT_IT, line, column);
    }

    private FormatException withLocation(String message, String advice, long line, long column) {
        if (end != null && end.isBehind(line)) {
            return unendedError();
        }
        String found = message == null ? "nothing that the parser has a word for" : withoutQuery(message.strip().replaceAll("\\s+", " "));
        return FormatException.inText(lang.getName(), file.name(), Math.max(line, 0), Math.max(column, 0), -1, found,
                advice);
    }

    /** Returns a message without the query of the base, which may be a secret. */
    private String withoutQuery(String message) {
        int query = base == null ? -1 : base.indexOf('?');
        return query < 0 ? message : message.replace(base, base.substring(0, query));
    }

    private <E extends Exception> E firstCause(E error) {
        fault = fault == null ? error : fault;
        return error;
    }

    /** Checks a statement whose position is known. A bad statement is skipped if that is allowed. */
    private void checkStatement(Object statement, Node graph, Node subject, Node predicate, Node object, long line, long column) {
        checked = statement;
        checkedLine = line;
        checkedColumn = column;
        boolean isRelative = base == NO_BASE
                && (isRelative(graph) || isRelative(subject) || isRelative(predicate) || isRelative(object));
        String problem = isRelative ? "a relative IRI, and nothing says from where it goes"
                : rule.findProblem(graph, subject, predicate, object);
        isBad = problem != null;
        if (isBad) {
            refuseStatement(withLocation("a statement has " + problem, isRelative ? NAME_A_BASE : CORRECT_IT, line, column), graph,
                    subject, predicate, object);
        } else if (countsPlaces && (isHere(graph) || isHere(subject) || isHere(predicate) || isHere(object))) {
            relative++;
        }
    }

    private void refuseStatement(FormatException fault, Node graph, Node subject, Node predicate, Node object) {
        if (file.bad() == null) {
            throw firstCause(fault);
        }
        IndentedLineBuffer text = new IndentedLineBuffer();
        for (Node term : graph == null ? List.of(subject, predicate, object) : List.of(subject, predicate, object, graph)) {
            LINE.format(text, term);
            text.print(" ");
        }
        try {
            file.bad().add(fault, text.asString() + ".");
        } catch (RuntimeException e) {
            throw firstCause(e);
        }
    }

    private static boolean isRelative(Node term) {
        return term != null && term.isURI() && term.getURI().startsWith(NO_BASE);
    }

    /** Checks whether a term is, or contains, the IRI of a file. */
    private static boolean isHere(Node term) {
        if (term == null || term.isBlank()) {
            return false;
        }
        if (term.isTripleTerm()) {
            Triple triple = term.getTriple();
            return isHere(triple.getSubject()) || isHere(triple.getPredicate()) || isHere(triple.getObject());
        }
        String iri = term.isLiteral() ? term.getLiteralDatatypeURI() : term.isURI() ? term.getURI() : null;
        return iri != null && iri.startsWith("file:");
    }

    private ParserProfileStd makeProfile(LabelToNode labels) {
        boolean resolves = !WITHOUT_BASE.contains(lang);
        IRIxResolver.Builder resolver = IRIxResolver.create();
        resolver = base == null || !resolves ? resolver.noBase() : resolver.base(base);
        return new Profile(labels, resolver.resolve(resolves).allowRelative(!resolves).build());
    }

    private Context context() {
        return JsonLdContext.of(file.remoteContexts() ? null : address -> {
            throw firstCause(FormatException.inText(lang.getName(), file.name(), 0, 0, -1, JsonLdContext.describeFound(address),
                    JsonLdContext.ADVICE));
        });
    }

    /** Creates the statements, and checks them while their position is known. */
    private final class Profile extends ParserProfileStd {

        Profile(LabelToNode labels, IRIxResolver resolver) {
            super(new Terms(labels), new Handler(), resolver, PrefixMapFactory.create(), new Context(), false,
                    false);
        }

        @Override
        public Node createLangDirLiteral(String lexical, String language, String direction, long line, long column) {
            return language == null || language.isEmpty()
                    ? super.createTypedLiteral(lexical, NodeFactory.getType(JsonLdContext.datatypeOf(direction)), line, column)
                    : super.createLangDirLiteral(lexical, language, direction, line, column);
        }

        @Override
        public Node createTypedLiteral(String lexical, RDFDatatype datatype, long line, long column) {
            String absolute = datatypes.get(datatype.getURI());
            return super.createTypedLiteral(lexical, absolute == null ? datatype : NodeFactory.getType(absolute), line, column);
        }

        @Override
        public Triple createTriple(Node subject, Node predicate, Node object, long line, long column) {
            Triple made = super.createTriple(subject, predicate, object, line, column);
            checkStatement(made, null, subject, predicate, object, line, column);
            return made;
        }

        @Override
        public Quad createQuad(Node graph, Node subject, Node predicate, Node object, long line, long column) {
            Quad made = super.createQuad(graph, subject, predicate, object, line, column);
            checkStatement(made, graph, subject, predicate, object, line, column);
            return made;
        }
    }

    /**
     * Creates RIOT's terms. As in N-Quads, an IRI that begins like a blank node does not name one, and is rejected as an IRI.
     * Long IRIs are not cached. Prefixes and a base must not make the terms far larger than the document.
     */
    private final class Terms extends FactoryRDFCaching {
        private long made;

        Terms(LabelToNode labels) {
            super(DftNodeCacheSize, labels);
        }

        @Override
        public Node createURI(String iri) {
            if (iri.length() <= LONG_IRI) {
                return RiotLib.isBNodeIRI(iri) ? NodeFactory.createURI(iri) : super.createURI(iri);
            }
            made += iri.length();
            if (!ReadOptions.DEFAULT.allowsTerms(made, bytesRead)) {
                throw firstCause(withLocation("long IRIs of " + made + " bytes, which prefixes or a base make of " + bytesRead + " bytes",
                        "write shorter namespaces", 0, 0));
            }
            return NodeFactory.createURI(iri);
        }
    }

    private final class Handler implements ErrorHandler {

        @Override
        public void warning(String message, long line, long column) {
            warnings.accept(withLocation(message, line, column));
        }

        @Override
        public void error(String message, long line, long column) {
            if (file.bad() == null || !message.startsWith(BAD_CHARACTER)) {
                throw firstCause(withLocation(message, line, column));
            }
            // The rule finds it in each statement that has the IRI. Some IRIs are of no statement, such as that of a prefix.
        }

        @Override
        public void fatal(String message, long line, long column) {
            throw firstCause(withLocation(message, line, column));
        }
    }

    /**
     * Passes statements on with a delay of one. RIOT creates a statement before it has read its end, so each is passed on at
     * the next statement or at a valid end of the document. It also checks the statements of parsers that create them without
     * the profile.
     */
    private final class Sink extends StreamRDFWrapper {
        private Quad held;
        private long heldLine;
        private long heldColumn;

        Sink(StreamRDF target) {
            super(target);
        }

        @Override
        public void triple(Triple triple) {
            if (triple != checked) {
                checkStatement(triple, null, triple.getSubject(), triple.getPredicate(), triple.getObject(), 0, 0);
            }
            hold(Quad.create(null, triple));
        }

        @Override
        public void quad(Quad quad) {
            if (quad != checked) {
                checkStatement(quad, quad.isTriple() ? null : quad.getGraph(), quad.getSubject(), quad.getPredicate(),
                        quad.getObject(), 0, 0);
            }
            hold(quad);
        }

        @Override
        public void prefix(String prefix, String iri) {
            if (end == null || !end.take(prefix)) {
                release();
                try {
                    super.prefix(prefix, iri);
                } catch (RuntimeException e) {
                    throw firstCause(e); // no fault of the document
                }
            }
        }

        @Override
        public void finish() {
            // called also after an error, so the reader calls finish itself
        }

        private void hold(Quad statement) {
            release();
            hadStatements = true;
            if (!isBad) {
                held = statement;
                heldLine = checkedLine;
                heldColumn = checkedColumn;
            }
        }

        /** Passes on the statement that is held back. */
        void release() {
            Quad statement = held;
            held = null;
            try {
                if (statement == null) {
                    return;
                }
                if (statement.getGraph() == null) {
                    super.triple(statement.asTriple());
                } else {
                    super.quad(statement);
                }
            } catch (IllegalTermException e) {
                refuseStatement(withLocation(e.getMessage(), heldLine, heldColumn), statement.getGraph(), statement.getSubject(),
                        statement.getPredicate(), statement.getObject());
            } catch (RuntimeException e) {
                throw firstCause(e);
            }
        }
    }

    /** A stream that marks its read errors, so that they are not taken for syntax errors. */
    private final class Watched extends BlockInputStream {

        Watched(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                int count = in.read(bytes, offset, length);
                bytesRead += Math.max(count, 0);
                return count;
            } catch (IOException e) {
                throw firstCause(e);
            }
        }

        @Override
        public void close() {
            // the caller closes it
        }
    }
}
