package io.jellybridge.jena.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermSource;
import io.jellybridge.codec.TermVisitor;
import io.jellybridge.wire.Utf8;
import java.util.Arrays;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.datatypes.TypeMapper;
import org.apache.jena.datatypes.xsd.XSDDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.TextDirection;
import org.apache.jena.graph.Triple;
import org.apache.jena.graph.impl.LiteralLabelFactory;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sys.JenaSystem;
import org.apache.jena.vocabulary.XSD;

/**
 * Converts terms to and from Jena {@link Node}s. Blank node labels are kept exactly. Jena itself normalizes the case of
 * language tags ({@code en-gb} becomes {@code en-GB}). An {@code rdf:langString} without a language tag is not RDF, but Jena
 * can hold it, and it is kept as a typed literal.
 *
 * <p>One thread may use it at a time.
 */
public final class NodeTerms implements TermFactory<Node>, TermSource<Node> {
    /** A clause about a literal whose value is too precise for Jena. */
    public static final String UNHELD = "which Jena can't hold; it knows nine decimals of a second";

    private static final int SMALL_CACHE_SIZE = 1 << 6;
    private static final int IRI_CACHE_SIZE = 1 << 8;
    private static final int LITERAL_CACHE_SIZE = 1 << 12;
    /** The length limit of a cached typed literal. */
    private static final int MAX_CACHED_LITERAL = 32;
    /** The character that decoding puts in place of invalid UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    static {
        JenaSystem.init();
    }

    /**
     * Direct-mapped caches of datatypes and language tags. Few are in use, and creating them costs Jena far more than a lookup.
     */
    private final Node[] datatypeNames = new Node[SMALL_CACHE_SIZE];
    private final RDFDatatype[] datatypes = new RDFDatatype[SMALL_CACHE_SIZE];
    private final KnownTag[] tags = new KnownTag[SMALL_CACHE_SIZE];
    /**
     * A cache of literals that are not {@linkplain PlainLiterals plain}, since many repeat and Jena parses each one. It is null
     * before the first.
     */
    private Node[] parsedLiterals;
    /**
     * The hash of the last request for each slot. A literal is cached when it occurs a second time. A literal that never
     * repeats therefore costs only a comparison of numbers, without a cache miss for a node.
     */
    private int[] parsedHashes;

    /** A direct-mapped cache of prefixes and datatypes: the bytes of {@code knownIris[i]} are {@code knownBytes[i]}. */
    private final String[] knownIris = new String[IRI_CACHE_SIZE];
    private final byte[][] knownBytes = new byte[IRI_CACHE_SIZE][];
    /** A buffer for the bytes of an IRI. */
    private byte[] joined = new byte[1 << 7];

    /** A language tag as it was written, and in Jena's form. */
    private record KnownTag(byte[] written, String language) {
    }

    /** Creates a converter for one reader or writer. */
    public NodeTerms() {
    }

    // --- bytes to nodes

    @Override
    public Node iri(byte[] prefix, byte[] name) {
        return joinIri(prefix, name, 0, name.length);
    }

    @Override
    public Node iri(Node prefix, byte[] name, int offset, int length) {
        return joinIri(iriBytes(prefix.getURI()), name, offset, length);
    }

    /** Joins the bytes, since joining strings would first need a string of the name. */
    private Node joinIri(byte[] prefix, byte[] name, int offset, int length) {
        int joinedLength = prefix.length + length;
        if (joined.length < joinedLength) {
            joined = new byte[joinedLength];
        }
        System.arraycopy(prefix, 0, joined, 0, prefix.length);
        System.arraycopy(name, offset, joined, prefix.length, length);
        return NodeFactory.createURI(new String(joined, 0, joinedLength, UTF_8));
    }

    /** {@inheritDoc} Decoding checks nearly all text anyway. */
    @Override
    public boolean checksText() {
        return true;
    }

