package io.jellybridge.structure;

import io.jellybridge.structure.BlankNodeMatching.WorkCounter;
import io.jellybridge.wire.Hashes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Matches the nodes of graphs that are not isomorphic, so that a small change yields a small difference. It first matches nodes
 * whose neighbourhood is the same and occurs once on each side, the largest neighbourhoods first. Matches then spread: if all
 * other nodes of a statement are matched, the statement votes for a pair of its last nodes. The pair with the most votes is
 * matched first. Weaker votes, by parts of a statement, come last.
 */
final class ApproximateMatcher {
    private static final int LEVELS = 4;
    /** The number of pairs for which one statement may vote. A larger group waits until other statements have decided. */
    private static final int MAX_PAIRS = 64;
    private static final int SAME_STATEMENT = 1 << 10;
    private static final int SAME_SHAPE = 1;
    private static final long SELF = -1;
    private static final long ANY = -2;

    private final Side old;
    private final Side next;
    private final Map<Long, Group> groups = new HashMap<>();
    private List<Group> large = new ArrayList<>();
    private final Map<Long, Integer> votes = new HashMap<>();
    private final PriorityQueue<Candidate> queue = new PriorityQueue<>(
            Comparator.comparingLong(Candidate::score).reversed()
                    .thenComparingInt(Candidate::old).thenComparingInt(Candidate::next));

    /**
     * Creates a matcher.
     *
     * @param nextOf for each node of the old graph, the matching node or -1; completed here
     * @param oldOf  the same for the new graph
     */
    ApproximateMatcher(BlankGraph old, BlankGraph next, int[] nextOf, int[] oldOf) {
        this.old = new Side(old, nextOf, true);
        this.next = new Side(next, oldOf, false);
    }

    void match() {
        if (old.left.length == 0 || next.left.length == 0) {
            return;
        }
        for (int level = LEVELS - 1; level >= 0; level--) {
            matchSingles(level);
        }
        for (Side side : new Side[] {old, next}) {
            for (int node : side.left) {
                if (side.isFree(node)) {
                    addVotes(side, node);
                }
            }
        }
        spread();
        for (Side side : new Side[] {old, next}) {
            for (int node : side.left) {
                for (int i = side.graph.incidentStart(node); side.isFree(node) && i < side.graph.incidentEnd(node); i++) {
                    voteFor(side.keyOf(side.graph.statementOf(i), node, true), side, node, SAME_SHAPE);
                }
            }
        }
        spread();
    }

    // --- where all around is the same

    /** The number of nodes of a colour on each side, and the last of them. */
    private static final class Single {
        private int olds;
        private int nexts;
        private int old;
        private int next;
    }

    private void matchSingles(int level) {
        Map<Long, Single> byColour = new HashMap<>();
        for (int node : old.left) {
            if (old.isFree(node)) {
                Single single = byColour.computeIfAbsent(old.levels[level][node], colour -> new Single());
                single.olds++;
                single.old = node;
            }
        }
        for (int node : next.left) {
            Single single = next.isFree(node) ? byColour.get(next.levels[level][node]) : null;
            if (single != null) {
                single.nexts++;
                single.next = node;
            }
        }
        for (Single single : byColour.values()) {
            if (single.olds == 1 && single.nexts == 1) {
                pairNodes(single.old, single.next);
            }
        }
    }

    private void pairNodes(int ofOld, int ofNext) {
        old.partners[ofOld] = ofNext;
        next.partners[ofNext] = ofOld;
    }

    // --- what speaks for a pair

    /** Unmatched nodes at the same position of the same statement, for each side. */
    private static final class Group {
        private final long key;
        private final int weight;
        private final List<Integer> olds = new ArrayList<>();
        private final List<Integer> nexts = new ArrayList<>();
        private boolean isLarge;

        Group(long key, int weight) {
            this.key = key;
            this.weight = weight;
        }

        long pairs() {
            return (long) olds.size() * nexts.size();
        }
    }

    /** A pair of nodes that may match. */
    private record Candidate(long score, int old, int next) {
    }

    private void addVotes(Side side, int node) {
        for (int i = side.graph.incidentStart(node); i < side.graph.incidentEnd(node); i++) {
            int statement = side.graph.statementOf(i);
            if (side.onlyFree(statement) == node) {
                voteFor(side.keyOf(statement, node, false), side, node, SAME_STATEMENT);
            }
        }
    }

    private void voteFor(long key, Side side, int node, int weight) {
        Group group = groups.computeIfAbsent(key, k -> new Group(k, weight));
        (side.isOld ? group.olds : group.nexts).add(node);
        if (group.pairs() > MAX_PAIRS) {
            if (!group.isLarge) {
                group.isLarge = true;
                large.add(group);
            }
            return;
        }
        for (int other : side.isOld ? group.nexts : group.olds) {
            voteFor(side.isOld ? node : other, side.isOld ? other : node, weight);
        }
    }

