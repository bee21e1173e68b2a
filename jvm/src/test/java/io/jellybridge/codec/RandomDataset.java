package io.jellybridge.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Random statements that every RDF library takes: legal IRIs, labels and tags, triple terms as objects only. */
final class RandomDataset {
    private static final String[] NAMESPACES = {"http://e/", "http://e/a/", "http://e/b#", "urn:x:", "https://例え.jp/ü/"};
    private static final String[] STRINGS = {
        "", " ", "x", "line\nbreak\r\t\"quoted\" \\ back", "chrząszcz", "日本語", "😀", "\u007F\u0001\u000B", "é", "e\u0301",
        "x".repeat(300), "_:b", "<iri>", "@en", "\uD7FF\uE000"};
    private static final String[] TAGS = {"en", "en-gb", "pl", "zh-hant-tw"};
    private static final String[] DATATYPES = {"http://www.w3.org/2001/XMLSchema#integer", "http://d/1", "urn:d:2"};

    private final Random random;
    private final int variety;
    private final List<Event> events = new ArrayList<>();

    RandomDataset(long seed, boolean quads) {
        random = new Random(seed);
        variety = 1 + random.nextInt(40);
        for (int rows = 1 + random.nextInt(80); rows > 0; rows--) {
            events.add(statement(quads));
        }
    }

    /** The statements, as {@code T} or {@code Q} events. */
    List<Event> events() {
        return events;
    }

    /** The statements as N-Quads. */
    String nquads() {
        return events.stream().map(event -> event.terms().stream().filter(term -> term != EventTerm.DEFAULT_GRAPH)
                .map(RandomDataset::text).collect(Collectors.joining(" ", "", " .\n"))).collect(Collectors.joining());
    }

    private Event statement(boolean quads) {
        List<EventTerm> terms = new ArrayList<>(List.of(resource(), iri(), object(0)));
        if (quads) {
            terms.add(random.nextInt(3) == 0 ? EventTerm.DEFAULT_GRAPH : resource());
        }
        return new Event(quads ? "Q" : "T", null, terms);
    }

    private EventTerm resource() {
        return random.nextInt(4) == 0 ? new EventTerm.BlankNode("b" + random.nextInt(variety)) : iri();
    }

    private EventTerm iri() {
        return new EventTerm.Iri(pick(NAMESPACES) + "n" + random.nextInt(variety));
    }

    private EventTerm object(int depth) {
        if (depth < 3 && random.nextInt(10) == 0) {
            return new EventTerm.Triple(resource(), iri(), object(depth + 1));
        }
        if (random.nextInt(2) == 0) {
            return resource();
        }
        String lexical = random.nextBoolean() ? pick(STRINGS) : Integer.toString(random.nextInt(variety));
        return switch (random.nextInt(3)) {
            case 0 -> new EventTerm.Literal(lexical, pick(TAGS), null);
            case 1 -> new EventTerm.Literal(lexical, null, pick(DATATYPES));
            default -> new EventTerm.Literal(lexical, null, null);
        };
    }

    private String pick(String... from) {
        return from[random.nextInt(from.length)];
    }

    private static String text(EventTerm term) {
        if (term instanceof EventTerm.Iri iri) {
            return "<" + iri.text() + ">";
        }
        if (term instanceof EventTerm.BlankNode blank) {
            return "_:" + blank.label();
        }
        if (term instanceof EventTerm.Triple triple) {
            return "<<( " + text(triple.subject()) + " " + text(triple.predicate()) + " " + text(triple.object()) + " )>>";
        }
        EventTerm.Literal literal = (EventTerm.Literal) term;
        String suffix = literal.language() != null ? "@" + literal.language()
                : literal.datatype() != null ? "^^<" + literal.datatype() + ">" : "";
        return "\"" + literal.lexical().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\r", "\\r")
                + "\"" + suffix;
    }
}
