package io.jellybridge.structure;

import io.jellybridge.structure.BlankNodeMatching.WorkCounter;
import io.jellybridge.wire.Hashes;
import java.util.Arrays;

/**
 * Searches for an isomorphism of two components with the same colours. If several nodes share a colour, one of them gets a
 * colour of its own, and each candidate of the other side is tried with it. The search takes the first solution, so symmetry
 * costs little. A component that is only nearly symmetric can cost much, so the work is limited.
 */
final class Isomorphism {
    private final ColourRefinement old;
    private final ColourRefinement next;
    private final WorkCounter work;
    private final long maxWork;
    private final int maxDepth;
    private int[] oldNodes;
    private int[] nextNodes;
    private long individual;
    private boolean gaveUp;

    /**
     * Creates a search.
     *
     * @param maxWork the limit for the total of {@code work}
     */
    Isomorphism(ColourRefinement old, ColourRefinement next, WorkCounter work, long maxWork, int maxDepth) {
        this.old = old;
        this.next = next;
        this.work = work;
        this.maxWork = maxWork;
        this.maxDepth = maxDepth;
    }

    /**
     * Searches for an isomorphism. If there is one, every node has a colour of its own on its side, and matching nodes have the
     * same colour. Otherwise the nodes keep their colours.
     */
    boolean findMapping(int[] ofOld, int[] ofNext) {
        oldNodes = ofOld;
        nextNodes = ofNext;
        individual = 0;
        gaveUp = false;
        long[] oldBefore = computeColours(old, oldNodes);
        long[] nextBefore = computeColours(next, nextNodes);
        long[] stable = refine();
        if (stable != null && searchMapping(stable, 0)) {
            return true;
        }
        restore(old, oldNodes, oldBefore);
        restore(next, nextNodes, nextBefore);
        return false;
    }

    /** Returns true if the last search ended without an answer. */
    boolean gaveUp() {
        return gaveUp;
    }

    private boolean searchMapping(long[] sorted, int depth) {
        if (ColourRefinement.countClasses(sorted) == sorted.length) {
            return true;
        }
        long alike = smallestClass(sorted);
        int chosen = findFirst(old, oldNodes, alike);
        long mark = Hashes.thenHash(alike, ++individual);
        long[] oldBefore = computeColours(old, oldNodes);
        long[] nextBefore = computeColours(next, nextNodes);
        for (int candidate : nextNodes) {
            if (next.get(candidate) != alike) {
                continue;
            }
            gaveUp |= work.done() > maxWork || depth > maxDepth;
            if (gaveUp) {
                return false;
            }
            old.set(chosen, mark);
            next.set(candidate, mark);
            long[] finer = refine();
            if (finer != null && searchMapping(finer, depth + 1)) {
                return true;
            }
            restore(old, oldNodes, oldBefore);
            restore(next, nextNodes, nextBefore);
        }
        return false;
    }

    /** Refines both sides until the colours are stable. Returns null if the sides differ or the work limit is reached. */
    private long[] refine() {
        long[] sorted = old.sortedColours(oldNodes);
        int classes = ColourRefinement.countClasses(sorted);
        while (!(gaveUp = work.done() > maxWork)) {
            old.refineStep(oldNodes);
            next.refineStep(nextNodes);
            sorted = old.sortedColours(oldNodes);
            if (!Arrays.equals(sorted, next.sortedColours(nextNodes))) {
                return null;
            }
            int finer = ColourRefinement.countClasses(sorted);
            if (finer == classes) {
                return sorted;
            }
            classes = finer;
        }
        return null;
    }

    /** Returns the colour that the fewest nodes share, but at least two. */
    private static long smallestClass(long[] sorted) {
        int best = Integer.MAX_VALUE;
        long colour = 0;
        for (int from = 0, to = 0; from < sorted.length; from = to) {
            while (to < sorted.length && sorted[to] == sorted[from]) {
                to++;
            }
            if (to - from > 1 && to - from < best) {
                best = to - from;
                colour = sorted[from];
            }
        }
        return colour;
    }

    private static int findFirst(ColourRefinement colours, int[] nodes, long colour) {
        int i = 0;
        while (colours.get(nodes[i]) != colour) {
            i++;
        }
        return nodes[i];
    }

    private static long[] computeColours(ColourRefinement colours, int[] nodes) {
        return Arrays.stream(nodes).mapToLong(colours::get).toArray();
    }

    private static void restore(ColourRefinement colours, int[] nodes, long[] before) {
        for (int i = 0; i < nodes.length; i++) {
            colours.set(nodes[i], before[i]);
        }
    }
}
