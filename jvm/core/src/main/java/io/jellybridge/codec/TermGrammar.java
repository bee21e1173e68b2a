package io.jellybridge.codec;

/**
 * The parser of terms for all text formats: N-Triples 1.2 in a {@link TermDialect}. {@link #read} reads a simple term, or the
 * start of a triple term. {@link #show} then passes the term to a visitor, and reads the rest of a triple term. Between the two
 * calls, the caller can use the text of the term. Not thread-safe.
 */
public final class TermGrammar {

    private enum Kind {
        IRI, BLANK_NODE, LITERAL, LANG_LITERAL, TYPED_LITERAL, TRIPLE, QUOTED_TRIPLE
    }

    private final TermScanner scanner;
    private final TermDialect dialect;
    private final TermRules rules;
    private final boolean inRow;

    /** The last term: its kind, then whether its text is canonical, and its start. */
    private Kind kind;
    private boolean canonical;
    private int start;
    /** Its IRI, label or lexical form. */
    private byte[] content;
    private int offset;
    private int length;
    /** Its language tag or datatype. */
    private byte[] suffix;
    private int suffixOffset;
    private int suffixLength;

    public TermGrammar(TermScanner scanner, TermDialect dialect) {
        this.scanner = scanner;
        this.dialect = dialect;
        this.rules = dialect.rules();
        this.inRow = dialect.text() == TermDialect.Text.ROW;
    }

    /**
     * Reads the next term, or the opening of a triple term.
     *
     * @param position the position of the term; the first of a triple if it is unknown, in a dialect that allows every term
     *                 there
     * @throws RuntimeException it is no term, or the position does not allow it: the {@linkplain TermScanner#newError error} of
     *                          the scanner
     */
    public void read(TermPosition position) {
        start = scanner.position();
        switch (scanner.peek()) {
            case '<':
                if (scanner.peek(1) == '<') {
                    openTriple(position);
                } else {
                    readIri(position);
                }
                break;
            case '\'':
                if (!dialect.turtleStrings()) {
                    throw noTermError(position);
                }
                requireTerm(dialect.takesLiteral(position), "a literal", position);
                literal();
                break;
            case '"':
                requireTerm(dialect.takesLiteral(position), "a literal", position);
                literal();
                break;
            default:
                if (scanner.take("_:")) {
                    requireTerm(dialect.takesBlankNode(position), "a blank node", position);
                    label();
                } else {
                    readUnquoted(position);
                }
        }
    }

    /**
     * Returns true if the text of the last term is what {@link CanonicalTerms} would write. It is always false for a triple
     * term.
     */
    public boolean isCanonical() {
        return canonical;
    }

    /** Checks whether the last term is this bare IRI. */
    public boolean isIri(byte[] iri) {
        return kind == Kind.IRI && RdfTerms.isSame(iri, content, offset, length);
    }

    /**
     * Shows the last term, with all its parts, to a visitor.
     *
     * @throws RuntimeException a term in it is invalid, as for {@link #read}; the visitor must then discard what it was shown
     */
    public void show(TermVisitor visitor) {
        showTerm(visitor, 0);
    }

    private void showTerm(TermVisitor visitor, int depth) {
        switch (kind) {
            case IRI -> visitor.iri(content, offset, length);
            case BLANK_NODE -> visitor.blankNode(content, offset, length);
            case LITERAL -> visitor.literal(content, offset, length);
            case LANG_LITERAL ->
                    visitor.langLiteral(content, offset, length, suffix, suffixOffset, suffixLength);
            case TYPED_LITERAL ->
                    visitor.typedLiteral(content, offset, length, suffix, suffixOffset, suffixLength);
            default -> readTriple(visitor, depth);
        }
    }

    // --- simple terms

    private void readIri(TermPosition position) {
        scanner.iri();
        takeToken(Kind.IRI);
        if (inRow && RdfTerms.startsAsBlankNode(content, offset, length)) {
            requireTerm(dialect.takesBlankNode(position), "a blank node", position);
            kind = Kind.BLANK_NODE;
            canonical = false;
            offset += 2;
            length -= 2;
        } else if (rules != TermRules.ANY) {
            checkIri(start);
        }
    }

    /** Stores the token of the scanner as the term. */
    private void takeToken(Kind as) {
        kind = as;
        canonical = scanner.isCanonical();
        content = scanner.content();
        offset = scanner.contentOffset();
        length = scanner.contentLength();
    }

    private void takeSuffix(Kind as) {
        kind = as;
        suffix = scanner.content();
        suffixOffset = scanner.contentOffset();
        suffixLength = scanner.contentLength();
    }

    /** Checks the last IRI of the scanner. */
    private void checkIri(int at) {
        byte[] iri = scanner.content();
        int from = scanner.contentOffset();
        int size = scanner.contentLength();
        checkFault(at, rules.iriStartFault(iri, from, size));
        if (!scanner.isCanonical()) { // characters that no IRI has pass the scanner only as escapes
            checkFault(at, RdfTerms.characterFault(iri, from, size));
        }
    }

    private void label() {
        if (dialect.text() == TermDialect.Text.TERM) {
            scanner.escapedLabel();
        } else {
            scanner.label();
        }
        takeToken(Kind.BLANK_NODE);
    }

    private void literal() {
        if (dialect.turtleStrings()) {
            scanner.turtleString();
        } else {
            scanner.string();
        }
        takeToken(Kind.LITERAL);
        if (scanner.atEnd()) {
            return;
        }
        int end = scanner.position();
        int mark = scanner.takeSuffixMark();
        if (mark == '@') {
            canonical &= scanner.position() == end + 1;
            languageTag();
        } else if (mark == '^') {
            scanner.skipSpaces();
            canonical &= scanner.position() == end + 2;
            datatype();
        }
    }

