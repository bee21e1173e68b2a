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
 * A table with all options of one thing, such as a file format. A SQL table is both read and written, so its reads accept the
 * options of its writes, and the other way round.
 *
 * @param of          the owner of the options, for messages
 * @param reading     the options that count when it is read
 * @param writing     the options that count when it is written; an option may be in both lists
 * @param othersTaken accepts the names of foreign options, which are ignored
 * @param others      the owner of the foreign options, for messages; empty if there is none
 */
public record OptionTable(String of, List<Option<?>> reading, List<Option<?>> writing, Predicate<String> othersTaken,
        String others) {

    /** Creates a table that accepts no foreign options. */
    public OptionTable(String of, List<Option<?>> reading, List<Option<?>> writing) {
        this(of, reading, writing, name -> false, "");
    }

    /** Joins lists, in their order. */
    @SafeVarargs
    public static List<Option<?>> join(List<Option<?>>... lists) {
        List<Option<?>> joined = new ArrayList<>();
        for (List<Option<?>> list : lists) {
            joined.addAll(list);
        }
        return joined;
    }

    /** Returns the names of options, each once, in alphabetical order. */
    public static Set<String> names(Collection<Option<?>> options) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        options.forEach(option -> names.add(option.name()));
        return names;
    }

    /**
     * Checks the options that a user gave. An unknown name is an error, since a misspelt option would have no effect. So is an
     * invalid value of an option that counts.
     *
     * @throws IllegalArgumentException a name is unknown, and the message suggests a similar one; or a value is invalid, and
     *                                  the message names option and value
     */
    public OptionValues parseValues(Map<String, String> given) {
        List<Option<?>> own = join(reading, writing);
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.forEach((name, value) -> {
            List<Option<?>> named = own.stream().filter(option -> option.name().equalsIgnoreCase(name)).toList();
            if (named.isEmpty() && !othersTaken.test(name)) {
                throw new IllegalArgumentException("unknown option '" + name + "' of " + of + "; it has "
                        + String.join(", ", names(own)) + others + suggestFor(name, names(own)));
            }
            // One name may accept other values for reads than for writes. get() checks the value against the option that
            // counts.
            if (!named.isEmpty() && named.stream().noneMatch(option -> option.valueOf(value) != null)) {
                throw named.get(0).refusalError(value, of);
            }
            values.put(name, value);
        });
        return new OptionValues(of, values);
    }

    private static String suggestFor(String name, Collection<String> names) {
        List<String> near = new ArrayList<>(names);
        near.removeIf(known -> editDistance(name, known) > Math.max(1, known.length() / 3));
        near.sort((one, other) -> Integer.compare(editDistance(name, one), editDistance(name, other)));
        return near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?";
    }

    /** Returns the edit distance of two words, ignoring case. */
    private static int editDistance(String one, String other) {
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
