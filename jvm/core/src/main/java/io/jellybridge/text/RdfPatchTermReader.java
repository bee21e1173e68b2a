package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.CanonicalTerms;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermAssembler;
import io.jellybridge.codec.TermDialect;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermGrammar;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermRules;
import java.util.Arrays;

/**
 * Reads the terms, and the names of headers and prefixes, of RDF Patch text. Not thread-safe.
 *
 * @param <T> the type of a term
 */
final class RdfPatchTermReader<T> {
    /** Jena's names for the default graph, in text too. At any other position they are ordinary IRIs. */
    static final byte[][] DEFAULT_GRAPHS = {
        "urn:x-arq:DefaultGraph".getBytes(US_ASCII), "urn:x-arq:DefaultGraphNode".getBytes(US_ASCII)};

    private final RdfPatchText text;
    private final RdfPatchDialect dialect;
    private final TermRules rules;
    private final TermGrammar grammar;
    private final TermAssembler<T> made;

    RdfPatchTermReader(RdfPatchText text, TermFactory<T> factory, RdfPatchReadOptions options) {
        this.text = text;
        dialect = options.dialect();
        rules = options.relativeIris() ? TermRules.RELATIVE_IRIS : TermRules.RDF;
        grammar = new TermGrammar(text,
                TermDialect.ofRows(rules, options.generalized(), dialect.rdfStar(), options.maxNesting())
                        .withTurtleStrings(dialect.turtleForms()));
        made = new TermAssembler<>(factory);
    }

    /** Reads the next term. The default graph is null. */
    T readTerm(TermPosition position) {
        text.skipBlank();
        text.beginTerm();
        T term = readTermHere(position);
        text.endTerm();
        return term;
    }

    private T readTermHere(TermPosition position) {
        grammar.read(position);
        if (position == TermPosition.GRAPH && (grammar.isIri(DEFAULT_GRAPHS[0]) || grammar.isIri(DEFAULT_GRAPHS[1]))) {
            return null;
        }
        made.clear();
        try {
            grammar.show(made);
        } catch (IllegalArgumentException e) { // the factory can't create this term
            throw text.newError(text.start(), e.getMessage(), "correct the term");
        }
        return made.term();
    }

    /** Reads the key of a header: a word or a string. */
    byte[] headerKey() {
        text.skipBlank();
        if (text.takeWord()) {
            return text.readWord("in a word", "write it in quotes");
        }
        if (text.startsString()) {
            return text.plainString("the key of a header", "write it without a language tag or datatype");
        }
        throw text.newError(text.start(), text.describe() + " where the key of a header should be",
                "write a word, or a text in quotes, and then one term");
    }

    /** Reads a prefix, without its colon. */
    byte[] prefix() {
        if (text.startsBarePrefix()) {
            if (!dialect.barePrefixes()) {
                throw text.newError(text.start(), text.describe() + " where a prefix in quotes should be",
                        "write it in quotes, or read with a dialect that has bare prefixes: specification or auto");
            }
            byte[] bare = text.barePrefix();
            if (bare == null) {
                throw text.newError(text.start(), text.describe() + " where a prefix should be",
                        "write the prefix alone, and its namespace as <iri>");
            }
            return bare;
        }
        if (!text.startsString()) {
            throw text.newError(text.start(), text.describe() + " where a prefix should be",
                    "write the prefix in quotes, without colon; the empty one as \"\"");
        }
        byte[] prefix = text.plainString("a prefix", "write it without a language tag or datatype");
        RdfTerms.Fault fault = RdfTerms.prefixFault(prefix);
        if (fault != null) {
            throw text.newError(text.start(), fault.found(), fault.advice());
        }
        return prefix;
    }

    /** Returns a copy of the last namespace, as written. */
    byte[] lastNamespace() {
        return Arrays.copyOfRange(text.content(), text.contentOffset(), text.contentOffset() + text.contentLength());
    }

    /** Reads the namespace of a prefix: an IRI, or a string with an IRI. */
    T namespace() {
        text.skipBlank();
        if (text.peek() == '<') {
            return readTerm(TermPosition.NAMESPACE);
        }
        if (!text.startsString()) {
            throw text.newError(text.start(), text.describe() + " where the namespace should be", "write it as <iri>");
        }
        byte[] iri = text.plainString("a namespace", "write it as <iri>");
        if (CanonicalTerms.iriLength(iri, 0, iri.length) != iri.length) {
            throw text.newError(text.start(), "a namespace with a character that no IRI has", "write it as <iri>");
        }
        RdfTerms.Fault fault = rules.iriStartFault(iri, 0, iri.length);
        if (fault != null) {
            throw text.newError(text.start(), fault.found(), fault.advice());
        }
        return made.toIri(iri, 0, iri.length);
    }
}