    private void languageTag() {
        scanner.languageTag();
        takeSuffix(Kind.LANG_LITERAL);
        canonical &= dialect.keepsTags() || scanner.isCanonical();
        RdfTerms.Fault fault = rules.languageTagFault(suffix, suffixOffset, suffixLength);
        int shift = 0;
        if (fault != null && dialect.mendsTags() && suffix[fault.at()] == '_') {
            shift = suffixOffset;
            suffix = RdfTerms.mendedTag(suffix, suffixOffset, suffixLength);
            suffixOffset = 0;
            canonical = false;
            fault = rules.languageTagFault(suffix, 0, suffixLength);
        }
        if (fault != null) {
            checkFault(fault.at() + shift, fault);
        }
    }

    private void datatype() {
        int at = scanner.position();
        if (scanner.peek() != '<') {
            throw scanner.newError(at, inRow ? "no <iri> after '^^'" : scanner.describeNext() + " where a datatype should be",
                    "write the datatype as <iri>");
        }
        scanner.iri();
        takeSuffix(Kind.TYPED_LITERAL);
        if (inRow && RdfTerms.startsAsBlankNode(suffix, suffixOffset, suffixLength)) {
            throw scanner.newError(at, "a blank node as the datatype", "write the datatype as <iri>");
        }
        if (rules != TermRules.ANY) {
            checkIri(at);
            checkFault(at, RdfTerms.datatypeFault(suffix, suffixOffset, suffixLength));
        }
        canonical &= scanner.isCanonical() && !CanonicalTerms.isXsdString(suffix, suffixOffset, suffixLength);
    }

    private void readUnquoted(TermPosition position) {
        suffix = scanner.unquoted();
        if (suffix == null) {
            if (!scanner.prefixedName()) {
                throw noTermError(position);
            }
            takeToken(Kind.IRI);
            if (rules != TermRules.ANY) {
                checkIri(start);
            }
            return;
        }
        requireTerm(dialect.takesLiteral(position), "a literal", position);
        takeToken(Kind.TYPED_LITERAL);
        canonical = false;
        suffixOffset = 0;
        suffixLength = suffix.length;
    }

    // --- triple terms

    private void openTriple(TermPosition position) {
        kind = scanner.take("<<(") ? Kind.TRIPLE : Kind.QUOTED_TRIPLE;
        canonical = false;
        if (kind == Kind.QUOTED_TRIPLE) {
            scanner.take("<<");
            if (!dialect.quotedTriples()) {
                throw scanner.newError(start, "'<<' without '('", "write a triple term as <<( s p o )>>, or "
                        + (inRow ? "read with a dialect that has << s p o >>: rdf_delta, specification or auto"
                                : "set the option rdfStar to read RDF-star"));
            }
        }
        if (position == TermPosition.GRAPH) {
            throw scanner.newError(start, "a triple term as the graph", "name the graph by an IRI or a blank node");
        }
        requireTerm(dialect.takesTripleTerm(position), "a triple term", position);
    }

    private void readTriple(TermVisitor visitor, int depth) {
        if (depth == dialect.maxNesting()) {
            throw scanner.newError(start, "a triple term inside " + depth + " others",
                    inRow ? "nest them less deep, or raise maxNesting" : "nest them less deep");
        }
        String close = kind == Kind.TRIPLE ? ")>>" : ">>";
        visitor.startTriple();
        readTerm(TermPosition.SUBJECT, visitor, depth);
        readTerm(TermPosition.PREDICATE, visitor, depth);
        readTerm(TermPosition.OBJECT, visitor, depth);
        scanner.skipBlank();
        if (!scanner.take(close)) {
            throw scanner.newError(scanner.position(), scanner.describeNext() + " where a triple term should end",
                    "close it with " + close + " after its third term");
        }
        visitor.endTriple();
    }

    private void readTerm(TermPosition position, TermVisitor visitor, int depth) {
        scanner.skipBlank();
        read(position);
        showTerm(visitor, depth + 1);
    }

    // --- errors

    private void checkFault(int at, RdfTerms.Fault fault) {
        if (fault != null) {
            throw scanner.newError(at, fault.found(), fault.advice());
        }
    }

    /** Checks that the position allows the term. */
    private void requireTerm(boolean allowed, String what, TermPosition position) {
        if (!allowed) {
            throw scanner.newError(start, what + " as the " + position, "write " + allowedTerms(position) + " there"
                    + (inRow && position != TermPosition.NAMESPACE ? ", or read with generalized statements" : ""));
        }
    }

    /** Returns the terms that a position allows, for a message. */
    private static String allowedTerms(TermPosition position) {
        return switch (position) {
            case SUBJECT, GRAPH -> "an IRI or a blank node";
            case PREDICATE, NAMESPACE -> "an IRI";
            case OBJECT, HEADER_VALUE -> "an IRI, a blank node, a literal or a triple term";
        };
    }

    private RuntimeException noTermError(TermPosition position) {
        String found = scanner.describeNext();
        return switch (dialect.text()) {
            case LINE -> scanner.newError(start, found + " as the " + position, "write " + allowedTerms(position) + " there");
            case ROW -> scanner.newError(start, found + " where the " + position + " should be",
                    "write <iri>, <_:label>, \"literal\" or <<( s p o )>>; a prefixed name needs a PA row "
                            + "of its prefix before it, and Jena's dialect");
            case TERM -> scanner.newError(start, scanner.peek() == '?' ? "a variable, which is not an RDF term,"
                    : found + " where a term should start", "write <iri>, _:label, \"literal\" or <<( s p o )>>");
        };
    }
}
