package io.jellybridge.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An event of a stream, in the form in which the vectors compare it: its op ({@code ---} for the end of a patch; in
 * Jelly-RDF {@code T}, {@code Q} and {@code NS}), the header's key or the prefix, and its terms. No graph is no term; a
 * namespace that is not there is {@link EventTerm#ABSENT}.
 */
record Event(String op, String name, List<EventTerm> terms) {
    static final Event END_OF_PATCH = new Event("---", null, List.of());

    /** Reads a line such as {@code A <s> <p> "o" DEFAULT}. */
    static Event parse(String line) {
        EventTermParser parser = new EventTermParser(line);
        String op = parser.word();
        String name = switch (op) {
            case "H", "PA", "PD", "NS" -> parser.quoted();
            default -> null;
        };
        List<EventTerm> terms = new ArrayList<>();
        while (!parser.atEnd()) {
            terms.add(parser.term());
        }
        return new Event(op, name, terms);
    }

    /**
     * The events of a stream with its blank nodes numbered as they come. Two streams are the same, but for a bijection
     * of their labels, exactly when what this makes of them is equal.
     */
    static List<Event> withNumberedBlankNodes(List<Event> stream) {
        Map<String, String> numbers = new HashMap<>();
        return stream.stream()
                .map(event -> new Event(event.op, event.name,
                        event.terms.stream().map(term -> numbered(term, numbers)).toList()))
                .toList();
    }

    private static EventTerm numbered(EventTerm term, Map<String, String> numbers) {
        if (term instanceof EventTerm.BlankNode blank) {
            return new EventTerm.BlankNode(numbers.computeIfAbsent(blank.label(), label -> "b" + numbers.size()));
        }
        if (term instanceof EventTerm.Triple triple) {
            return new EventTerm.Triple(numbered(triple.subject(), numbers), numbered(triple.predicate(), numbers),
                    numbered(triple.object(), numbers));
        }
        return term;
    }
}
