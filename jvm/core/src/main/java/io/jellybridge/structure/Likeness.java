package io.jellybridge.structure;

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
 * Matches the nodes of graphs that are not the same, so that one change stays one change. First those around which all is
 * the same as far as it is looked, farthest first, where there is one such on each side. From there on it spreads: a
 * statement of which all nodes but one are matched speaks for that one to be the node of the other side in the same
 * statement. The pair for which the most statements speak goes first; then what only a part of a statement speaks for.
 */
final class Likeness {
    private static final int LEVELS = 4;
    /** So many pairs may one statement speak for, one by one; where it is more, they wait until others have decided. */
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
     * @param nextOf of each node of the old graph, the node that it is matched with, or -1; is filled
     * @param oldOf  the same for the other
     */
    Likeness(BlankGraph old, BlankGraph next, int[] nextOf, int[] oldOf) {
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
                    speakFor(side, node);
                }
            }
        }
        spread();
        for (Side side : new Side[] {old, next}) {
            for (int node : side.left) {
                for (int i = side.graph.incidentStart(node); side.isFree(node) && i < side.graph.incidentEnd(node); i++) {
                    vote(side.key(side.graph.incident(i), node, true), side, node, SAME_SHAPE);
                }
            }
        }
        spread();
    }

    // --- where all around is the same

    /** Of a colour, how many nodes have it on each side, and the last of them. */
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
                pair(single.old, single.next);
            }
        }
    }

    private void pair(int ofOld, int ofNext) {
        old.partners[ofOld] = ofNext;
        next.partners[ofNext] = ofOld;
    }

    // --- what speaks for a pair

    /** Nodes that stand at the same place of the same statement, but that each side has its own. */
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

    /** Two nodes that may be one. */
    private record Candidate(long score, int old, int next) {
    }

    private void speakFor(Side side, int node) {
        for (int i = side.graph.incidentStart(node); i < side.graph.incidentEnd(node); i++) {
            int statement = side.graph.incident(i);
            if (side.onlyFree(statement) == node) {
                vote(side.key(statement, node, false), side, node, SAME_STATEMENT);
            }
        }
    }

    private void vote(long key, Side side, int node, int weight) {
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
            vote(side.isOld ? node : other, side.isOld ? other : node, weight);
        }
    }

    private void vote(int ofOld, int ofNext, int weight) {
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
        return Arrays.equals(old.graph.label(ofOld), next.graph.label(ofNext));
    }

    // --- from pair to pair

    private void spread() {
        takeBest();
        while (!large.isEmpty()) {
            List<Group> waiting = large;
            large = new ArrayList<>();
            for (Group group : waiting) {
                narrow(group);
            }
            waiting.sort(Comparator.comparingLong(Group::pairs).thenComparingLong(group -> group.key));
            for (Group group : waiting) {
                decide(group);
                takeBest();
            }
        }
    }

    private void takeBest() {
        for (Candidate best = queue.poll(); best != null; best = queue.poll()) {
            if (old.isFree(best.old) && next.isFree(best.next)) {
                take(best.old, best.next);
            }
        }
    }

    private void take(int ofOld, int ofNext) {
        pair(ofOld, ofNext);
        tellNeighbours(old, ofOld);
        tellNeighbours(next, ofNext);
    }

    /** What is said by the statements of which only one node is left. */
    private void tellNeighbours(Side side, int node) {
        for (int i = side.graph.incidentStart(node); i < side.graph.incidentEnd(node); i++) {
            int statement = side.graph.incident(i);
            int left = side.onlyFree(statement);
            if (left >= 0) {
                vote(side.key(statement, left, false), side, left, SAME_STATEMENT);
            }
        }
    }

    private void narrow(Group group) {
        group.olds.removeIf(node -> !old.isFree(node));
        group.nexts.removeIf(node -> !next.isFree(node));
        group.isLarge = false;
    }

    /** Votes for the pairs of a group that has become small; else matches its nodes in the order of what is around them. */
    private void decide(Group group) {
        narrow(group);
        if (group.pairs() <= MAX_PAIRS) {
            for (int ofOld : group.olds) {
                group.nexts.forEach(ofNext -> vote(ofOld, ofNext, group.weight));
            }
            return;
        }
        for (int level = LEVELS - 1; level >= -1; level--) {
            Map<Long, Deque<Integer>> byColour = new HashMap<>();
            for (int node : group.nexts) {
                if (next.isFree(node)) {
                    byColour.computeIfAbsent(next.colour(node, level), colour -> new ArrayDeque<>()).add(node);
                }
            }
            for (int node : group.olds) {
                Deque<Integer> alike = old.isFree(node) ? byColour.get(old.colour(node, level)) : null;
                if (alike != null && !alike.isEmpty()) {
                    take(node, alike.remove());
                }
            }
        }
    }

    /** One of the two graphs, and how far it is matched. */
    private static final class Side {
        private final BlankGraph graph;
        private final int[] partners;
        private final boolean isOld;
        /** What was not matched at the start. */
        private final int[] left;
        private final long[][] levels = new long[LEVELS][];

        Side(BlankGraph graph, int[] partners, boolean isOld) {
            this.graph = graph;
            this.partners = partners;
            this.isOld = isOld;
            this.left = IntStream.range(0, graph.size()).filter(this::isFree).toArray();
            Colours colours = new Colours(graph, new Work());
            for (int level = 0; level < LEVELS; level++) {
                colours.step(left);
                levels[level] = colours.all();
            }
        }

        boolean isFree(int node) {
            return partners[node] < 0;
        }

        /** Of level -1 all have the same. */
        long colour(int node, int level) {
            return level < 0 ? 0 : levels[level][node];
        }

        /** The node of a statement that is not matched; -1 where there is none, or more than one. */
        int onlyFree(int statement) {
            int free = -1;
            for (int i = graph.slotStart(statement); i < graph.slotEnd(statement); i++) {
                int node = graph.slot(i);
                if (isFree(node) && node != free) {
                    if (free >= 0) {
                        return -1;
                    }
                    free = node;
                }
            }
            return free;
        }

        /** A hash of a statement as seen from a node, the same on both sides where the nodes beside it are matched. */
        long key(int statement, int seenFrom, boolean any) {
            long hash = Hashes.then(graph.shape(statement), any ? 1 : 0);
            for (int i = graph.slotStart(statement); i < graph.slotEnd(statement); i++) {
                int node = graph.slot(i);
                hash = Hashes.then(hash, node == seenFrom ? SELF : isFree(node) ? ANY : isOld ? node : partners[node]);
            }
            return hash;
        }
    }
}
