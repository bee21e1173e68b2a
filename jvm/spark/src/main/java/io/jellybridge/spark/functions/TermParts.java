package io.jellybridge.spark.functions;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import java.util.Arrays;

/**
 * The parts of a term in UTF-8; null for a part that it lacks.
 *
 * @param kind      {@code iri}, {@code blank}, {@code literal} or {@code triple}
 * @param value     the IRI, label or text, without escapes
 * @param lang      the language tag, in lower case
 * @param direction {@code ltr} or {@code rtl}
 * @param datatype  the datatype's IRI
 * @param subject   the subject of a triple term, canonical like its predicate and object
 * @param canonical the whole term
 */
record TermParts(byte[] kind, byte[] value, byte[] lang, byte[] direction, byte[] datatype,
        byte[] subject, byte[] predicate, byte[] object, byte[] canonical) {
    private static final byte[] IRI = ascii("iri");
    private static final byte[] BLANK = ascii("blank");
    private static final byte[] LITERAL = ascii("literal");
    private static final byte[] TRIPLE = ascii("triple");
    private static final byte[] XSD_STRING = ascii("http://www.w3.org/2001/XMLSchema#string");
    private static final byte[] RDF_LANG_STRING = ascii("http://www.w3.org/1999/02/22-rdf-syntax-ns#langString");
    private static final byte[] RDF_DIR_LANG_STRING = ascii("http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString");

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    byte[] namespace() {
        return kind == IRI ? Arrays.copyOf(value, localNameStart()) : null;
    }

    byte[] localName() {
        return kind == IRI ? Arrays.copyOfRange(value, localNameStart(), value.length) : null;
    }

    private int localNameStart() {
        int start = value.length;
        while (start > 0 && value[start - 1] != '#' && value[start - 1] != '/') {
            start--;
        }
        return start;
    }

    /** A factory that splits terms into parts as they are created. Not thread-safe. */
    static final class Factory implements TermFactory<TermParts> {
        private final Utf8Terms terms;

        /**
         * @param mendsTags true to replace {@code _} in language tags by {@code -}
         */
        Factory(boolean mendsTags) {
            terms = mendsTags ? Utf8Terms.mendingTags() : new Utf8Terms();
        }

        @Override
        public TermParts iri(byte[] prefix, byte[] name) {
            byte[] whole = Arrays.copyOf(prefix, prefix.length + name.length);
            System.arraycopy(name, 0, whole, prefix.length, name.length);
            return new TermParts(IRI, whole, null, null, null, null, null, null, terms.iri(prefix, name));
        }

        @Override
        public TermParts iri(TermParts prefix, byte[] name, int offset, int length) {
            byte[] whole = Arrays.copyOf(prefix.value, prefix.value.length + length);
            System.arraycopy(name, offset, whole, prefix.value.length, length);
            return new TermParts(IRI, whole, null, null, null, null, null, null,
                    terms.iri(prefix.canonical, name, offset, length));
        }

        @Override
        public TermParts blankNode(byte[] bytes, int offset, int length) {
            return new TermParts(BLANK, Arrays.copyOfRange(bytes, offset, offset + length), null, null, null,
                    null, null, null, terms.blankNode(bytes, offset, length));
        }

        @Override
        public TermParts literal(byte[] bytes, int offset, int length) {
            return literal(bytes, offset, length, null, null, XSD_STRING, terms.literal(bytes, offset, length));
        }

        @Override
        public TermParts langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
            byte[] canonical = terms.langLiteral(bytes, offset, length, langOffset, langLength);
            // The canonical term ends with the tag, in lower case.
            int tag = canonical.length - langLength;
            int end = tag;
            while (end < canonical.length && !isDirectionMark(canonical, end)) {
                end++;
            }
            byte[] lang = Arrays.copyOfRange(canonical, tag, end);
            return end == canonical.length
                    ? literal(bytes, offset, length, lang, null, RDF_LANG_STRING, canonical)
                    : literal(bytes, offset, length, lang, Arrays.copyOfRange(canonical, end + 2, canonical.length),
                            RDF_DIR_LANG_STRING, canonical);
        }

        /**
         * Returns whether a base direction starts at the index. A single {@code -} at the end, which other writers may leave,
         * starts none.
         */
        private static boolean isDirectionMark(byte[] term, int at) {
            return term[at] == '-' && at + 1 < term.length && term[at + 1] == '-';
        }

        @Override
        public TermParts typedLiteral(byte[] bytes, int offset, int length, TermParts datatype) {
            return literal(bytes, offset, length, null, null, datatype.value,
                    terms.typedLiteral(bytes, offset, length, datatype.canonical));
        }

        private static TermParts literal(byte[] bytes, int offset, int length, byte[] lang, byte[] direction,
                byte[] datatype, byte[] canonical) {
            return new TermParts(LITERAL, Arrays.copyOfRange(bytes, offset, offset + length), lang, direction, datatype,
                    null, null, null, canonical);
        }

        @Override
        public TermParts tripleTerm(TermParts subject, TermParts predicate, TermParts object) {
            return new TermParts(TRIPLE, null, null, null, null, subject.canonical, predicate.canonical, object.canonical,
                    terms.tripleTerm(subject.canonical, predicate.canonical, object.canonical));
        }

        /** Returns null, since no text stands for the default graph. */
        @Override
        public TermParts defaultGraph() {
            return null;
        }
    }
}
