package io.jellybridge.structure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.wire.Hashes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A one-to-one matching of the blank nodes of a snapshot with those of an older snapshot. Isomorphic components are matched
 * whole. The remaining nodes are matched by the statements that they share, see {@link ApproximateMatcher}.
 *
 * <p>Isomorphic components are found by colours, and by search if colours do not separate all nodes. The search is limited to
 * some seconds. Beyond that, the component is treated as changed, and {@link #unsettled} counts its nodes. The same two graphs
 * always get the same matching.
 */
public final class BlankNodeMatching {
    /** The number of refinement steps for a component. Longer chains of similar nodes are left to the search. */
    private static final int MAX_STEPS = 64;
    private static final int MAX_TRIES = 4;
    private static final long MAX_WORK_OF_PAIR = 60_000_000;
    private static final long MAX_WORK = 400_000_000;
    private static final int MAX_DEPTH = 1000;
    /** The number of colours that a search may keep for backtracking. */
    private static final int MAX_KEPT_COLOURS = 10_000_000;

    private final BlankGraph old;
    private final BlankGraph next;
    private final int[] nextOf;
    private final int[] oldOf;
    private final WorkCounter work = new WorkCounter();
    private final List<int[]> givenUp = new ArrayList<>();
    private long searched;
    private int unsettled;

    private BlankNodeMatching(BlankGraph old, BlankGraph next) {
        this.old = old;
        this.next = next;
        this.nextOf = new int[old.size()];
        this.oldOf = new int[next.size()];
        Arrays.fill(nextOf, -1);
        Arrays.fill(oldOf, -1);
    }

    /** Matches two graphs. Nothing may be added to them afterwards. */
    public static BlankNodeMatching of(BlankGraph old, BlankGraph next) {
        old.index();
        next.index();
        BlankNodeMatching matching = new BlankNodeMatching(old, next);
        matching.matchWhole();
        new ApproximateMatcher(old, next, matching.nextOf, matching.oldOf).match();
        matching.countUnsettled();
        return matching;
    }

    /**
     * Returns the renaming of the new graph's nodes. A matched node gets its old name. Any other node keeps its label, unless
     * the old graph uses it too.
     */
    public BlankTerms names() {
        return namesWith(this::findUnused);
    }

    /** Returns the renaming, as {@link #names()} does, with {@code ofNew} for the names of unmatched nodes. */
    public BlankTerms namesWith(UnaryOperator<byte[]> ofNew) {
        byte[][] names = new byte[next.size()][];
        for (int node = 0; node < names.length; node++) {
            names[node] = oldOf[node] >= 0 ? old.labelOf(oldOf[node]) : ofNew.apply(next.labelOf(node));
        }
        return new BlankTerms(label -> names[next.findNode(label)]);
    }

    /**
     * Returns the renaming, as {@link #names()} does. The names of unmatched nodes end with a hash of the new graph, so that no other graph
     * has them.
     */
    public BlankTerms distinctNames() {
        long hash = 0;
        for (int statement = 0; statement < next.statements(); statement++) {
            long labelled = next.shapeOf(statement);
            for (int slot = next.slotStart(statement); slot < next.slotEnd(statement); slot++) {
                labelled = Hashes.of(labelled, next.labelOf(next.slotOf(slot)));
            }
            hash += labelled;
        }
        byte[] suffix = ("n" + Long.toHexString(hash)).getBytes(US_ASCII);
        return namesWith(label -> findUnused(joinBytes(label, suffix)));
    }

    private byte[] findUnused(byte[] label) {
        byte[] name = label;
        for (int i = 1; old.findNode(name) >= 0 || i > 1 && next.findNode(name) >= 0; i++) {
            name = joinBytes(label, ("n" + i).getBytes(US_ASCII));
        }
        return name;
    }

    /** Appends a suffix to a label. */
    public static byte[] joinBytes(byte[] label, byte[] suffix) {
        byte[] name = Arrays.copyOf(label, label.length + suffix.length);
        System.arraycopy(suffix, 0, name, label.length, suffix.length);
        return name;
    }

    /** Computes a hash of the graph without its labels. Isomorphic graphs have the same hash, and other graphs rarely do. */
    public static long hashStructure(BlankGraph graph) {
        graph.index();
        ColourRefinement colours = new ColourRefinement(graph, new WorkCounter());
        long sum = 0;
        for (int[] component : graph.components()) {
            sum += Hashes.mixBits(hashComponent(colours, component));
        }
        return sum;
    }

    /** Returns the number of new nodes in components that may be unchanged, but are too symmetric to search. */
    public int unsettled() {
        return unsettled;
    }

    private void matchWhole() {
        ColourRefinement oldColours = new ColourRefinement(old, work);
        ColourRefinement nextColours = new ColourRefinement(next, work);
        Map<Long, Deque<int[]>> waiting = new HashMap<>();
        for (int[] component : old.components()) {
            waiting.computeIfAbsent(hashComponent(oldColours, component), key -> new ArrayDeque<>()).add(component);
        }
        for (int[] component : next.components()) {
            Deque<int[]> alike = waiting.get(hashComponent(nextColours, component));
            if (alike != null) {
                matchWithOne(alike, oldColours, component, nextColours);
            }
        }
    }

    /** Refines the colours of a component and returns a hash of them. Isomorphic components have the same hash. */
    private static long hashComponent(ColourRefinement colours, int[] component) {
        long[] sorted = {};
        int classes = 0;
        int finer = component.length == 1 ? 0 : 1;
        int steps = 0;
        do {
            classes = finer;
            colours.refineStep(component);
            sorted = colours.sortedColours(component);
            finer = ColourRefinement.countClasses(sorted);
            steps++;
        } while (finer > classes && finer < component.length && steps < MAX_STEPS);
        long hash = steps;
        for (long colour : sorted) {
            hash = Hashes.thenHash(hash, colour);
        }
        return hash;
    }

    private void matchWithOne(Deque<int[]> alike, ColourRefinement oldColours, int[] component, ColourRefinement nextColours) {
        int tries = 0;
        boolean gaveUp = false;
        for (Iterator<int[]> left = alike.iterator(); left.hasNext() && tries < MAX_TRIES; tries++) {
            int[] candidate = left.next();
            if (isDiscrete(nextColours, component)) {
                left.remove();
                pairNodes(candidate, oldColours, component, nextColours);
                return;
            }
            long before = work.done();
            long most = before + Math.min(MAX_WORK_OF_PAIR, Math.max(0, MAX_WORK - searched));
            Isomorphism search = new Isomorphism(oldColours, nextColours, work, most,
                    Math.min(MAX_DEPTH, MAX_KEPT_COLOURS / component.length));
            boolean found = search.findMapping(candidate, component);
            searched += work.done() - before;
            if (found) {
                left.remove();
                pairNodes(candidate, oldColours, component, nextColours);
                return;
            }
            gaveUp |= search.gaveUp();
        }
        if (gaveUp) {
            givenUp.add(component);
        }
    }

    private void countUnsettled() {
        for (int[] component : givenUp) {
            unsettled += isWhole(component) ? 0 : component.length;
        }
    }

    /** Checks whether a component is matched so that it has exactly the statements of the old nodes. */
    private boolean isWhole(int[] component) {
        long sum = 0;
        for (int node : component) {
            if (oldOf[node] < 0) {
                return false;
            }
            sum += hashStatements(next, node, oldOf) - hashStatements(old, oldOf[node], null);
        }
        return sum == 0;
    }

    /**
     * Computes a hash of a node's statements.
     *
     * @param names maps nodes to numbers; null to use the nodes' own numbers
     */
    private static long hashStatements(BlankGraph graph, int node, int[] names) {
        long sum = 0;
        for (int i = graph.incidentStart(node); i < graph.incidentEnd(node); i++) {
            int statement = graph.statementOf(i);
            long hash = graph.shapeOf(statement);
            for (int slot = graph.slotStart(statement); slot < graph.slotEnd(statement); slot++) {
                hash = Hashes.thenHash(hash, names == null ? graph.slotOf(slot) : names[graph.slotOf(slot)]);
            }
            sum += hash;
        }
        return sum;
    }

    private static boolean isDiscrete(ColourRefinement colours, int[] component) {
        return ColourRefinement.countClasses(colours.sortedColours(component)) == component.length;
    }

    /** Matches nodes of the same colour. Each colour occurs once on each side. */
    private void pairNodes(int[] ofOld, ColourRefinement oldColours, int[] ofNext, ColourRefinement nextColours) {
        int[] olds = byColour(ofOld, oldColours);
        int[] nexts = byColour(ofNext, nextColours);
        for (int i = 0; i < olds.length; i++) {
            nextOf[olds[i]] = nexts[i];
            oldOf[nexts[i]] = olds[i];
        }
    }

    private static int[] byColour(int[] nodes, ColourRefinement colours) {
        if (nodes.length == 1) {
            return nodes;
        }
        List<Integer> sorted = new ArrayList<>(nodes.length);
        for (int node : nodes) {
            sorted.add(node);
        }
        sorted.sort((a, b) -> Long.compare(colours.get(a), colours.get(b)));
        return sorted.stream().mapToInt(Integer::intValue).toArray();
    }

    /** A counter of work, for limits that are the same on every machine. It counts the visited slots of statements. */
    static final class WorkCounter {
        private long done;

        void add(long count) {
            done += count;
        }

        long done() {
            return done;
        }
    }
}
