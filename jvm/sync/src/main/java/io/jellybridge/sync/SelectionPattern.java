package io.jellybridge.sync;

import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.jena.data.QuadSelection.Wanted;
import io.jellybridge.jena.data.StoredPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The pattern of SPARQL that quads match which are wanted, and others perhaps, with the variables s, p, o, g. */
final class SelectionPattern {
    /** What an IRI may begin with, as the text of a term, without what would have to be escaped. */
    private static final Pattern START_OF_IRI = Pattern.compile("<[^<>\"\\\\\\x00-\\x20]+");

    private SelectionPattern() {
    }

    /**
     * @param defaultGraph what the default graph is called; null: it has no name
     * @param positions    whether the graph of {@link StoredPosition}s is among the quads
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
            // Jena's own way to write a blank node that is there.
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
