package io.jellybridge.convert;

import java.util.Arrays;
import java.util.Locale;

/** The rule for identifying blank nodes of two snapshots. */
public enum BlankNodes {
    /** By label: for copies that keep their labels, such as replicas. */
    LABEL,
    /**
     * By structure: blank nodes with the same statements are the same, whatever their labels are. If statements changed, the
     * best match counts.
     */
    STRUCTURE,
    /** By structure, where the old snapshot has several copies: a new blank node gets a label that no other copy has. */
    COPY;

    /**
     * Returns the constant of that name, in lower case.
     *
     * @throws IllegalArgumentException there is none
     */
    public static BlankNodes byName(String name) {
        return Arrays.stream(values()).filter(one -> one.toString().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "blank nodes are compared by label or by structure, not by " + name));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
