package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.CanonicalTerms;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.NTriplesScanner;
import io.jellybridge.codec.PrefixNames;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.text.RdfPatchTokens.Kind;
import java.io.IOException;
import java.util.Arrays;

/**
 * Makes terms, and the names of headers and prefixes, of the tokens of RDF Patch text. Says what may stand where.
 * For one thread.
 *
 * @param <T> what a term is
 */
final class RdfPatchTermReader<T> {
    private static final String GENERALIZED = "correct it, or read with generalized statements";
    /** How Jena calls the default graph, in text too. */
    private static final byte[] DEFAULT_GRAPH = "urn:x-arq:DefaultGraph".getBytes(US_ASCII);
    private static final byte[] DEFAULT_GRAPH_NODE = "urn:x-arq:DefaultGraphNode".getBytes(US_ASCII);
    private static final int EXCERPT_BYTES = 40;
    private static final String BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean";

    private final RdfPatchTokens tokens;
    private final TermFactory<T> factory;
    private final RdfPatchReadOptions options;
    private final NTriplesScanner scanner = new NTriplesScanner();
    private final CanonicalBuffer joined = new CanonicalBuffer();
    private final IriCache<T> iris;

    RdfPatchTermReader(RdfPatchTokens tokens, TermFactory<T> factory, RdfPatchReadOptions options) {
        this.tokens = tokens;
        this.factory = factory;
        this.options = options;
        this.iris = new IriCache<>(factory);
    }

    // --- terms

    /** Whether the current token starts a term, though perhaps not one that may stand here. */
    boolean startsTerm() {
        return switch (tokens.kind()) {
            case IRI, BLANK_NODE, LITERAL, NUMBER, OPEN_TRIPLE, OPEN_QUOTED -> true;
            default -> false;
        };
    }

    /** Makes the term that the current token starts, and goes to its last token. The default graph is null. */
    T term(TermPosition position) throws IOException {
        return term(position, 0);
    }

    private T term(TermPosition position, int depth) throws IOException {
        switch (tokens.kind()) {
            case IRI:
                return angle(position);
            case BLANK_NODE:
                checkPlace(position.takesBlankNode(), "a blank node", position);
                return blankNode();
            case LITERAL:
                checkLiteralPlace(position);
                return literal();
            case NUMBER:
                checkLiteralPlace(position);
                return number();
            case WORD:
                if (!tokens.is("true") && !tokens.is("false")) {
                    throw noTerm(position);
                }
                checkLiteralPlace(position);
                return typed(BOOLEAN);
            case OPEN_TRIPLE, OPEN_QUOTED:
                return triple(position, depth);
            default:
                throw noTerm(position);
        }
    }

    private T angle(TermPosition position) {
        scanIri();
        byte[] content = scanner.content();
        int offset = scanner.contentOffset();
        int length = scanner.contentLength();
        if (RdfTerms.startsAsBlankNode(content, offset, length)) {
            checkPlace(position.takesBlankNode(), "a blank node", position);
            return made(() -> factory.blankNode(content, offset + 2, length - 2));
        }
        if (position == TermPosition.GRAPH && (isSame(DEFAULT_GRAPH, content, offset, length)
                || isSame(DEFAULT_GRAPH_NODE, content, offset, length))) {
            return null;
        }
        return absolute(tokens.start(), content, offset, length);
    }

    private void scanIri() {
        try {
            scanner.reset(tokens.array(), tokens.start(), tokens.length());
            scanner.iri();
        } catch (TermSyntaxException e) {
            throw syntax(e);
        }
    }

    private T absolute(int place, byte[] iri, int offset, int length) {
        RdfTerms.Fault fault = options.relativeIris() ? null : RdfTerms.startFault(iri, offset, length, false);
        if (fault != null) {
            throw tokens.error(place, fault.found(), fault.advice());
        }
        return made(() -> iris.get(iri, offset, length));
    }

