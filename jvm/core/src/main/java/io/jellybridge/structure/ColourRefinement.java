package io.jellybridge.structure;

import io.jellybridge.structure.BlankNodeMatching.WorkCounter;
import io.jellybridge.wire.Hashes;
import java.util.Arrays;

/**
 * The colours of a graph's nodes (colour refinement). A colour is a hash of the statements around a node, and depends on no
 * label. Each {@linkplain #refineStep step} takes in statements one step further away. Only colours of equally many steps can be
 * compared between two graphs.
 */
final class ColourRefinement {
    private static final long SELF = 0x5E1F;

    private final BlankGraph graph;
    private final long[] colours;
    private final long[] next;
    private final WorkCounter work;

    ColourRefinement(BlankGraph graph, WorkCounter work) {
        this.graph = graph;
        this.colours = new long[graph.size()];
        this.next = new long[graph.size()];
        this.work = work;
    }

    long get(int node) {
        return colours[node];
    }

    void set(int node, long colour) {
        colours[node] = colour;
    }

    /** Returns a copy of the current colours of all nodes. */
    long[] all() {
        return colours.clone();
    }

    /** Refines the colours of these nodes by one step. They must be one or more whole components. */
    void refineStep(int[] nodes) {
        for (int node : nodes) {
            long sum = 0;
            for (int i = graph.incidentStart(node); i < graph.incidentEnd(node); i++) {
                sum += seenFrom(node, graph.statementOf(i));
            }
            next[node] = Hashes.thenHash(colours[node], sum);
        }
        for (int node : nodes) {
            colours[node] = next[node];
        }
    }

    private long seenFrom(int node, int statement) {
        long hash = graph.shapeOf(statement);
        int end = graph.slotEnd(statement);
        work.add(end - graph.slotStart(statement));
        for (int i = graph.slotStart(statement); i < end; i++) {
            int other = graph.slotOf(i);
            hash = Hashes.thenHash(hash, other == node ? SELF : colours[other]);
        }
        return hash;
    }

    /** Returns the colours of these nodes, sorted. */
    long[] sortedColours(int[] nodes) {
        long[] sorted = new long[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            sorted[i] = colours[nodes[i]];
        }
        Arrays.sort(sorted);
        return sorted;
    }

    /** Counts the distinct colours. */
    static int countClasses(long[] sorted) {
        int classes = sorted.length == 0 ? 0 : 1;
        for (int i = 1; i < sorted.length; i++) {
            classes += sorted[i] == sorted[i - 1] ? 0 : 1;
        }
        return classes;
    }
}
