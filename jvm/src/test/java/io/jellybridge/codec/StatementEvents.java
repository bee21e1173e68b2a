package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

/** Statements as {@code T} and {@code Q} events: from text, and into a writer. */
final class StatementEvents {

    private StatementEvents() {
    }

    /** The statements of N-Triples or N-Quads, in which any term may stand anywhere. */
    static List<Event> parse(String text, boolean quads) {
        List<Event> statements = new ArrayList<>();
        for (String line : text.split("\n")) {
            String statement = line.strip();
            if (!statement.isEmpty() && !statement.startsWith("#")) {
                statements.add(statement(statement, quads));
            }
        }
        return statements;
    }

    private static Event statement(String line, boolean quads) {
        assertTrue(line.endsWith("."), line);
        EventTermParser parser = new EventTermParser(line.substring(0, line.length() - 1));
        List<EventTerm> terms = new ArrayList<>();
        while (!parser.atEnd()) {
            terms.add(parser.term());
        }
        if (quads && terms.size() == 3) {
            terms.add(EventTerm.DEFAULT_GRAPH);
        }
        return new Event(quads ? "Q" : "T", null, terms);
    }

    /** Writes statements; in a GRAPHS stream, those of one graph that follow each other between its start and its end. */
    static <T> void write(List<Event> statements, RdfHandler<T> to, TermFactory<T> factory, PhysicalType type) {
        EventTerm open = null;
        for (Event event : statements) {
            EventTerm graph = type == PhysicalType.TRIPLES ? null : event.terms().get(3);
            if (type == PhysicalType.GRAPHS && !graph.equals(open)) {
                if (open != null) {
                    to.endGraph();
                }
                to.startGraph(EventTerms.make(graph, factory));
                open = graph;
            }
            to.statement(EventTerms.make(event.terms().get(0), factory), EventTerms.make(event.terms().get(1), factory),
                    EventTerms.make(event.terms().get(2), factory), graph == null ? null : EventTerms.make(graph, factory));
        }
        if (open != null) {
            to.endGraph();
        }
    }
}
