package io.jellybridge.jena.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which quads are wanted, and how many of them at the most.
 *
 * @param limit {@link Long#MAX_VALUE}: all
 */
public record QuadSelection(Wanted subject, Wanted predicate, Wanted object, Wanted graph, long limit) {
    /** All quads. */
    public static final QuadSelection ALL =
            new QuadSelection(Wanted.ANY, Wanted.ANY, Wanted.ANY, Wanted.ANY, Long.MAX_VALUE);

    /**
     * What is asked of a term, by its canonical text.
     *
     * @param values which it may be; null: any
     * @param starts what it begins with, all of them
     * @param orNull whether there may be none: the default graph
     */
    public record Wanted(Set<String> values, List<String> starts, boolean orNull) {
        /** Nothing is asked. */
        public static final Wanted ANY = new Wanted(null, List.of(), true);
        /** The default graph. */
        public static final Wanted NULL = new Wanted(Set.of(), List.of(), true);
        /** Any term, but not the default graph. */
        public static final Wanted TERM = new Wanted(null, List.of(), false);

        /** More would make a query, or a search for each, dearer than to look at the rows. */
        private static final int MOST_VALUES = 1000;
        private static final Pattern PLAIN =
                Pattern.compile("<[^<>\"\\\\\\x00-\\x20]+>|_:[A-Za-z0-9_.:-]+|\"[^\"\\\\\\x00-\\x1F]*\"");
        /** Names that are Jena's own: no data has them, and to ask for them is to ask for something else. */
        private static final String JENAS_OWN = "<urn:x-arq:";

        public static Wanted oneOf(Set<String> values) {
            return new Wanted(values, List.of(), false);
        }

        public static Wanted startingWith(String start) {
            return new Wanted(null, List.of(start), false);
        }

        /** What both ask. */
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
         * Whether the values are few, and each is found in any store under this text alone: IRIs, blank nodes, texts. Of
         * numbers and language tags stores keep several forms that they show alike, so rows are looked at for these.
         */
        public boolean isFindable() {
            return values != null && values.size() <= MOST_VALUES
                    && values.stream().allMatch(value -> PLAIN.matcher(value).matches() && !value.startsWith(JENAS_OWN));
        }

        /** Whether all that is asked is {@link #isFindable}. */
        boolean isExact() {
            return starts.isEmpty() && (values == null || isFindable());
        }

        /** Whether some term may be wanted. */
        public boolean takesTerms() {
            return values == null || !values.isEmpty();
        }

        /** @param term null: the default graph */
        boolean takes(byte[] term) {
            if (term == null || values == null && starts.isEmpty()) {
                return term != null || orNull;
            }
            String text = new String(term, UTF_8);
            return (values == null || values.contains(text)) && starts.stream().allMatch(text::startsWith);
        }
    }

    /** What is asked of each position: subject, predicate, object, graph. */
    List<Wanted> positions() {
        return List.of(subject, predicate, object, graph);
    }

    /** Whether a store that finds what is {@link Wanted#isFindable} finds these quads and no others. */
    public boolean isExact() {
        return positions().stream().allMatch(Wanted::isExact);
    }

    boolean takes(byte[][] quad) {
        return subject.takes(quad[0]) && predicate.takes(quad[1]) && object.takes(quad[2]) && graph.takes(quad[3]);
    }

    public QuadSelection withLimit(long most) {
        return new QuadSelection(subject, predicate, object, graph, most);
    }
}
