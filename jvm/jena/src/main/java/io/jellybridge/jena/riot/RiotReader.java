package io.jellybridge.jena.riot;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Look;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.files.CheckedUtf8InputStream;
import io.jellybridge.files.SpillBuffer;
import io.jellybridge.jena.nodes.IllegalTermException;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.irix.IRIxResolver;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParserRegistry;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.out.NodeFmtLib;
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

/**
 * Reads a document by RIOT, with errors that say where: each is a {@link FormatException} with the file, the line and the
 * column, as far as its parser knows them. What RIOT warns of is let through where our own rules let it: the form of a
 * literal is not looked at, while an IRI with a space is refused, in every syntax.
 *
 * <p>Nothing but the document is read: remote contexts of JSON-LD are refused unless they are allowed, and so is an external entity
 * of XML. XML is read twice, since Jena's parsers pass over what {@link XmlCheck} refuses. For one document.
 */
public final class RiotReader {
    private static final int BUFFER_BYTES = 1 << 16;
    /** How RIOT's error about an IRI begins that it gets over. */
    private static final String BAD_CHARACTER = "Bad character in IRI";
    private static final int SPOOLED_IN_MEMORY = 1 << 20;
    private static final Path TEMP_FOLDER = Path.of(System.getProperty("java.io.tmpdir"));
    private static final int HEAD_BYTES = 1 << 12;
    /** XML says its encoding itself, and the rest is binary. */
    private static final Set<Lang> IN_UTF8 = Set.of(Lang.NTRIPLES, Lang.NQUADS, Lang.TURTLE, Lang.TRIG, Lang.N3,
            Lang.RDFJSON, Lang.JSONLD, Lang.JSONLD11);
    /** RIOT ends their last statement at the end of the file. */
    private static final Set<Lang> ENDED_BY_DOT = Set.of(Lang.TURTLE, Lang.TRIG, Lang.N3);
    private static final Set<Lang> IN_XML = Set.of(Lang.RDFXML, Lang.TRIX);
    private static final Set<Lang> IN_JSON = Set.of(Lang.RDFJSON, Lang.JSONLD, Lang.JSONLD11);
    private static final Set<Lang> IN_JSON_LD = Set.of(Lang.JSONLD, Lang.JSONLD11);
    /** Of JSON-LD without a base: its library leaves statements with relative IRIs out, and these are then refused. */
    private static final String NO_BASE = "relative://iri/";
    /** Their IRIs are as they are: absolute. */
    private static final Set<Lang> WITHOUT_BASE = Set.of(Lang.NTRIPLES, Lang.NQUADS, Lang.RDFJSON);
    /** How RIOT and its parser of XML say it. */
    private static final Pattern IS_RELATIVE = Pattern.compile("elative [IU]RI");
    private static final String CORRECT_IT = "correct it there, or get the file again";
    private static final String NAME_A_BASE = "name a base, by base (--base) or in the document";

    /** IRIs beyond this many characters are none that repeat, or come of a prefix that means harm. */
    private static final int LONG_IRI = 1 << 10;

    private final RdfFile file;
    private final Lang lang;
    private final String base;
    private final Rule rule;
    private final boolean countsPlaces;
    private Consumer<FormatException> warnings = warning -> { };
    /** What relative datatypes of RDF/XML stand for. */
    private Map<String, String> datatypes = Map.of();
    private boolean hadStatements;
    /** How many statements may have an IRI that came from the file's own place. */
    private long ofPlace;
    /** Null of a syntax whose parser needs none. */
    private EndMark end;
    /** What was checked last, and whether it was refused. */
    private Object checked;
    private boolean isBad;
    /** What is wrong with a term of the next statement, where such are set aside. */
    private FormatException pending;
    private long checkedLine;
    private long checkedColumn;
    /** The first error: a parser may wrap it, or go on and fail of another. */
    private Exception fault;
    /** How many bytes of the document were read, at least. */
    private long bytesRead;

    /** Which statements are let through. */
    @FunctionalInterface
    public interface Rule {
        /** What is wrong with a statement, a clause without a full stop; null when nothing is. */
        String problem(Node graph, Node subject, Node predicate, Node object);
    }

    /** Makes errors of this document. */
    @FunctionalInterface
    interface ErrorMaker {
        FormatException error(String found, String advice, long line, long column);
    }

    /** @param file in a syntax that RIOT has a parser for */
    public RiotReader(RdfFile file, Rule rule) {
        this.file = file;
        this.lang = file.lang();
        this.base = file.baseIri() == null && IN_JSON_LD.contains(lang) ? NO_BASE : file.baseIri();
        this.rule = rule;
        this.countsPlaces = !WITHOUT_BASE.contains(lang) && file.goesFromItsPlace();
    }

    /** Tells the listener of what RIOT warns of. */
    public void onWarning(Consumer<FormatException> listener) {
        warnings = listener;
    }

