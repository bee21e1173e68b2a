package io.jellybridge.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * All options of one thing, such as a file format. What reads and writes takes the options of both alike: those of a table
 * of SQL serve its reads and its writes.
 *
 * @param of          what has them, for messages
 * @param reading     those that count where it is read
 * @param writing     those that count where it is written; one that counts in both is in both
 * @param othersTaken which names are somebody else's, and let through
 * @param others      who that is, for messages; empty: nobody
 */
public record OptionTable(String of, List<Option<?>> reading, List<Option<?>> writing, Predicate<String> othersTaken,
        String others) {

    /** A table of options of which all that are given must be its own. */
    public OptionTable(String of, List<Option<?>> reading, List<Option<?>> writing) {
        this(of, reading, writing, name -> false, "");
    }

    /** The lists together, in their order. */
    @SafeVarargs
    public static List<Option<?>> join(List<Option<?>>... lists) {
        List<Option<?>> joined = new ArrayList<>();
        for (List<Option<?>> list : lists) {
            joined.addAll(list);
        }
        return joined;
    }

    /** The names of options, each once, in the order of the alphabet. */
    public static Set<String> names(Collection<Option<?>> options) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        options.forEach(option -> names.add(option.name()));
        return names;
    }

    /**
     * What a user gave. A name that is not known is refused: one that is misspelt would change nothing, unnoticed. So is a
     * value that the option can't have where it counts.
     *
     * @throws IllegalArgumentException a name is not known; the message says which, and what was meant where that is near;
     *                                  or an option can't have its value; the message names both
     */
    public OptionValues values(Map<String, String> given) {
        List<Option<?>> own = join(reading, writing);
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.forEach((name, value) -> {
            List<Option<?>> named = own.stream().filter(option -> option.name().equalsIgnoreCase(name)).toList();
            if (named.isEmpty() && !othersTaken.test(name)) {
                throw new IllegalArgumentException("unknown option '" + name + "' of " + of + "; it has "
                        + String.join(", ", names(own)) + others + meant(name, names(own)));
            }
            // One name may have other values where it is read than where it is written: get looks at the one that counts.
            if (!named.isEmpty() && named.stream().noneMatch(option -> option.valueOf(value) != null)) {
                throw named.get(0).refused(value, of);
            }
            values.put(name, value);
        });
        return new OptionValues(of, values);
    }

    private static String meant(String name, Collection<String> names) {
        List<String> near = new ArrayList<>(names);
        near.removeIf(known -> distance(name, known) > Math.max(1, known.length() / 3));
        near.sort((one, other) -> Integer.compare(distance(name, one), distance(name, other)));
        return near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?";
    }

    /** How many letters are to be put in, left out or changed to make one word of another, in any case. */
    private static int distance(String one, String other) {
        String from = one.toLowerCase(Locale.ROOT);
        String to = other.toLowerCase(Locale.ROOT);
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