    private void voteFor(int ofOld, int ofNext, int weight) {
        if (old.isFree(ofOld) && next.isFree(ofNext)) {
            int sum = votes.merge((long) ofOld << Integer.SIZE | ofNext, weight, Integer::sum);
            long score = (long) sum * 2 * (LEVELS + 1) + 2L * sameLevels(ofOld, ofNext) + (sameLabel(ofOld, ofNext) ? 1 : 0);
            queue.add(new Candidate(score, ofOld, ofNext));
        }
    }

    private int sameLevels(int ofOld, int ofNext) {
        int same = 0;
        while (same < LEVELS && old.levels[same][ofOld] == next.levels[same][ofNext]) {
            same++;
        }
        return same;
    }

    private boolean sameLabel(int ofOld, int ofNext) {
        return Arrays.equals(old.graph.labelOf(ofOld), next.graph.labelOf(ofNext));
    }

    // --- from pair to pair

    private void spread() {
        takeBest();
        while (!large.isEmpty()) {
            List<Group> waiting = large;
            large = new ArrayList<>();
            for (Group group : waiting) {
                narrowDown(group);
            }
            waiting.sort(Comparator.comparingLong(Group::pairs).thenComparingLong(group -> group.key));
            for (Group group : waiting) {
                decideMatch(group);
                takeBest();
            }
        }
    }

    private void takeBest() {
        for (Candidate best = queue.poll(); best != null; best = queue.poll()) {
            if (old.isFree(best.old) && next.isFree(best.next)) {
                takePair(best.old, best.next);
            }
        }
    }

    private void takePair(int ofOld, int ofNext) {
        pairNodes(ofOld, ofNext);
        voteForNeighbours(old, ofOld);
        voteForNeighbours(next, ofNext);
    }

    /** Adds the votes of statements with only one unmatched node left. */
    private void voteForNeighbours(Side side, int node) {
        for (int i = side.graph.incidentStart(node); i < side.graph.incidentEnd(node); i++) {
            int statement = side.graph.statementOf(i);
            int left = side.onlyFree(statement);
            if (left >= 0) {
                voteFor(side.keyOf(statement, left, false), side, left, SAME_STATEMENT);
            }
        }
    }

    private void narrowDown(Group group) {
        group.olds.removeIf(node -> !old.isFree(node));
        group.nexts.removeIf(node -> !next.isFree(node));
        group.isLarge = false;
    }

    /**
     * Votes for the pairs of a group that has become small. Matches the nodes of a larger group in the order of their
     * neighbourhoods.
     */
    private void decideMatch(Group group) {
        narrowDown(group);
        if (group.pairs() <= MAX_PAIRS) {
            for (int ofOld : group.olds) {
                group.nexts.forEach(ofNext -> voteFor(ofOld, ofNext, group.weight));
            }
            return;
        }
        for (int level = LEVELS - 1; level >= -1; level--) {
            Map<Long, Deque<Integer>> byColour = new HashMap<>();
            for (int node : group.nexts) {
                if (next.isFree(node)) {
                    byColour.computeIfAbsent(next.colourOf(node, level), colour -> new ArrayDeque<>()).add(node);
                }
            }
            for (int node : group.olds) {
                Deque<Integer> alike = old.isFree(node) ? byColour.get(old.colourOf(node, level)) : null;
                if (alike != null && !alike.isEmpty()) {
                    takePair(node, alike.remove());
                }
            }
        }
    }

    /** One of the two graphs, with its matches so far. */
    private static final class Side {
        private final BlankGraph graph;
        private final int[] partners;
        private final boolean isOld;
        /** The nodes that were unmatched at the start. */
        private final int[] left;
        private final long[][] levels = new long[LEVELS][];

        Side(BlankGraph graph, int[] partners, boolean isOld) {
            this.graph = graph;
            this.partners = partners;
            this.isOld = isOld;
            this.left = IntStream.range(0, graph.size()).filter(this::isFree).toArray();
            ColourRefinement colours = new ColourRefinement(graph, new WorkCounter());
            for (int level = 0; level < LEVELS; level++) {
                colours.refineStep(left);
                levels[level] = colours.all();
            }
        }

        boolean isFree(int node) {
            return partners[node] < 0;
        }

        /** Returns the colour of a node. At level -1, all nodes have the same. */
        long colourOf(int node, int level) {
            return level < 0 ? 0 : levels[level][node];
        }

        /** Returns the only unmatched node of a statement; -1 if there is none or more than one. */
        int onlyFree(int statement) {
            int free = -1;
            for (int i = graph.slotStart(statement); i < graph.slotEnd(statement); i++) {
                int node = graph.slotOf(i);
                if (isFree(node) && node != free) {
                    if (free >= 0) {
                        return -1;
                    }
                    free = node;
                }
            }
            return free;
        }

        /**
         * Computes the hash of a statement as seen from a node. It is the same on both sides if the other nodes are matched.
         */
        long keyOf(int statement, int seenFrom, boolean any) {
            long hash = Hashes.thenHash(graph.shapeOf(statement), any ? 1 : 0);
            for (int i = graph.slotStart(statement); i < graph.slotEnd(statement); i++) {
                int node = graph.slotOf(i);
                hash = Hashes.thenHash(hash, node == seenFrom ? SELF : isFree(node) ? ANY : isOld ? node : partners[node]);
            }
            return hash;
        }
    }
}
