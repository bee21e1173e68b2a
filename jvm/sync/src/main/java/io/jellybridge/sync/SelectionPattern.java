package io.jellybridge.sync;

import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.data.StoredPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Builds a SPARQL pattern that matches the selected quads, and perhaps others, with the variables s, p, o, g. */
final class SelectionPattern {
    /** The start of an IRI as the text of a term, without characters that must be escaped. */
    private static final Pattern START_OF_IRI = Pattern.compile("<[^<>\"\\\\\\x00-\\x20]+");

    private SelectionPattern() {
    }

    /**
     * Builds a pattern.
     *
     * @param defaultGraph the name of the default graph; null if it has none
     * @param positions    true to include the graph of {@link StoredPosition}s
     */
    static String of(QuadSelection selection, String defaultGraph, boolean positions) {
        String triple = asked("s", selection.subject()) + asked("p", selection.predicate())
                + asked("o", selection.object());
        Wanted graph = selection.graph();
        List<String> parts = new ArrayList<>();
        if (graph.orNull()) {
            parts.add("{ " + triple + (defaultGraph == null ? "?s ?p ?o" : "GRAPH <" + defaultGraph + "> { ?s ?p ?o }") + " }");
        }
        if (graph.takesTerms()) {
            parts.add("{ " + asked("g", graph) + triple + "GRAPH ?g { ?s ?p ?o }"
                    + (positions ? "" : " FILTER (?g != <" + StoredPosition.GRAPH + ">)") + " }");
        }
        return parts.isEmpty() ? "{ ?s ?p ?o FILTER (false) }" : "{ " + String.join(" UNION ", parts) + " }";
    }

    private static String asked(String variable, Wanted wanted) {
        StringBuilder asked = new StringBuilder();
        if (wanted.isFindable()) {
            // Jena's own syntax for an existing blank node.
            asked.append("VALUES ?").append(variable).append(wanted.values().stream()
                    .map(term -> term.startsWith("_:") ? "<" + term + ">" : term)
                    .collect(Collectors.joining(" ", " { ", " } ")));
        }
        for (String start : wanted.starts()) {
            if (START_OF_IRI.matcher(start).matches()) {
                asked.append("FILTER (isIRI(?%1$s) && strStarts(str(?%1$s), \"%2$s\")) "
                        .formatted(variable, start.substring(1)));
            }
        }
        return asked.toString();
    }
}
