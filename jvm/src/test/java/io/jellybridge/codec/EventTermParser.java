package io.jellybridge.codec;

import java.util.Locale;

/**
 * Reads terms as the files of vectors write them, and as {@link Utf8Terms} does: N-Triples with every escape, triple
 * terms as {@code << s p o >>} or {@code <<( s p o )>>}. A test's own, so that the product's parser is not its own judge.
 */
final class EventTermParser {
    private static final String XSD_STRING = "http://www.w3.org/2001/XMLSchema#string";

    private final String text;
    private int at;

    EventTermParser(String text) {
        this.text = text;
    }

    /** A term that stands alone; a blank node's label is then all that follows {@code _:}, byte for byte. */
    static EventTerm parse(String text) {
        if (text.startsWith("_:")) {
            return new EventTerm.BlankNode(text.substring(2));
        }
        EventTermParser parser = new EventTermParser(text);
        EventTerm term = parser.term();
        if (!parser.atEnd()) {
            throw new IllegalArgumentException("text after the term: " + text);
        }
        return term;
    }

    boolean atEnd() {
        skipSpaces();
        return at == text.length();
    }

    /** The next word, up to a space. */
    String word() {
        skipSpaces();
        return untilSpace();
    }

    private String untilSpace() {
        int start = at;
        while (at < text.length() && text.charAt(at) != ' ') {
            at++;
        }
        return text.substring(start, at);
    }

    EventTerm term() {
        skipSpaces();
        if (takes("<<")) {
            return triple();
        }
        if (takes("<")) {
            return new EventTerm.Iri(until('>'));
        }
        if (takes("_:")) {
            return new EventTerm.BlankNode(unescape(untilSpace()));
        }
        if (text.startsWith("\"", at)) {
            return literal();
        }
        return switch (word()) {
            case "DEFAULT" -> EventTerm.DEFAULT_GRAPH;
            case "-" -> EventTerm.ABSENT;
            default -> throw new IllegalArgumentException("no term at " + at + " of: " + text);
        };
    }

    /** A text in quotes. */
    String quoted() {
        skipSpaces();
        if (!takes("\"")) {
            throw new IllegalArgumentException("no quote at " + at + " of: " + text);
        }
        return until('"');
    }

    private EventTerm triple() {
        boolean parentheses = takes("(");
        EventTerm triple = new EventTerm.Triple(term(), term(), term());
        skipSpaces();
        if (!takes(parentheses ? ")>>" : ">>")) {
            throw new IllegalArgumentException("no end of the triple at " + at + " of: " + text);
        }
        return triple;
    }

    private EventTerm literal() {
        String lexical = quoted();
        if (takes("@")) {
            return new EventTerm.Literal(lexical, word().toLowerCase(Locale.ROOT), null);
        }
        if (takes("^^<")) {
            String datatype = until('>');
            return new EventTerm.Literal(lexical, null, datatype.equals(XSD_STRING) ? null : datatype);
        }
        return new EventTerm.Literal(lexical, null, null);
    }

    private String until(char end) {
        int start = at;
        while (text.charAt(at) != end) {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return unescape(text.substring(start, at++));
    }

    private boolean takes(String token) {
        boolean there = text.startsWith(token, at);
        at += there ? token.length() : 0;
        return there;
    }

    private void skipSpaces() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private static String unescape(String escaped) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c != '\\') {
                plain.append(c);
                continue;
            }
            char escape = escaped.charAt(++i);
            int digits = escape == 'u' ? 4 : escape == 'U' ? 8 : 0;
            if (digits > 0) {
                plain.appendCodePoint(Integer.parseInt(escaped.substring(i + 1, i + 1 + digits), 16));
                i += digits;
            } else {
                int control = "btnfr".indexOf(escape);
                plain.append(control < 0 ? escape : "\b\t\n\f\r".charAt(control));
            }
        }
        return plain.toString();
    }
}
