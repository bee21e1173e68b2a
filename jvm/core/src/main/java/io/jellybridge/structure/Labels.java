package io.jellybridge.structure;

import io.jellybridge.wire.Hashes;
import java.util.Arrays;

/** The labels of nodes, numbered in the order in which they are added. Not thread-safe. */
final class Labels {
    private byte[][] labels = new byte[16][];
    private int size;
    /** The hash table. A slot holds a number plus one, or 0 if it is empty. At least half of the slots are empty. */
    private int[] slots = new int[2 * labels.length];

    int size() {
        return size;
    }

    byte[] get(int number) {
        return labels[number];
    }

    /** Returns the number of a label, or -1 if it was not added. */
    int number(byte[] label) {
        return slots[slot(label)] - 1;
    }

    /** Adds a new label and returns its number. */
    int add(byte[] label) {
        if (size == labels.length) {
            labels = Arrays.copyOf(labels, 2 * size);
            slots = new int[2 * labels.length];
            for (int number = 0; number < size; number++) {
                slots[slot(labels[number])] = number + 1;
            }
        }
        slots[slot(label)] = size + 1;
        labels[size] = label;
        return size++;
    }

    /** Returns the slot of a label, or the slot where it would be added. */
    private int slot(byte[] label) {
        int slot = (int) Hashes.of(0, label) & slots.length - 1;
        while (slots[slot] != 0 && !Arrays.equals(labels[slots[slot] - 1], label)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }
}
