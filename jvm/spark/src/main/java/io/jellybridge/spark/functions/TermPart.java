package io.jellybridge.spark.functions;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.spark.functions.JellyFunction.FunctionBody;
import io.jellybridge.text.NQuadsParser;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The parts of a term, each with a function {@code rdf_…}. The part is null if the term lacks it. */
enum TermPart {
    KIND("What the term is: iri, blank, literal or triple.", TermParts::kind),
    VALUE("The IRI without <>, the blank node's label without _:, the literal's text, all without escapes.",
            TermParts::value),
    LANG("The literal's language tag, in lower case, without its base direction.", TermParts::lang),
    DIRECTION("The base direction of the literal's text: ltr or rtl.", TermParts::direction),
    DATATYPE("The IRI of the literal's datatype, without <>; that of plain text, and of text with a language tag, too.",
            TermParts::datatype),
    NAMESPACE("The IRI up to its last # or /, that character included.", TermParts::namespace),
    LOCAL_NAME("The IRI after its last # or /; all of it where it has neither.", TermParts::localName),
    SUBJECT("The subject of the triple term.", TermParts::subject),
    PREDICATE("The predicate of the triple term.", TermParts::predicate),
    OBJECT("The object of the triple term.", TermParts::object),
    CANONICAL("The same term in canonical N-Triples, the form in which equal terms are equal texts.", TermParts::canonical),
    MEND_TAGS("The same, with - for _ in language tags, as in en_US.", TermParts::canonical);

    private final String description;
    private final Function<TermParts, byte[]> part;

    TermPart(String description, Function<TermParts, byte[]> part) {
        this.description = description;
        this.part = part;
    }

    String functionName() {
        return "rdf_" + name().toLowerCase(Locale.ROOT);
    }

    String description() {
        return description;
    }

    /** Returns whether the part is the whole term for writing, which must be a term of RDF 1.2. */
    boolean isWhole() {
        return this == CANONICAL || this == MEND_TAGS;
    }

    /** Returns the part of a term in UTF-8. */
    byte[] of(TermParts term) {
        return part.apply(term);
    }

    /** A function {@code rdf_…(term)} that returns a part of a term. The term may have any form that N-Triples allows. */
    static final class TermPartFunction extends FunctionBody<UTF8String> {
        private static final long serialVersionUID = 1L;

        private final TermPart part;
        private transient TermBuilder<byte[], TermParts> reader;
        private transient NQuadsParser checked;

        TermPartFunction(String name, TermPart part) {
            super(name, JellyFunctions.textTypes(1), DataTypes.StringType);
            this.part = part;
        }

        /**
         * @throws TermSyntaxException the text is not a term; or the whole term is requested and is not a term of RDF 1.2
         */
        @Override
        UTF8String call(InternalRow arguments) {
            if (reader == null) {
                checked = new NQuadsParser(true);
                reader = new TermBuilder<>(new Utf8Terms(), new TermParts.Factory(part == TermPart.MEND_TAGS));
            }
            byte[] found = part.of(reader.translate(arguments.getUTF8String(0).getBytes()));
            if (part.isWhole() && found[0] != '_') { // patches accept any blank node label, N-Quads does not
                checked.parseTerm(NQuadsParser.OBJECT, found);
            }
            return UTF8String.fromBytes(found);
        }
    }

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
    private record TermParts(byte[] kind, byte[] value, byte[] lang, byte[] direction, byte[] datatype,
            byte[] subject, byte[] predicate, byte[] object, byte[] canonical) {
        private static final byte[] IRI = toAscii("iri");
        private static final byte[] BLANK = toAscii("blank");
        private static final byte[] LITERAL = toAscii("literal");
        private static final byte[] TRIPLE = toAscii("triple");
        private static final byte[] XSD_STRING = toAscii("http://www.w3.org/2001/XMLSchema#string");
        private static final byte[] RDF_LANG_STRING = toAscii("http://www.w3.org/1999/02/22-rdf-syntax-ns#langString");
        private static final byte[] RDF_DIR_LANG_STRING = toAscii("http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString");

        private static byte[] toAscii(String text) {
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
                return makeLiteral(bytes, offset, length, null, null, XSD_STRING, terms.literal(bytes, offset, length));
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
                        ? makeLiteral(bytes, offset, length, lang, null, RDF_LANG_STRING, canonical)
                        : makeLiteral(bytes, offset, length, lang, Arrays.copyOfRange(canonical, end + 2, canonical.length),
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
                return makeLiteral(bytes, offset, length, null, null, datatype.value,
                        terms.typedLiteral(bytes, offset, length, datatype.canonical));
            }

            private static TermParts makeLiteral(byte[] bytes, int offset, int length, byte[] lang, byte[] direction,
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
}
