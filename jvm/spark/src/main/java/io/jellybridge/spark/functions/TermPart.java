package io.jellybridge.spark.functions;

import java.util.Locale;
import java.util.function.Function;

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
}
