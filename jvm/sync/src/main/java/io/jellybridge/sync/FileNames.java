package io.jellybridge.sync;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of files by their names: the natural order, in which {@code log2} comes before {@code log10}. */
public final class FileNames {
    /** A log file of Jena: its name, then a number, a date or a time, then the suffix of the compression. */
    private static final Pattern ROLLED = Pattern.compile("(.*?)(?:\\.([0-9]+)"
            + "|-[0-9]{4}-[0-9]{2}-[0-9]{2}(?:_[0-9]{2}-[0-9]{2}-[0-9]{2}(?:\\.[0-9]+)?)?)?((?:\\.(?:gz|zst|bz2))?)", Pattern.DOTALL);
    /** A step in a sequence of names: a number, perhaps followed by a letter, or a single letter. */
    private static final Pattern STEP = Pattern.compile("((?:[A-Za-z]+(?=[0-9]))?)([0-9]*)([a-z]?)");
    private static final Pattern WORD = Pattern.compile("[0-9A-Za-z]+|.", Pattern.DOTALL);
    private static final int MAX_DIGITS = 18;

    private FileNames() {
    }

    /**
     * The place of a file in a log that is rotated.
     *
     * @param number 0 for the newest file
     */
    record Rotated(String log, long number) {
    }

    /** Sorts paths in natural order, folder by folder. The oldest file of a rotated log comes first. */
    public static List<String> sortAll(Collection<String> names) {
        Map<String, Rotated> places = findRotated(names);
        Comparator<String> order = (name, other) -> {
            Rotated place = places.getOrDefault(name, new Rotated(name, 0));
            Rotated otherPlace = places.getOrDefault(other, new Rotated(other, 0));
            int byName = comparePaths(place.log, otherPlace.log);
            return byName != 0 ? byName : Long.compare(otherPlace.number, place.number);
        };
        return names.stream().sorted(order).toList();
    }

    private static int comparePaths(String path, String other) {
        String[] parts = path.split("/", -1);
        String[] others = other.split("/", -1);
        for (int i = 0; i < Math.min(parts.length, others.length); i++) {
            int compared = compare(parts[i], others[i]);
            if (compared != 0) {
                return compared;
            }
        }
        return parts.length - others.length;
    }

    /** Compares names in natural order: numbers by value, other characters by UTF-16. */
    static int compare(String name, String other) {
        int i = 0;
        int j = 0;
        while (i < name.length() && j < other.length()) {
            boolean isNumber = isDigit(name.charAt(i));
            int compared = Character.compare(isNumber ? '0' : name.charAt(i), isDigit(other.charAt(j)) ? '0' : other.charAt(j));
            if (compared != 0) {
                return compared;
            }
            int end = isNumber ? endOfNumber(name, i) : i + 1;
            int otherEnd = isNumber ? endOfNumber(other, j) : j + 1;
            if (isNumber) {
                String number = withoutZeros(name.substring(i, end));
                String otherNumber = withoutZeros(other.substring(j, otherEnd));
                compared = number.length() != otherNumber.length() ? number.length() - otherNumber.length()
                        : number.compareTo(otherNumber);
                if (compared != 0) {
                    return compared;
                }
            }
            i = end;
            j = otherEnd;
        }
        int left = Boolean.compare(i < name.length(), j < other.length());
        return left != 0 ? left : name.compareTo(other);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int endOfNumber(String name, int start) {
        int end = start;
        while (end < name.length() && isDigit(name.charAt(end))) {
            end++;
        }
        return end;
    }

    private static String withoutZeros(String number) {
        return number.replaceFirst("^0+(?=.)", "");
    }

    /**
     * Returns the files of rotated logs.
     *
     * <p>Jena's policy {@code rotate} renames {@code log} to {@code log.001} when it starts another file, and {@code log.001} to
     * {@code log.002}. Its policy {@code index} writes {@code log.0001}, then {@code log.0002}, and has no file {@code log}. Such
     * files are not rotated.
     */
    static Map<String, Rotated> findRotated(Collection<String> names) {
        Map<String, Rotated> found = new HashMap<>();
        Set<String> newest = new HashSet<>();
        Set<String> several = new HashSet<>();
        for (String name : names) {
            Matcher match = matchRolled(name);
            String number = match.group(2);
            if (number == null && name.equals(match.group(1) + match.group(3))) {
                newest.add(match.group(1));
            }
            if (number == null || number.length() <= MAX_DIGITS && isNumbered(number)) {
                found.put(name, new Rotated(match.group(1), number == null ? 0 : Long.parseLong(number)));
            }
        }
        found.values().stream().filter(place -> place.number > 0 && newest.contains(place.log)).forEach(place -> several.add(place.log));
        found.values().removeIf(place -> !several.contains(place.log));
        return found;
    }

    private static boolean isNumbered(String number) {
        long value = Long.parseLong(number);
        return number.equals(String.format(Locale.ROOT, "%03d", value)) || number.equals(Long.toString(value));
    }

    private static Matcher matchRolled(String name) {
        Matcher match = ROLLED.matcher(name);
        match.matches(); // any name does
        return match;
    }

    /** Returns the name of the log that a file of Jena's belongs to, without a number or a time. */
    static String log(String file) {
        return matchRolled(file).group(1);
    }

    /** Returns true if the first difference of two names says which file comes first. */
    static boolean tellOrder(String file, String other) {
        List<String> words = splitWords(file);
        List<String> others = splitWords(other);
        int i = 0;
        while (i < Math.min(words.size(), others.size()) && words.get(i).equals(others.get(i))) {
            i++;
        }
        if (i == Math.min(words.size(), others.size())) {
            return false;
        }
        String shape = words.get(i).replaceAll("[0-9]+", "#");
        if (shape.contains("#") && shape.equals(others.get(i).replaceAll("[0-9]+", "#"))) {
            return true;
        }
        Matcher step = STEP.matcher(words.get(i));
        Matcher next = STEP.matcher(others.get(i));
        return step.matches() && next.matches() && step.group(1).equals(next.group(1))
                && step.group(2).isEmpty() == next.group(2).isEmpty();
    }

    private static List<String> splitWords(String name) {
        return WORD.matcher(name.replaceAll("0+(?=[0-9])", "")).results().map(MatchResult::group).toList();
    }
}
