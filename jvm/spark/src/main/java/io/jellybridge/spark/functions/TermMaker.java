package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.LabelCharacters;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.spark.functions.JellyFunction.FunctionBody;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions {@code rdf_…} that create a term from text, which they escape. */
enum TermMaker {
    IRI("(iri)", 1, "The IRI as a term, of its text with or without <>.") {
        @Override
        byte[] make(Utf8Terms terms, byte[] text, byte[] qualifier) {
            return makeIri(terms, text);
        }
    },
    BLANK("(label)", 1, "The blank node as a term, of its label without _:.") {
        @Override
        byte[] make(Utf8Terms terms, byte[] text, byte[] qualifier) {
            byte[] term = terms.blankNode(text, 0, text.length);
            // Labels can't be escaped.
            LabelCharacters.check(text);
            return term;
        }
    },
    LITERAL("(text)", 1, "The text as a literal.") {
        @Override
        byte[] make(Utf8Terms terms, byte[] text, byte[] qualifier) {
            return terms.literal(text, 0, text.length);
        }
    },
    LANG_LITERAL("(text, tag)", 2, "The text as a literal in a language, such as en-GB.") {
        @Override
        byte[] make(Utf8Terms terms, byte[] text, byte[] tag) {
            checkTerm(RdfTerms.languageTagFault(tag, 0, tag.length));
            byte[] both = Arrays.copyOf(text, text.length + tag.length);
            System.arraycopy(tag, 0, both, text.length, tag.length);
            return terms.langLiteral(both, 0, text.length, text.length, tag.length);
        }
    },
    TYPED_LITERAL("(text, datatype)", 2, "The text as a literal of a datatype, an IRI with or without <>.") {
        @Override
        byte[] make(Utf8Terms terms, byte[] text, byte[] datatype) {
            byte[] iri = withoutBrackets(datatype);
            checkTerm(RdfTerms.datatypeFault(iri, 0, iri.length));
            return terms.typedLiteral(text, 0, text.length, makeIri(terms, datatype));
        }
    };

    private static final byte[] NOTHING = {};

    private final String parameters;
    private final int arity;
    private final String description;

    TermMaker(String parameters, int arity, String description) {
        this.parameters = parameters;
        this.arity = arity;
        this.description = description;
    }

    /**
     * Creates the canonical term.
     *
     * @param qualifier the second argument, if there is one
     * @throws IllegalArgumentException the IRI, the language tag or the label is not valid
     */
    abstract byte[] make(Utf8Terms terms, byte[] text, byte[] qualifier);

    private static byte[] makeIri(Utf8Terms terms, byte[] text) {
        byte[] iri = withoutBrackets(text);
        checkTerm(RdfTerms.iriFault(iri, 0, iri.length));
        return terms.iri(NOTHING, iri);
    }

    /** An IRI without the brackets that it may be given with. */
    private static byte[] withoutBrackets(byte[] iri) {
        boolean hasBrackets = iri.length > 1 && iri[0] == '<' && iri[iri.length - 1] == '>';
        return hasBrackets ? Arrays.copyOfRange(iri, 1, iri.length - 1) : iri;
    }

    private static void checkTerm(RdfTerms.Fault fault) {
        if (fault != null) {
            throw new IllegalArgumentException(fault.found() + "; " + fault.advice());
        }
    }

    String functionName() {
        return "rdf_" + name().toLowerCase(Locale.ROOT);
    }

    String parameters() {
        return parameters;
    }

    int arity() {
        return arity;
    }

    String description() {
        return description;
    }

    /** A function {@code rdf_…(text, …)} that creates a term. */
    static final class TermMakerFunction extends FunctionBody<UTF8String> {
        private static final long serialVersionUID = 1L;

        private final TermMaker maker;
        private transient Utf8Terms terms;

        TermMakerFunction(String name, TermMaker maker) {
            super(name, JellyFunctions.textTypes(maker.arity()), DataTypes.StringType);
            this.maker = maker;
        }

        /**
         * @throws FormatException the term would not be valid
         */
        @Override
        UTF8String call(InternalRow arguments) {
            if (terms == null) {
                terms = new Utf8Terms();
            }
            byte[] qualifier = maker.arity() > 1 ? arguments.getUTF8String(1).getBytes() : null;
            try {
                return UTF8String.fromBytes(maker.make(terms, arguments.getUTF8String(0).getBytes(), qualifier));
            } catch (IllegalArgumentException e) {
                throw FormatException.ofRow("N-Triples", null, e.getMessage(), "see " + name());
            }
        }
    }
}
