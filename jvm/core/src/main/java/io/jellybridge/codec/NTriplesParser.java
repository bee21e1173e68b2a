package io.jellybridge.codec;

/**
 * Reads the text of one term and shows it to a {@link TermVisitor}. Takes every way to write a term that N-Triples 1.2
 * has, canonical or not, {@code << s p o >>} for a triple term, and any term at any place inside of one (what is legal
 * there is for the visitor to say). IRIs may be relative. For one thread.
 *
 * <p>A blank node's label is all that follows {@code _:}, byte for byte; inside a triple term it ends at the next
 * space, and {@code \}{@code uXXXX} in it is undone.
 */
final class NTriplesParser {

    private final int maxNesting;
    private final NTriplesScanner scanner = new NTriplesScanner();

    /** @param maxNesting how deep triple terms may be nested */
    NTriplesParser(int maxNesting) {
        this.maxNesting = maxNesting;
    }

    /**
     * Shows the term.
     *
     * @throws TermSyntaxException the text is no term; the visitor is to forget what it saw
     */
    void visit(byte[] text, TermVisitor visitor) {
        int last = text.length - 1;
        if (last > 0 && text[0] == '<' && text[last] == '>' && visitor.iriAgain(text, 1, last - 1)) {
            return;
        }
        scanner.reset(text, 0, text.length);
        if (last > 0 && text[0] == '_' && text[1] == ':') {
            visitor.blankNode(text, 2, text.length - 2);
            return;
        }
        term(visitor, 0);
        if (!scanner.atEnd()) {
            throw scanner.error(scanner.position(), scanner.describeNext() + " after the end of a term",
                    "write one term and nothing after it");
        }
    }

    private void term(TermVisitor visitor, int depth) {
        switch (scanner.peek()) {
            case '<':
                if (scanner.take("<<")) {
                    triple(visitor, depth);
                } else {
                    scanner.iri();
                    visitor.iri(scanner.content(), scanner.contentOffset(), scanner.contentLength());
                }
                break;
            case '"':
                literal(visitor);
                break;
            default:
                if (!scanner.take("_:")) {
                    throw notATerm();
                }
                scanner.escapedLabel();
                visitor.blankNode(scanner.content(), scanner.contentOffset(), scanner.contentLength());
        }
    }

    private void literal(TermVisitor visitor) {
        scanner.string();
        byte[] lexical = scanner.content();
        int offset = scanner.contentOffset();
        int length = scanner.contentLength();
        if (scanner.atEnd()) {
            visitor.literal(lexical, offset, length);
        } else if (scanner.takeAfterSpaces("@")) {
            scanner.languageTag();
            visitor.langLiteral(lexical, offset, length,
                    scanner.content(), scanner.contentOffset(), scanner.contentLength());
        } else if (scanner.takeAfterSpaces("^^")) {
            scanner.skipSpaces();
            if (scanner.peek() != '<') {
                throw scanner.error(scanner.position(), scanner.describeNext() + " where a datatype should be",
                        "write the datatype as <iri>");
            }
            scanner.iri();
            visitor.typedLiteral(lexical, offset, length,
                    scanner.content(), scanner.contentOffset(), scanner.contentLength());
        } else {
            visitor.literal(lexical, offset, length);
        }
    }

    /** The rest of a triple term, after {@code <<}. */
    private void triple(TermVisitor visitor, int depth) {
        int start = scanner.position() - 2;
        if (depth == maxNesting) {
            throw scanner.error(start, "a triple term inside " + maxNesting + " others",
                    "nest them less deep");
        }
        String close = scanner.take("(") ? ")>>" : ">>";
        visitor.startTriple();
        for (int i = 0; i < 3; i++) {
            scanner.skipSpaces();
            term(visitor, depth + 1);
        }
        scanner.skipSpaces();
        if (!scanner.take(close)) {
            throw scanner.error(scanner.position(), scanner.describeNext() + " where a triple term should end",
                    "close it with " + close + " after its third term");
        }
        visitor.endTriple();
    }

    private TermSyntaxException notATerm() {
        String found = scanner.peek() == '?'
                ? "a variable, which is not an RDF term,"
                : scanner.describeNext() + " where a term should start";
        return scanner.error(scanner.position(), found, "write <iri>, _:label, \"literal\" or <<( s p o )>>");
    }
}