    private T blankNode() {
        try {
            scanner.reset(tokens.array(), tokens.start(), tokens.length());
            scanner.take("_:");
            scanner.label();
            checkWhole("in the label of a blank node", "write it as <_:label>");
        } catch (TermSyntaxException e) {
            throw syntax(e);
        }
        return made(() -> factory.blankNode(scanner.content(), scanner.contentOffset(), scanner.contentLength()));
    }

    private void checkWhole(String where, String advice) {
        if (!scanner.atEnd()) {
            throw scanner.error(scanner.position(), scanner.describeNext() + " " + where, advice);
        }
    }

    private T literal() {
        try {
            scanner.reset(tokens.array(), tokens.start(), tokens.length());
            scanner.string();
            byte[] lexical = scanner.content();
            int offset = scanner.contentOffset();
            int length = scanner.contentLength();
            if (scanner.takeAfterSpaces("@")) {
                return langLiteral(lexical, offset, length);
            }
            if (scanner.takeAfterSpaces("^^")) {
                T datatype = datatype();
                return made(() -> factory.typedLiteral(lexical, offset, length, datatype));
            }
            return made(() -> factory.literal(lexical, offset, length));
        } catch (TermSyntaxException e) {
            throw syntax(e);
        }
    }

    private T langLiteral(byte[] lexical, int offset, int length) {
        scanner.languageTag();
        byte[] tag = scanner.content();
        int tagOffset = scanner.contentOffset();
        int tagLength = scanner.contentLength();
        RdfTerms.Fault fault = RdfTerms.languageTagFault(tag, tagOffset, tagLength);
        if (fault != null) {
            throw scanner.error(fault.at(), fault.found(), fault.advice());
        }
        if (lexical == tag) {
            return made(() -> factory.langLiteral(lexical, offset, length, tagOffset, tagLength));
        }
        // The text without escapes is in an array of its own; the factory wants both in one.
        joined.clear();
        joined.append(lexical, offset, length);
        joined.append(tag, tagOffset, tagLength);
        return made(() -> factory.langLiteral(joined.array(), 0, length, length, tagLength));
    }

    private T datatype() {
        scanner.skipSpaces();
        int start = scanner.position();
        if (scanner.peek() != '<') {
            throw tokens.error(tokens.start() + tokens.length(), "no <iri> after '^^'", "write the datatype as <iri>");
        }
        scanner.iri();
        byte[] iri = scanner.content();
        int offset = scanner.contentOffset();
        int length = scanner.contentLength();
        RdfTerms.Fault fault = RdfTerms.datatypeFault(iri, offset, length);
        if (fault != null) {
            throw scanner.error(start, fault.found(), fault.advice());
        }
        if (RdfTerms.startsAsBlankNode(iri, offset, length)) {
            throw scanner.error(start, "a blank node as the datatype", "write the datatype as <iri>");
        }
        return absolute(start, iri, offset, length);
    }

    private static boolean isSame(byte[] expected, byte[] bytes, int offset, int length) {
        return Arrays.equals(expected, 0, expected.length, bytes, offset, offset + length);
    }

    private T number() {
        NumberGrammar number =
                NumberGrammar.of(tokens.array(), tokens.start(), tokens.start() + tokens.length());
        if (number == null) {
            throw tokens.error(tokens.start(), "'" + excerpt() + "', which is no number",
                    "write it as a literal in quotes");
        }
        return typed(number.datatype());
    }

    /** The whole token as the lexical form of a literal. */
    private T typed(String datatype) {
        byte[] iri = datatype.getBytes(US_ASCII);
        return made(() -> factory.typedLiteral(
                tokens.array(), tokens.start(), tokens.length(), iris.get(iri, 0, iri.length)));
    }

