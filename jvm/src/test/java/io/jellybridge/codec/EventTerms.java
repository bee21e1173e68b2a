package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.vocabulary.XSD;

/** Takes terms of our two factories apart into {@link EventTerm}s, and makes such terms of them. */
final class EventTerms {
    private static final byte[] NO_PREFIX = new byte[0];

    private EventTerms() {
    }

    /** A term of {@link Utf8Terms}. */
    static EventTerm ofText(byte[] term) {
        return EventTermParser.parse(new String(term, UTF_8));
    }

    /** A term of {@link io.jellybridge.jena.nodes.NodeTerms}. */
    static EventTerm ofNode(Node node) {
        if (Quad.isDefaultGraph(node)) {
            return EventTerm.DEFAULT_GRAPH;
        }
        if (node.isURI()) {
            return new EventTerm.Iri(node.getURI());
        }
        if (node.isBlank()) {
            return new EventTerm.BlankNode(node.getBlankNodeLabel());
        }
        if (node.isTripleTerm()) {
            Triple triple = node.getTriple();
            return new EventTerm.Triple(
                    ofNode(triple.getSubject()), ofNode(triple.getPredicate()), ofNode(triple.getObject()));
        }
        return literal(node);
    }

    private static EventTerm literal(Node node) {
        String language = node.getLiteralLanguage();
        if (!language.isEmpty()) {
            String direction = node.getLiteralBaseDirection() == null ? "" : "--" + node.getLiteralBaseDirection();
            String tag = (language + direction).toLowerCase(Locale.ROOT);
            return new EventTerm.Literal(node.getLiteralLexicalForm(), tag, null);
        }
        String datatype = node.getLiteralDatatypeURI();
        return new EventTerm.Literal(
                node.getLiteralLexicalForm(), null, datatype.equals(XSD.xstring.getURI()) ? null : datatype);
    }

    /** The term that a factory makes of this one. */
    static <T> T make(EventTerm term, TermFactory<T> factory) {
        if (term == EventTerm.DEFAULT_GRAPH) {
            return factory.defaultGraph();
        }
        if (term instanceof EventTerm.Iri iri) {
            return factory.iri(NO_PREFIX, iri.text().getBytes(UTF_8));
        }
        if (term instanceof EventTerm.BlankNode blank) {
            byte[] label = blank.label().getBytes(UTF_8);
            return factory.blankNode(label, 0, label.length);
        }
        if (term instanceof EventTerm.Triple triple) {
            return factory.tripleTerm(
                    make(triple.subject(), factory), make(triple.predicate(), factory), make(triple.object(), factory));
        }
        return make((EventTerm.Literal) term, factory);
    }

    private static <T> T make(EventTerm.Literal literal, TermFactory<T> factory) {
        byte[] lexical = literal.lexical().getBytes(UTF_8);
        if (literal.language() != null) {
            byte[] both = (literal.lexical() + literal.language()).getBytes(UTF_8);
            return factory.langLiteral(both, 0, lexical.length, lexical.length, both.length - lexical.length);
        }
        return literal.datatype() == null
                ? factory.literal(lexical, 0, lexical.length)
                : factory.typedLiteral(lexical, 0, lexical.length,
                        factory.iri(NO_PREFIX, literal.datatype().getBytes(UTF_8)));
    }
}
