package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.PrefixedTerms;
import io.jellybridge.options.ShareLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

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
        PrefixedTerms names = new PrefixedTerms(Map.of(), difference.prefixes());
        List<List<byte[]>> wanted = new ArrayList<>();
        for (PublicationGuard guard : guards) {
            wanted.add(guard.terms.stream().map(name -> guard.parseTerm(names, name)).toList());
        }
        long[][] counts = new long[guards.size()][2];
        difference.forEach((quad, isOld, isNew) -> {
            for (int i = 0; i < counts.length; i++) {
                if (guards.get(i).isOf(quad, wanted.get(i))) {
                    counts[i][0] += isOld ? 1 : 0;
                    counts[i][1] += isNew ? 1 : 0;
                }
            }
        });
        for (int i = 0; i < counts.length; i++) {
            guards.get(i).checkGuard(counts[i][0], counts[i][1]);
        }
    }

    private byte[] parseTerm(PrefixedTerms names, String name) {
        String iri = names.expandIri(name);
        if (iri == null) {
            throw new IllegalArgumentException("guard " + text + ": " + name + " has a prefix that neither the files nor the "
                    + "well-known vocabularies have; write the IRI in < >");
        }
        return ("<" + iri + ">").getBytes(UTF_8);
    }

    private boolean isOf(CanonicalQuad quad, List<byte[]> wanted) {
        if (isGraph) {
            return Arrays.equals(quad.graph(), wanted.get(0));
        }
        return Arrays.equals(quad.predicate(), wanted.get(0))
                && (wanted.size() == 1 || Arrays.equals(quad.object(), wanted.get(1)));
    }

    private void checkGuard(long before, long after) {
        long change = loses ? before - after : after - before;
        boolean isNumber = limit.count() < Long.MAX_VALUE; // which may be more than there were
        if (change > 0 && (isNumber ? change > limit.count() : limit.isExceeded(change, before))) {
            throw new IllegalStateException("guard " + text + ": there are " + before + " of these statements, and there would be "
                    + after + "; nothing was applied; see what by a dry run, or allow more");
        }
    }
}