    private T triple(TermPosition position, int depth) throws IOException {
        boolean quoted = tokens.kind() == Kind.OPEN_QUOTED;
        if (quoted && !options.dialect().rdfStar()) {
            throw tokens.error(tokens.start(), "'<<' without '('", "write a triple term as <<( s p o )>>, or read with "
                    + "a dialect that has << s p o >>: rdf_delta, specification or auto");
        }
        if (position == TermPosition.GRAPH) {
            throw tokens.error(tokens.start(), "a triple term as the graph",
                    "name the graph by an IRI or a blank node");
        }
        checkPlace(position.takesTripleTerm(), "a triple term", position);
        if (depth == options.maxNesting()) {
            throw tokens.error(tokens.start(), "a triple term inside " + depth + " others",
                    "nest them less deep, or raise maxNesting");
        }
        tokens.next(true);
        T subject = term(TermPosition.SUBJECT, depth + 1);
        tokens.next(true);
        T predicate = term(TermPosition.PREDICATE, depth + 1);
        tokens.next(true);
        T object = term(TermPosition.OBJECT, depth + 1);
        if (tokens.next(false) != (quoted ? Kind.CLOSE_QUOTED : Kind.CLOSE_TRIPLE)) {
            throw tokens.error(tokens.start(), describe() + " where a triple term should end",
                    "close it with " + (quoted ? ">>" : ")>>") + " after its third term");
        }
        return made(() -> factory.tripleTerm(subject, predicate, object));
    }

    private void checkLiteralPlace(TermPosition position) {
        checkPlace(position.takesLiteral(), "a literal", position);
    }

    /** Refuses a term where only generalized RDF has it. */
    private void checkPlace(boolean plain, String what, TermPosition position) {
        if (!plain && !options.generalized()) {
            throw tokens.error(tokens.start(), what + " as the " + position, GENERALIZED);
        }
    }

    private FormatException noTerm(TermPosition position) {
        return tokens.error(tokens.start(), describe() + " where the " + position + " should be",
                tokens.kind() == Kind.PREFIXED_NAME ? "write the whole IRI in <>; rows have no prefixed names"
                        : "write <iri>, <_:label>, \"literal\" or <<( s p o )>>");
    }

    // --- names

    /** The key of a header: a word, or a string. */
    byte[] headerKey() {
        switch (tokens.kind()) {
            case WORD:
                return word("in a word", "write it in quotes");
            case LITERAL:
                return string("the key of a header", "write it without a language tag or datatype");
            default:
                throw tokens.error(tokens.start(), describe() + " where the key of a header should be",
                        "write a word, or a text in quotes, and then one term");
        }
    }

    /** Whether the current token is a prefix as the specification writes it, without quotes. */
    boolean isBarePrefix() {
        return tokens.kind() == Kind.WORD || tokens.kind() == Kind.PREFIXED_NAME;
    }

    /** A prefix, without its colon. */
    byte[] prefix() {
        if (isBarePrefix()) {
            if (!options.dialect().barePrefixes()) {
                throw tokens.error(tokens.start(), describe() + " where a prefix in quotes should be",
                        "write it in quotes, or read with a dialect that has bare prefixes: specification or auto");
            }
            return tokens.kind() == Kind.WORD ? word("in a prefix", "write another prefix") : wordBeforeColon();
        }
        if (tokens.kind() != Kind.LITERAL) {
            throw tokens.error(tokens.start(), describe() + " where a prefix should be",
                    "write the prefix in quotes, without colon; the empty one as \"\"");
        }
        byte[] prefix = string("a prefix", "write it without a language tag or datatype");
        int fault = PrefixNames.firstFault(prefix);
        if (fault >= 0) {
            throw tokens.error(tokens.start(), PrefixNames.describeFault(prefix, fault), PrefixNames.ADVICE);
        }
        return prefix;
    }