    private static String decodeText(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            Utf8.check(bytes, offset, length);
        }
        return text;
    }

    @Override
    public Node blankNode(byte[] bytes, int offset, int length) {
        return NodeFactory.createBlankNode(decodeText(bytes, offset, length));
    }

    @Override
    public Node literal(byte[] bytes, int offset, int length) {
        String text = decodeText(bytes, offset, length);
        return ofValue(text, text, XSDDatatype.XSDstring);
    }

    /**
     * Creates a literal with a known value, as Jena does internally; all other methods parse it. Only the conversion to a node
     * is deprecated.
     */
    @SuppressWarnings("deprecation")
    private static Node ofValue(String lexical, Object value, RDFDatatype type) {
        return NodeFactory.createLiteral(LiteralLabelFactory.createIncludingValue(lexical, value, type));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException Jena rejects the language tag or base direction; the message names it
     */
    @Override
    public Node langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
        String lexical = decodeText(bytes, offset, length);
        int slot = tagHash(bytes, langOffset, langLength) & SMALL_CACHE_SIZE - 1;
        KnownTag known = tags[slot];
        if (known != null && Arrays.equals(known.written, 0, known.written.length,
                bytes, langOffset, langOffset + langLength)) {
            return literalOfKnownLanguage(lexical, known.language);
        }
        String tag = new String(bytes, langOffset, langLength, UTF_8);
        LanguageTag parts = LanguageTag.of(tag);
        try {
            if (parts.direction() != null) {
                return NodeFactory.createLiteralDirLang(lexical, parts.language(), parts.direction());
            }
            Node literal = NodeFactory.createLiteralLang(lexical, parts.language());
            tags[slot] = new KnownTag(tag.getBytes(UTF_8), literal.getLiteralLanguage());
            return literal;
        } catch (JenaException | java.util.IllegalFormatException e) {
            // Jena's own message for a bad character in a tag fails with an IllegalFormatException.
            throw new IllegalTermException("the language tag '" + tag + "', which Jena does not take", e);
        }
    }

    /**
     * Creates a literal as {@code createLiteralLang} does, without parsing the tag again. Jena has no other method for that
     * which is not deprecated.
     */
    @SuppressWarnings("deprecation")
    private static Node literalOfKnownLanguage(String lexical, String language) {
        return NodeFactory.createLiteral(LiteralLabelFactory.createLang(lexical, language));
    }

    private static int tagHash(byte[] bytes, int offset, int length) {
        return length == 0 ? 0 : 31 * bytes[offset] + bytes[offset + length - 1] + length;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException Jena fails on the literal; the message names it
     */
    @Override
    public Node typedLiteral(byte[] bytes, int offset, int length, Node datatype) {
        String lexical = decodeText(bytes, offset, length);
        RDFDatatype type = datatypeOf(datatype);
        Object value = PlainLiterals.valueOf(lexical, type);
        return value != null ? ofValue(lexical, value, type) : parsedLiteral(lexical, type);
    }

    private Node parsedLiteral(String lexical, RDFDatatype type) {
        if (lexical.length() > MAX_CACHED_LITERAL) {
            return parseLiteral(lexical, type);
        }
        if (parsedLiterals == null) {
            parsedLiterals = new Node[LITERAL_CACHE_SIZE];
            parsedHashes = new int[LITERAL_CACHE_SIZE];
        }
        int hash = 31 * lexical.hashCode() + type.hashCode();
        int slot = (hash ^ hash >>> 16) & LITERAL_CACHE_SIZE - 1;
        if (parsedHashes[slot] != hash) {
            parsedHashes[slot] = hash;
            return parseLiteral(lexical, type);
        }
        Node known = parsedLiterals[slot];
        if (known != null && known.getLiteralDatatype() == type && known.getLiteralLexicalForm().equals(lexical)) {
            return known;
        }
        Node made = parseLiteral(lexical, type);
        parsedLiterals[slot] = made;
        return made;
    }

    private static Node parseLiteral(String lexical, RDFDatatype type) {
        try {
            return NodeFactory.createLiteralDT(lexical, type);
        } catch (NumberFormatException e) {
            throw unheldError(lexical, type, e);
        }
    }

    /** Creates the error for a literal whose value is too precise for Jena. */
    public static IllegalTermException unheldError(String lexical, RDFDatatype type, NumberFormatException cause) {
        return new IllegalTermException("the literal \"%s\"^^<%s>, ".formatted(lexical, type.getURI()) + UNHELD, cause);
    }

    private RDFDatatype datatypeOf(Node name) {
        int slot = name.hashCode() & SMALL_CACHE_SIZE - 1;
        if (datatypeNames[slot] != name) {
            datatypes[slot] = TypeMapper.getInstance().getSafeTypeByName(name.getURI());
            datatypeNames[slot] = name;
        }
        return datatypes[slot];
    }

    @Override
    public Node tripleTerm(Node subject, Node predicate, Node object) {
        return NodeFactory.createTripleTerm(subject, predicate, object);
    }

    @Override
    public Node defaultGraph() {
        return Quad.defaultGraphIRI;
    }

    // --- nodes to bytes

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException the node is null, a variable, a wildcard or another node that is not data; or one of its
     *                                  strings has half a surrogate pair, which UTF-8 can't encode
     */
    @Override
    public void visit(Node node, TermVisitor visitor) {
        if (node == null) {
            throw new IllegalTermException("null where a term must be");
        }
        if (node.isURI()) {
            visitIri(node.getURI(), visitor);
        } else if (node.isLiteral()) {
            visitLiteral(node, visitor);
        } else if (node.isBlank()) {
            byte[] label = utf8(node.getBlankNodeLabel(), "blank node label");
            visitor.blankNode(label, 0, label.length);
        } else if (node.isTripleTerm()) {
            Triple triple = node.getTriple();
            visitor.startTriple();
            visit(triple.getSubject(), visitor);
            visit(triple.getPredicate(), visitor);
            visit(triple.getObject(), visitor);
            visitor.endTriple();
        } else {
            throw new IllegalTermException(describeNode(node) + ", which is not data");
        }
    }

    private static String describeNode(Node node) {
        if (node == Node.ANY) {
            return "the wildcard Node.ANY";
        }
        if (node.isVariable()) {
            return "the variable " + node;
        }
        if (node.isNodeGraph()) {
            return "a graph used as a term";
        }
        return "a node of " + node.getClass() + " (" + node + ")";
    }

    private void visitIri(String iri, TermVisitor visitor) {
        // First, since the text of a known IRI need not be read at all.
        if (visitor.visitKnownIri(iri)) {
            return;
        }
        byte[] bytes = utf8(iri, "IRI");
        visitor.iri(bytes, 0, bytes.length);
    }

    /** {@inheritDoc} Jena has two names for it. */
    @Override
    public boolean isDefaultGraph(Node graph) {
        return graph == null || Quad.isDefaultGraph(graph);
    }

    private void visitLiteral(Node node, TermVisitor visitor) {
        byte[] lexical = utf8(node.getLiteralLexicalForm(), "literal");
        String language = node.getLiteralLanguage();
        if (!language.isEmpty()) {
            TextDirection direction = node.getLiteralBaseDirection();
            String text = direction == null ? language : language + LanguageTag.DIRECTION_MARK + direction.direction();
            byte[] tag = utf8(text, "language tag");
            visitor.langLiteral(lexical, 0, lexical.length, tag, 0, tag.length);
            return;
        }
        String datatype = node.getLiteralDatatypeURI();
        if (datatype.equals(XSD.xstring.getURI())) {
            visitor.literal(lexical, 0, lexical.length);
        } else {
            byte[] iri = iriBytes(datatype);
            visitor.typedLiteral(lexical, 0, lexical.length, iri, 0, iri.length);
        }
    }

    private byte[] iriBytes(String iri) {
        int slot = iri.hashCode() & IRI_CACHE_SIZE - 1;
        if (iri.equals(knownIris[slot])) {
            return knownBytes[slot];
        }
        byte[] bytes = utf8(iri, "IRI");
        knownIris[slot] = iri;
        knownBytes[slot] = bytes;
        return bytes;
    }

    /**
     * Returns the UTF-8 bytes of {@code text}, and checks that it has no half of a surrogate pair, for which {@code
     * String.getBytes} would write '?'.
     */
    public static byte[] utf8(String text, String what) {
        byte[] bytes = text.getBytes(UTF_8);
        // Only a '?' in the result can be a fault. That is much faster than looking at all characters.
        for (byte b : bytes) {
            if (b == '?') {
                checkSurrogates(text, what);
                break;
            }
        }
        return bytes;
    }

    private static void checkSurrogates(String text, String what) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw new IllegalTermException("half a surrogate pair (U+%04X) at character %d of a %s"
                            .formatted((int) c, i, what));
                }
                i++;
            }
        }
    }

    /**
     * The parts of a language tag in Jelly's form.
     *
     * @param language  the language tag alone; never empty
     * @param direction the base direction; null if it has none
     */
    public record LanguageTag(String language, TextDirection direction) {
        /** The separator between a language and a base direction. */
        static final String DIRECTION_MARK = "--";

        /**
         * Parses a language tag.
         *
         * @throws IllegalTermException it has no language, or a direction other than ltr and rtl
         */
        public static LanguageTag of(String tag) {
            int mark = tag.indexOf(DIRECTION_MARK);
            String language = mark < 0 ? tag : tag.substring(0, mark);
            if (language.isEmpty()) {
                throw new IllegalTermException("the language tag '" + tag + "', which names no language");
            }
            return new LanguageTag(language,
                    mark < 0 ? null : directionOf(tag, tag.substring(mark + DIRECTION_MARK.length())));
        }

        private static TextDirection directionOf(String tag, String name) {
            return switch (name) {
                case "ltr" -> TextDirection.LTR;
                case "rtl" -> TextDirection.RTL;
                default -> throw new IllegalTermException(
                        "the language tag '" + tag + "', whose base direction is neither ltr nor rtl");
            };
        }
    }
}
