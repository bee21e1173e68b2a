package io.jellybridge.convert;

import java.util.Arrays;
import java.util.Locale;

/** When blank nodes of two snapshots are the same. */
public enum BlankNodes {
    /** When their labels are: for copies whose labels are kept, such as replicas. */
    LABEL,
    /** When what is said of them is, whatever their labels; of what changed, as much as goes together. */
    STRUCTURE;

    /**
     * The one of that name, in lower case.
     *
     * @throws IllegalArgumentException there is none
     */
    public static BlankNodes named(String name) {
        return Arrays.stream(values()).filter(one -> one.toString().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "blank nodes are compared by label or by structure, not by " + name));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
