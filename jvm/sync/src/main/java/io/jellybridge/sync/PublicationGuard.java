package io.jellybridge.sync;

import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.PrefixedTerms;
import io.jellybridge.options.ShareLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A limit for how many statements of a kind a publication may lose or gain. A kind is a predicate, a predicate with an object
 * such as a class, or a graph.
 *
 * <p>It compares the numbers before and after, so a replaced label is no loss.
 *
 * @param text  the guard as the user wrote it
 * @param terms the predicate, and perhaps the object; or the graph
 * @param loses true to limit a loss, false to limit a gain
 * @param limit a number of statements, or a share of those before
 */
public record PublicationGuard(String text, List<String> terms, boolean isGraph, boolean loses, ShareLimit limit) {
    private static final String GRAPH = "graph";

    /**
     * Parses a guard, such as {@code skos:prefLabel -10}, {@code rdf:type skos:Concept -1%} or {@code graph <urn:g> +50%}.
     *
     * @throws IllegalArgumentException the text is no guard
     */
    public static PublicationGuard of(String text) {
        List<String> words = new ArrayList<>(Arrays.asList(text.trim().split("\\s+")));
        String last = words.remove(words.size() - 1);
        ShareLimit limit = last.matches("[+-].+") ? ShareLimit.parse(last.substring(1)) : null;
        boolean isGraph = words.size() == 2 && words.get(0).equals(GRAPH);
        List<String> terms = isGraph ? words.subList(1, 2) : words;
        if (limit == null || terms.isEmpty() || terms.size() > 2) {
            throw new IllegalArgumentException("guard " + text + ": must be a predicate, a predicate and an object, or 'graph' and a "
                    + "graph, and then how much of it may be lost or come, such as 'rdf:type skos:Concept -1%' or 'skos:prefLabel -10'");
        }
        return new PublicationGuard(text, List.copyOf(terms), isGraph, last.startsWith("-"), limit);
    }

    /**
     * Checks a difference against guards.
     *
     * @throws IllegalArgumentException a prefix of a guard is unknown
     * @throws IllegalStateException    the difference passes the limit of a guard
     */
    static void checkGuard(List<PublicationGuard> guards, Difference difference) throws IOException {
        if (guards.isEmpty()) {
            return;
        }
        List<Kind> kinds = guards.stream().flatMap(guard -> guard.findKinds(difference).stream()).toList();
        difference.forEach((quad, isOld, isNew) -> kinds.forEach(kind -> kind.count(quad, isOld, isNew)));
        kinds.forEach(Kind::check);
    }

    /**
     * Returns the kinds of statements that the guard may mean. They are several if the dataset, the files and the well-known
     * vocabularies differ about a prefix, so that a file with a wrong namespace can't turn the guard off.
     */
    private List<Kind> findKinds(Difference difference) {
        PrefixedTerms ofDataset = new PrefixedTerms(difference.oldPrefixes(), difference.newPrefixes());
        PrefixedTerms ofFiles = new PrefixedTerms(difference.newPrefixes(), difference.oldPrefixes());
        PrefixedTerms wellKnown = new PrefixedTerms(Map.of(), Map.of());
        return Stream.<UnaryOperator<String>>of(ofDataset::expandIri, ofFiles::expandIri,
                name -> Optional.ofNullable(wellKnown.expandIri(name)).orElseGet(() -> ofDataset.expandIri(name)))
                .map(names -> terms.stream().map(name -> expandIri(names, name)).toList()).distinct()
                .map(iris -> new Kind(this, iris)).toList();
    }

    private String expandIri(UnaryOperator<String> names, String name) {
        String iri = names.apply(name);
        if (iri == null) {
            throw new IllegalArgumentException("guard " + text + ": " + name + " has a prefix that neither the files nor the "
                    + "well-known vocabularies have; write the IRI in < >");
        }
        return iri;
    }

    /** The statements that a guard limits, and how many there are before and after. */
    private static final class Kind {
        private final PublicationGuard guard;
        private final List<byte[]> terms;
        private long before;
        private long after;

        Kind(PublicationGuard guard, List<String> iris) {
            this.guard = guard;
            this.terms = iris.stream().map(Utf8Terms::toTerm).toList();
        }

        void count(CanonicalQuad quad, boolean isOld, boolean isNew) {
            if (isOf(quad)) {
                before += isOld ? 1 : 0;
                after += isNew ? 1 : 0;
            }
        }

        private boolean isOf(CanonicalQuad quad) {
            if (guard.isGraph) {
                return Arrays.equals(quad.graph(), terms.get(0));
            }
            return Arrays.equals(quad.predicate(), terms.get(0))
                    && (terms.size() == 1 || Arrays.equals(quad.object(), terms.get(1)));
        }

        void check() {
            long change = guard.loses ? before - after : after - before;
            boolean isNumber = guard.limit.count() < Long.MAX_VALUE; // which may be more than there were
            if (change > 0 && (isNumber ? change > guard.limit.count() : guard.limit.isExceeded(change, before))) {
                throw new IllegalStateException("guard " + guard.text + ": there are " + before + " of these statements, and there "
                        + "would be " + after + "; nothing was applied; see what by a dry run, or allow more");
            }
        }
    }
}