    /**
     * Reads all of a document.
     *
     * @param content uncompressed; not closed
     * @param labels  makes the blank nodes
     * @throws FormatException the document breaks its syntax, or has a statement that the rule refuses
     * @throws IOException     it can't be read, or is not the UTF-8 that its syntax asks for
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
                XmlCheck check = new XmlCheck(base, this::located, warnings);
                check.run(() -> new Watched(spool.read()));
                datatypes = check.datatypes();
                text = spool.read();
            }
            parse(new Watched(text), labels, statements);
        } catch (IOException | RuntimeException e) {
            throw described(fault != null ? fault : unexpected(e), head);
        } catch (StackOverflowError e) {
            throw located("terms that are nested too deep for the parser", 0, 0);
        } catch (OutOfMemoryError e) {
            // Some parsers, as that of JSON-LD, hold all of a document, and what its context makes of it.
            throw located("more than fits into the memory that there is", "give Java more memory, or split the document", 0, 0);
        } finally {
            if (spool != null) {
                spool.discard();
            }
            statements.finish();
        }
    }

    private void parse(InputStream text, LabelToNode labels, StreamRDF statements) {
        end = ENDED_BY_DOT.contains(lang) ? new EndMark(text) : null;
        Sink sink = new Sink(statements);
        RDFParserRegistry.getFactory(lang).create(lang, profile(labels))
                .read(end == null ? text : end, base, lang.getContentType(), sink, context());
        if (end != null && !end.isTaken()) {
            throw first(unended());
        }
        if (pending != null) {
            throw first(pending);
        }
        sink.release();
        if (ofPlace > 0) {
            file.ofPlace().accept(ofPlace);
            warnings.accept(located(ofPlace + " statements with `file:` IRIs, which relative ones become that go from the place of "
                    + "the file itself; elsewhere they are others, and no snapshot may have them", NAME_A_BASE, 0, 0));
        }
    }

    /** What a parser throws without a place. */
    private Exception unexpected(Exception error) {
        if (error instanceof FormatException) {
            return error;
        }
        boolean isOfReading = error instanceof RuntimeIOException && error.getCause() instanceof IOException;
        return isOfReading ? (IOException) error.getCause()
                : located(error instanceof JenaException ? error.getMessage() : "what its parser fails of: " + error, 0, 0);
    }

    /** Throws an error of reading; of the document, the one that says more. */
    private RuntimeException described(Exception error, byte[] head) throws IOException {
        if (error instanceof InterruptedIOException interrupted) {
            throw interrupted;
        }
        Look look = hadStatements ? null : Look.of(head, 0, head.length);
        if (look != null && isOther(look)) {
            FormatException syntax = error instanceof FormatException of ? of : located(error.getMessage(), 0, 0);
            return syntax.of(look, null, lang.getName());
        }
        if (error instanceof IOException unreadable) {
            boolean isNamed = String.valueOf(unreadable.getMessage()).contains(file.name());
            throw isNamed ? unreadable : new IOException(file.name() + ": " + unreadable.getMessage(), unreadable);
        }
        return (RuntimeException) error;
    }

    /** Whether it can't be the syntax that it should be: one may look like another. */
    private boolean isOther(Look look) {
        return switch (look) {
            case XML -> !IN_XML.contains(lang);
            case JSON -> IN_XML.contains(lang);
            case TURTLE, NQUADS -> IN_XML.contains(lang) || IN_JSON.contains(lang);
            case UTF16 -> IN_UTF8.contains(lang);
            default -> true;
        };
    }

    private FormatException unended() {
        return FormatException.inText(lang.getName(), file.name(), end.line(), end.column(), -1, end.found(), end.advice());
    }

    private FormatException located(String message, long line, long column) {
        boolean isRelative = base == null && message != null && IS_RELATIVE.matcher(message).find();
        return located(message, isRelative ? NAME_A_BASE : CORRECT_IT, line, column);
    }

    private FormatException located(String message, String advice, long line, long column) {
        if (end != null && end.isBehind(line)) {
            return unended();
        }
        String found = message == null ? "nothing that the parser has a word for" : message.strip().replaceAll("\\s+", " ");
        return FormatException.inText(lang.getName(), file.name(), Math.max(line, 0), Math.max(column, 0), -1, found,
                advice);
    }

    private <E extends Exception> E first(E error) {
        fault = fault == null ? error : fault;
        return error;
    }

    /** Checks a statement where its place is known; sets it aside where bad ones are. */
    private void check(Object statement, Node graph, Node subject, Node predicate, Node object, long line, long column) {
        checked = statement;
        checkedLine = line;
        checkedColumn = column;
        boolean isRelative = base == NO_BASE
                && (isRelative(graph) || isRelative(subject) || isRelative(predicate) || isRelative(object));
        String problem = isRelative ? "a relative IRI, and nothing says from where it goes"
                : rule.problem(graph, subject, predicate, object);
        isBad = problem != null || pending != null;
        if (isBad) {
            FormatException found = pending != null ? pending : located("a statement has " + problem,
                    isRelative ? NAME_A_BASE : CORRECT_IT, line, column);
            pending = null;
            refuse(found, graph, subject, predicate, object);
        } else if (countsPlaces && (isHere(graph) || isHere(subject) || isHere(predicate) || isHere(object))) {
            ofPlace++;
        }
    }

