package io.jellybridge.jena.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.Quad;

/**
 * A selection of quads, with a limit.
 *
 * @param limit the largest number of quads; {@link Long#MAX_VALUE} for no limit
 */
public record QuadSelection(Wanted subject, Wanted predicate, Wanted object, Wanted graph, long limit) {
    /** The selection of all quads. */
    public static final QuadSelection ALL =
            new QuadSelection(Wanted.ANY, Wanted.ANY, Wanted.ANY, Wanted.ANY, Long.MAX_VALUE);
    /** The limit of patterns. If there were more, one of the positions becomes a wildcard. */
    private static final int MOST_PATTERNS = 10_000;

    /**
     * A condition on a term, by its canonical text.
     *
     * @param values the allowed terms; null for any
     * @param starts the required prefixes of the text, all of them
     * @param orNull true if the default graph is allowed
     */
    public record Wanted(Set<String> values, List<String> starts, boolean orNull) {
        /** No condition. */
        public static final Wanted ANY = new Wanted(null, List.of(), true);
        /** Only the default graph. */
        public static final Wanted NULL = new Wanted(Set.of(), List.of(), true);
        /** Any term, but not the default graph. */
        public static final Wanted TERM = new Wanted(null, List.of(), false);

        /** The largest number of values to search for. With more, looking at all rows is cheaper. */
        private static final int MOST_VALUES = 1000;
        private static final Pattern PLAIN =
                Pattern.compile("<[^<>\"\\\\\\x00-\\x20]+>|_:[A-Za-z0-9_.:-]+|\"[^\"\\\\\\x00-\\x1F]*\"");
        /** The start of Jena's own names. No data has them, and a search for them would have another meaning. */
        private static final String JENAS_OWN = "<urn:x-arq:";

        public static Wanted oneOf(Set<String> values) {
            return new Wanted(values, List.of(), false);
        }

        public static Wanted startingWith(String start) {
            return new Wanted(null, List.of(start), false);
        }

        /** Combines two conditions, so that a term must meet both. */
        public Wanted and(Wanted other) {
            Set<String> both = values == null ? other.values : values;
            if (values != null && other.values != null) {
                both = new TreeSet<>(values);
                both.retainAll(other.values);
            }
            List<String> begins = new ArrayList<>(starts);
            begins.addAll(other.starts);
            return new Wanted(both, begins, orNull && other.orNull);
        }

        /**
         * Returns true if there are few values, and a store has each under this text only: IRIs, blank nodes, strings. A store
         * may keep several forms of a number or a language tag that look the same, so for these the rows are compared.
         */
        public boolean isFindable() {
            return values != null && values.size() <= MOST_VALUES
                    && values.stream().allMatch(value -> PLAIN.matcher(value).matches() && !value.startsWith(JENAS_OWN));
        }

        /** Returns true if the condition is only values that are {@link #isFindable}. */
        boolean isExact() {
            return starts.isEmpty() && (values == null || isFindable());
        }

        /** Returns true if the condition allows any term. */
        public boolean takesTerms() {
            return values == null || !values.isEmpty();
        }

        /**
         * Checks a term.
         *
         * @param term the term; null for the default graph
         */
        boolean matchesTerm(byte[] term) {
            if (term == null || values == null && starts.isEmpty()) {
                return term != null || orNull;
            }
            String text = new String(term, UTF_8);
            return (values == null || values.contains(text)) && starts.stream().allMatch(text::startsWith);
        }
    }

    /** Returns the conditions of the positions: subject, predicate, object, graph. */
    List<Wanted> positions() {
        return List.of(subject, predicate, object, graph);
    }

    /** Returns true if a search for the {@link Wanted#isFindable} values finds exactly these quads. */
    public boolean isExact() {
        return positions().stream().allMatch(Wanted::isExact);
    }

    private boolean selectsQuad(byte[][] quad) {
        return subject.matchesTerm(quad[0]) && predicate.matchesTerm(quad[1]) && object.matchesTerm(quad[2]) && graph.matchesTerm(quad[3]);
    }

    public QuadSelection withLimit(long most) {
        return new QuadSelection(subject, predicate, object, graph, most);
    }

    // --- the search

    /**
     * Returns the patterns by which the indexes of a dataset find all selected quads, and possibly others. A pattern without a
     * graph stands for all named graphs.
     */
    List<Quad> patterns() {
        List<Node> subjects = findNodes(subject, 1);
        List<Node> predicates = findNodes(predicate, subjects.size());
        List<Node> objects = findNodes(object, subjects.size() * predicates.size());
        List<Quad> patterns = new ArrayList<>();
        for (Node name : findGraphs(subjects.size() * predicates.size() * objects.size())) {
            for (Node each : subjects) {
                for (Node other : predicates) {
                    objects.forEach(last -> patterns.add(new Quad(name, each, other, last)));
                }
            }
        }
        return patterns;
    }

    private List<Node> findGraphs(int times) {
        List<Node> graphs = new ArrayList<>();
        if (graph.orNull()) {
            graphs.add(Quad.defaultGraphIRI);
        }
        if (graph.values() == null) {
            graphs.add(null);
        } else {
            graphs.addAll(findNodes(graph, times));
            graphs.replaceAll(name -> name == Node.ANY ? null : name);
        }
        return graphs;
    }

    /**
     * Returns the nodes to search for in a position.
     *
     * @param times the number of patterns so far
     */
    private static List<Node> findNodes(Wanted wanted, int times) {
        return wanted.isFindable() && (long) times * wanted.values().size() <= MOST_PATTERNS
                ? wanted.values().stream().map(QuadSelection::findNode).toList() : List.of(Node.ANY);
    }

    /** Converts a text without escapes to a node. */
    private static Node findNode(String text) {
        return switch (text.charAt(0)) {
            case '<' -> NodeFactory.createURI(text.substring(1, text.length() - 1));
            case '_' -> NodeFactory.createBlankNode(text.substring("_:".length()));
            default -> NodeFactory.createLiteralString(text.substring(1, text.length() - 1));
        };
    }

    /** Returns a cursor over the selected quads of another cursor, up to the limit. */
    public QuadCursor of(QuadCursor quads) {
        return equals(ALL) ? quads : new Selected(quads);
    }

    private final class Selected implements QuadCursor {
        private final QuadCursor quads;
        private long left = limit;
        private byte[][] next;

        Selected(QuadCursor quads) {
            this.quads = quads;
        }

        @Override
        public boolean hasNext() {
            while (next == null && left > 0 && quads.hasNext()) {
                byte[][] quad = quads.next();
                next = selectsQuad(quad) ? quad : null;
            }
            return next != null;
        }

        @Override
        public byte[][] next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            byte[][] quad = next;
            next = null;
            left--;
            return quad;
        }

        @Override
        public String version() {
            return quads.version();
        }

        @Override
        public void close() {
            quads.close();
        }
    }
}
