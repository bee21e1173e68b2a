package io.jellybridge.codec;

/** A term of an event, taken apart: what the vectors compare. The text forms are read by {@link EventTermParser}. */
sealed interface EventTerm {
    /** The default graph. */
    EventTerm DEFAULT_GRAPH = new Iri("DEFAULT");
    /** A position that the event does not set: no graph, no namespace. */
    EventTerm ABSENT = new Iri("-");

    record Iri(String text) implements EventTerm {
    }

    record BlankNode(String label) implements EventTerm {
    }

    /**
     * @param language with the base direction, in lower case: tags are compared without case; null where there is none
     * @param datatype null where there is none, and for {@code xsd:string}
     */
    record Literal(String lexical, String language, String datatype) implements EventTerm {
    }

    record Triple(EventTerm subject, EventTerm predicate, EventTerm object) implements EventTerm {
    }
}