    private void refuse(FormatException fault, Node graph, Node subject, Node predicate, Node object) {
        if (file.bad() == null) {
            throw first(fault);
        }
        String text = NodeFmtLib.strNodesNT(subject, predicate, object) + (graph == null ? "" : " " + NodeFmtLib.strNT(graph));
        try {
            file.bad().add(fault, text + " .");
        } catch (RuntimeException e) {
            throw first(e);
        }
    }

    private static boolean isRelative(Node term) {
        return term != null && term.isURI() && term.getURI().startsWith(NO_BASE);
    }

    /** Whether it is, or holds, the IRI of a file. */
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

    private ParserProfileStd profile(LabelToNode labels) {
        boolean resolves = !WITHOUT_BASE.contains(lang);
        IRIxResolver.Builder resolver = IRIxResolver.create();
        resolver = base == null || !resolves ? resolver.noBase() : resolver.base(base);
        return new Profile(labels, resolver.resolve(resolves).allowRelative(!resolves).build());
    }

    private Context context() {
        return JsonLdContext.of(file.remoteContexts() ? null : address -> {
            throw first(FormatException.inText(lang.getName(), file.name(), 0, 0, -1, JsonLdContext.found(address),
                    JsonLdContext.ADVICE));
        });
    }

    /** Makes the statements, and checks them where the place is known. */
    private final class Profile extends ParserProfileStd {

        Profile(LabelToNode labels, IRIxResolver resolver) {
            super(new Terms(labels), new Handler(), resolver, PrefixMapFactory.create(), new Context(), false,
                    false);
        }

        @Override
        public Node createLangDirLiteral(String lexical, String language, String direction, long line, long column) {
            return language == null || language.isEmpty()
                    ? super.createTypedLiteral(lexical, NodeFactory.getType(JsonLdContext.datatype(direction)), line, column)
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
            check(made, null, subject, predicate, object, line, column);
            return made;
        }

        @Override
        public Quad createQuad(Node graph, Node subject, Node predicate, Node object, long line, long column) {
            Quad made = super.createQuad(graph, subject, predicate, object, line, column);
            check(made, graph, subject, predicate, object, line, column);
            return made;
        }
    }

    /**
     * Makes RIOT's terms. An IRI that begins as a blank node does is no way to name one, here as in N-Quads: it is an IRI, and
     * refused as such. Long IRIs are not kept, and prefixes and a base may not make far more of a document than it is.
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
            if (!ReadOptions.DEFAULT.allows(made, bytesRead)) {
                throw first(located("long IRIs of " + made + " bytes, which prefixes or a base make of " + bytesRead + " bytes",
                        "write shorter namespaces", 0, 0));
            }
            return NodeFactory.createURI(iri);
        }
    }

    private final class Handler implements ErrorHandler {

        @Override
        public void warning(String message, long line, long column) {
            warnings.accept(located(message, line, column));
        }

        @Override
        public void error(String message, long line, long column) {
            FormatException fault = located(message, line, column);
            if (file.bad() == null || !message.startsWith(BAD_CHARACTER)) {
                throw first(fault);
            }
            pending = fault; // RIOT goes on
        }

        @Override
        public void fatal(String message, long line, long column) {
            throw first(located(message, line, column));
        }
    }

    /**
     * Hands statements on, each when the next one comes or the document ends well: RIOT makes a statement before it sees whether
     * that is ended. Statements of a parser that makes them by itself are checked here.
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
                check(triple, null, triple.getSubject(), triple.getPredicate(), triple.getObject(), 0, 0);
            }
            hold(Quad.create(null, triple));
        }

        @Override
        public void quad(Quad quad) {
            if (quad != checked) {
                check(quad, quad.isTriple() ? null : quad.getGraph(), quad.getSubject(), quad.getPredicate(),
                        quad.getObject(), 0, 0);
            }
            hold(quad);
        }

        @Override
        public void prefix(String prefix, String iri) {
            if (end == null || !end.take(prefix)) {
                release();
                super.prefix(prefix, iri);
            }
        }

        @Override
        public void finish() {
            // comes also after an error, so the reader says it
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

        /** Hands on the statement that is held. */
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
                refuse(located(e.getMessage(), heldLine, heldColumn), statement.getGraph(), statement.getSubject(),
                        statement.getPredicate(), statement.getObject());
            } catch (RuntimeException e) {
                throw first(e);
            }
        }
    }

    /** Keeps what can't be read from being taken for an error of the syntax. */
    private final class Watched extends FilterInputStream {

        Watched(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException e) {
                throw first(e);
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                int count = super.read(bytes, offset, length);
                bytesRead += Math.max(count, 0);
                return count;
            } catch (IOException e) {
                throw first(e);
            }
        }

        @Override
        public void close() {
            // it is the caller's
        }
    }
}
