package io.jellybridge.structure;

import io.jellybridge.wire.Hashes;
import java.util.Arrays;

/** Labels of nodes, numbered as they come. For one thread. */
final class Labels {
    private byte[][] labels = new byte[16][];
    private int size;
    /** By hash: a number plus one; 0 where there is none. At least half of it is free. */
    private int[] slots = new int[2 * labels.length];

    int size() {
        return size;
    }

    byte[] get(int number) {
        return labels[number];
    }

    /** The number of a label; -1 where it was not added. */
    int number(byte[] label) {
        return slots[slot(label)] - 1;
    }

    /** Adds a label that is not there; its number. */
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

    /** Where a label is, or where it would be. */
    private int slot(byte[] label) {
        int slot = (int) Hashes.of(0, label) & slots.length - 1;
        while (slots[slot] != 0 && !Arrays.equals(labels[slots[slot] - 1], label)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }
}