    private byte[] wordBeforeColon() {
        int start = tokens.start();
        int last = start + tokens.length() - 1;
        for (int i = start; i < last; i++) {
            if (tokens.array()[i] == ':') {
                throw tokens.error(start, describe() + " where a prefix should be",
                        "write the prefix alone, and its namespace as <iri>");
            }
        }
        return last == start ? new byte[0] : word(start, last - start, "in a prefix", "write another prefix");
    }

    private byte[] word(String where, String advice) {
        return word(tokens.start(), tokens.length(), where, advice);
    }

    /** A word by the grammar of Turtle's prefixes: a label that starts with a letter, which the token has seen to. */
    private byte[] word(int start, int length, String where, String advice) {
        try {
            scanner.reset(tokens.array(), start, length);
            scanner.label();
            checkWhole(where, advice);
        } catch (TermSyntaxException e) {
            throw syntax(e);
        }
        return content();
    }

    /** The content of a literal that is a plain string. */
    private byte[] string(String what, String advice) {
        try {
            scanner.reset(tokens.array(), tokens.start(), tokens.length());
            scanner.string();
        } catch (TermSyntaxException e) {
            throw syntax(e);
        }
        if (!scanner.atEnd()) {
            throw tokens.error(tokens.start(), what + " with a language tag or datatype", advice);
        }
        return content();
    }

    private byte[] content() {
        return Arrays.copyOfRange(
                scanner.content(), scanner.contentOffset(), scanner.contentOffset() + scanner.contentLength());
    }

    /** The namespace of a prefix: an IRI, or a string of one. */
    T namespace() {
        if (tokens.kind() == Kind.LITERAL) {
            byte[] iri = string("a namespace", "write it as <iri>");
            if (CanonicalTerms.iriLength(iri, 0, iri.length) != iri.length) {
                throw tokens.error(tokens.start(), "a namespace with a character that no IRI has", "write it as <iri>");
            }
            return absolute(tokens.start(), iri, 0, iri.length);
        }
        if (tokens.kind() != Kind.IRI) {
            throw tokens.error(tokens.start(), describe() + " where the namespace should be", "write it as <iri>");
        }
        scanIri();
        if (RdfTerms.startsAsBlankNode(scanner.content(), scanner.contentOffset(), scanner.contentLength())) {
            throw tokens.error(tokens.start(), "a blank node as the namespace", "write it as <iri>");
        }
        return absolute(tokens.start(), scanner.content(), scanner.contentOffset(), scanner.contentLength());
    }

    // --- errors

    /** A call of the factory. */
    private interface Making<T> {
        T make();
    }

    /** What the factory makes; a term that it has not is an error at the current token. */
    private T made(Making<T> making) {
        try {
            return making.make();
        } catch (IllegalArgumentException e) {
            throw tokens.error(tokens.start(), e.getMessage(), "correct the term");
        }
    }

    /** The error of the scanner, whose offsets count from the start of the token. */
    private FormatException syntax(TermSyntaxException e) {
        return tokens.error(tokens.start() + e.offset(), e.found(), e.advice());
    }

    /** The current token, for a message. */
    String describe() {
        switch (tokens.kind()) {
            case END:
                return "the end of the text";
            case IRI:
                return "an IRI";
            case LITERAL:
                return "a literal";
            case BLANK_NODE:
                return "a blank node";
            case PREFIXED_NAME:
                return "the prefixed name '" + excerpt() + "'";
            case OTHER:
                return tokens.array()[tokens.start()] == '?' ? "a variable" : "'" + ascii() + "'";
            default:
                return "'" + excerpt() + "'";
        }
    }

    private String excerpt() {
        String whole = new String(tokens.array(), tokens.start(), Math.min(tokens.length(), EXCERPT_BYTES), UTF_8);
        return tokens.length() > EXCERPT_BYTES ? whole + "..." : whole;
    }

    private String ascii() {
        byte b = tokens.array()[tokens.start()];
        return tokens.kind() == Kind.OTHER && b <= ' ' ? String.format("U+%04X", b) : excerpt();
    }
}
