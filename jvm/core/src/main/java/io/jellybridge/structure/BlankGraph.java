package io.jellybridge.structure;

import io.jellybridge.wire.Hashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The statements of a snapshot that have blank nodes, as a graph. Each statement has a shape, which is a hash of everything but
 * its blank nodes, and its nodes in order. In the end, the order in which statements were added makes no difference. Not
 * thread-safe.
 */
public final class BlankGraph {
    private static final byte[] PLACE = {'_', ':'};
    /** The memory of a node beside its label, in bytes: an object and its array slots. */
    private static final int NODE_BYTES = 136;
    private static final int STATEMENT_BYTES = 16;
    private static final int SLOT_BYTES = 16;
    /** The lower half of a number with the upper half of a hash. */
    private static final long NUMBER_MASK = (1L << Integer.SIZE) - 1;

    private final long maxBytes;
    private final Labels labels = new Labels();
    private final BlankTerms slotsOf = new BlankTerms(this::slotOf);
    private long bytes;

    private long[] shapes = new long[16];
    private int[] slotStarts = new int[17];
    private int[] slots = new int[32];
    private int statements;
    private int slotCount;

    private int[] incidentStarts;
    private int[] incident;

    /**
     * Creates an empty graph.
     *
     * @param maxBytes the approximate memory limit
     */
    public BlankGraph(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Adds a statement that has a blank node. Adding it again has no effect.
     *
     * @throws IllegalStateException the memory limit is exceeded
     */
    public void add(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        long shape = 0;
        for (byte[] term : new byte[][] {subject, predicate, object, graph}) {
            shape = term == null ? Hashes.thenHash(shape, 1) : Hashes.of(shape, slotsOf.renameLabel(term));
        }
        if (statements == shapes.length) {
            shapes = Arrays.copyOf(shapes, 2 * statements);
            slotStarts = Arrays.copyOf(slotStarts, 2 * statements + 1);
        }
        shapes[statements++] = shape;
        slotStarts[statements] = slotCount;
        bytes += STATEMENT_BYTES;
        if (bytes > maxBytes) {
            throw new IllegalStateException(statements + " statements with " + labels.size()
                    + " blank nodes are more than " + maxBytes
                    + " bytes of memory hold, in which blank nodes are compared by structure;"
                    + " give the JVM a larger heap (--heap), or compare them by label");
        }
    }

    private byte[] slotOf(byte[] label) {
        int known = labels.numberOf(label);
        if (known < 0) {
            known = labels.add(label);
            bytes += NODE_BYTES + label.length;
        }
        if (slotCount == slots.length) {
            slots = Arrays.copyOf(slots, 2 * slotCount);
        }
        slots[slotCount++] = known;
        bytes += SLOT_BYTES;
        return PLACE;
    }

    /** Returns the number of nodes. */
    public int size() {
        return labels.size();
    }

    /** Returns the name of a node, {@code _:label}. */
    public byte[] labelOf(int node) {
        return labels.get(node);
    }

    /** Returns the node with that label, or -1. */
    public int findNode(byte[] label) {
        return labels.numberOf(label);
    }

    int statements() {
        return statements;
    }

    long shapeOf(int statement) {
        return shapes[statement];
    }

    int slotStart(int statement) {
        return slotStarts[statement];
    }

    int slotEnd(int statement) {
        return slotStarts[statement + 1];
    }

    int slotOf(int index) {
        return slots[index];
    }

    int incidentStart(int node) {
        return incidentStarts[node];
    }

    int incidentEnd(int node) {
        return incidentStarts[node + 1];
    }

    /**
     * Returns the statement at an index between a node's {@link #incidentStart} and {@link #incidentEnd}. Each statement occurs
     * there once.
     */
    int statementOf(int index) {
        return incident[index];
    }

    /**
     * Puts nodes and statements in order, removes what was added again, and builds the index from nodes to statements. Nothing may be
     * added afterwards. A matching does this too; called before, it can be done for two graphs at the same time.
     */
    public void index() {
        if (incident == null) {
            sortNodes();
            sortStatements();
            indexStatements();
        }
    }

    /**
     * Numbers the nodes by their labels. Two documents of one program have their nodes in the same order more often than not, which
     * finds the mapping of a symmetric graph at once.
     */
    private void sortNodes() {
        int[] numbers = labels.sort();
        for (int i = 0; i < slotCount; i++) {
            slots[i] = numbers[slots[i]];
        }
    }

    /** Sorts the statements by a hash, and removes duplicates. */
    private void sortStatements() {
        long[] order = new long[statements];
        for (int s = 0; s < statements; s++) {
            order[s] = hashStatement(s) & ~NUMBER_MASK | s;
        }
        sort(order, this::compare);
        long[] sortedShapes = new long[statements];
        int[] sortedStarts = new int[statements + 1];
        int[] sortedSlots = new int[slotCount];
        int kept = 0;
        for (int i = 0; i < order.length; i++) {
            int statement = (int) order[i];
            if (i == 0 || compare((int) order[i - 1], statement) != 0) {
                int length = slotEnd(statement) - slotStart(statement);
                System.arraycopy(slots, slotStart(statement), sortedSlots, sortedStarts[kept], length);
                sortedShapes[kept] = shapes[statement];
                sortedStarts[kept + 1] = sortedStarts[kept] + length;
                kept++;
            }
        }
        shapes = sortedShapes;
        slotStarts = sortedStarts;
        slots = sortedSlots;
        statements = kept;
        slotCount = sortedStarts[kept];
    }

    private int compare(int a, int b) {
        int byShape = Long.compare(shapes[a], shapes[b]);
        return byShape != 0 ? byShape : Arrays.compare(slots, slotStart(a), slotEnd(a), slots, slotStart(b), slotEnd(b));
    }

    /**
     * Sorts numbers by their keys, and those of equal keys by a comparator.
     *
     * @param order numbers, each with a key in its upper half
     */
    private static void sort(long[] order, Comparator<Integer> comparator) {
        Arrays.sort(order);
        int start = 0;
        for (int i = 1; i <= order.length; i++) {
            if (i == order.length || (order[i] ^ order[start]) >>> Integer.SIZE != 0) {
                if (i - start > 1) {
                    long key = order[start] & ~NUMBER_MASK;
                    System.arraycopy(Arrays.stream(order, start, i).mapToObj(number -> (int) number).sorted(comparator)
                            .mapToLong(number -> key | number).toArray(), 0, order, start, i - start);
                }
                start = i;
            }
        }
    }

    private void indexStatements() {
        incidentStarts = new int[size() + 1];
        for (int s = 0; s < statements; s++) {
            for (int i = slotStart(s); i < slotEnd(s); i++) {
                incidentStarts[slots[i] + 1] += isFirst(s, i) ? 1 : 0;
            }
        }
        for (int n = 0; n < size(); n++) {
            incidentStarts[n + 1] += incidentStarts[n];
        }
        incident = new int[incidentStarts[size()]];
        int[] next = Arrays.copyOf(incidentStarts, size());
        for (int s = 0; s < statements; s++) {
            for (int i = slotStart(s); i < slotEnd(s); i++) {
                if (isFirst(s, i)) {
                    incident[next[slots[i]]++] = s;
                }
            }
        }
    }

    private long hashStatement(int statement) {
        long hash = shapes[statement];
        for (int i = slotStart(statement); i < slotEnd(statement); i++) {
            hash = Hashes.thenHash(hash, slots[i]);
        }
        return hash;
    }

    /** Checks whether a slot is the first with its node in the statement. */
    private boolean isFirst(int statement, int slot) {
        for (int i = slotStart(statement); i < slot; i++) {
            if (slots[i] == slots[slot]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the nodes of each connected component, in the order of their first nodes. Two nodes are connected if statements
     * join them, directly or not.
     */
    List<int[]> components() {
        int[] parents = new int[size()];
        Arrays.setAll(parents, node -> node);
        for (int s = 0; s < statements; s++) {
            for (int i = slotStart(s) + 1; i < slotEnd(s); i++) {
                int a = rootOf(parents, slots[i - 1]);
                int b = rootOf(parents, slots[i]);
                parents[Math.max(a, b)] = Math.min(a, b);
            }
        }
        int[] sizes = new int[size()];
        for (int node = 0; node < size(); node++) {
            sizes[rootOf(parents, node)]++;
        }
        int[][] members = new int[size()][];
        List<int[]> components = new ArrayList<>();
        for (int node = 0; node < size(); node++) {
            int root = rootOf(parents, node);
            if (root == node) {
                members[node] = new int[sizes[node]];
                components.add(members[node]);
                sizes[node] = 0;
            }
            members[root][sizes[root]++] = node;
        }
        return components;
    }

    private static int rootOf(int[] parents, int node) {
        int at = node;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    /** The labels of nodes, numbered in the order in which they are added. Not thread-safe. */
    static final class Labels {
        private byte[][] labels = new byte[16][];
        private int size;
        /**
         * The hash table. A slot holds a number plus one, and the upper half of the label's hash; or 0 if it is empty. At least half of
         * the slots are empty.
         */
        private long[] slots = new long[2 * labels.length];
        /** The last number that was found. Statements of one node often follow each other. */
        private int last;

        int size() {
            return size;
        }

        byte[] get(int number) {
            return labels[number];
        }

        /** Returns the number of a label, or -1 if it was not added. */
        int numberOf(byte[] label) {
            if (size > 0 && Arrays.equals(labels[last], label)) {
                return last;
            }
            int number = (int) slots[slotOf(label, Hashes.of(0, label))] - 1;
            last = number < 0 ? last : number;
            return number;
        }

        /** Adds a new label and returns its number. */
        int add(byte[] label) {
            if (size == labels.length) {
                grow();
            }
            labels[size] = label;
            putNumber(size);
            last = size;
            return size++;
        }

        /** Numbers the labels in their order. Returns their new numbers. */
        int[] sort() {
            int common = commonLength();
            long[] order = new long[size];
            Arrays.setAll(order, number -> keyOf(labels[number], common) | number);
            BlankGraph.sort(order, (a, b) -> Arrays.compareUnsigned(labels[a], labels[b]));
            int[] numbers = new int[size];
            byte[][] sorted = new byte[size][];
            for (int i = 0; i < size; i++) {
                numbers[(int) order[i]] = i;
                sorted[i] = labels[(int) order[i]];
            }
            labels = sorted;
            for (int i = 0; i < slots.length; i++) {
                slots[i] = slots[i] == 0 ? 0 : slots[i] & ~NUMBER_MASK | numbers[(int) slots[i] - 1] + 1;
            }
            return numbers;
        }

        /** Returns the number of bytes with which all labels begin. */
        private int commonLength() {
            int common = size == 0 ? 0 : labels[0].length;
            for (int number = 1; number < size; number++) {
                int differs = Arrays.mismatch(labels[0], 0, common, labels[number], 0, Math.min(common, labels[number].length));
                common = differs < 0 ? common : differs;
            }
            return common;
        }

        /** Returns the four bytes of a label from an offset on, as an upper half that is in order. */
        private static long keyOf(byte[] label, int offset) {
            int key = 0;
            for (int i = offset; i < offset + Integer.BYTES; i++) {
                key = key << Byte.SIZE | (i < label.length ? label[i] & 0xFF : 0);
            }
            return (long) (key ^ Integer.MIN_VALUE) << Integer.SIZE;
        }

        private void grow() {
            labels = Arrays.copyOf(labels, 2 * size);
            makeSlots();
        }

        private void makeSlots() {
            slots = new long[Math.max(2, 2 * Integer.highestOneBit(2 * labels.length - 1))];
            for (int number = 0; number < size; number++) {
                putNumber(number);
            }
        }

        private void putNumber(int number) {
            long hash = Hashes.of(0, labels[number]);
            slots[slotOf(labels[number], hash)] = hash & ~NUMBER_MASK | number + 1;
        }

        /** Returns the slot of a label, or the slot where it would be added. */
        private int slotOf(byte[] label, long hash) {
            int slot = (int) hash & slots.length - 1;
            while (slots[slot] != 0 && !isAt(slots[slot], label, hash)) {
                slot = slot + 1 & slots.length - 1;
            }
            return slot;
        }

        private boolean isAt(long slot, byte[] label, long hash) {
            return ((slot ^ hash) & ~NUMBER_MASK) == 0 && Arrays.equals(labels[(int) slot - 1], label);
        }
    }
}
