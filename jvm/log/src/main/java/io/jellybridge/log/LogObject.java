package io.jellybridge.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An object of a log with consecutive patches, each a stream of its own. {@code 00000000000000000017.jellyp} begins with version
 * 17. Its first frame says how many patches it has, which is one unless they were appended in one call. So the name of the next
 * version is there once, whatever is appended. {@code 00000000000000000017-00000000000000000040.jellyp} is a joined object.
 *
 * @param first its first version
 * @param last  its last version
 * @param name  its name
 */
record LogObject(long first, long last, String name) {
    /** The number of digits, so that names sort like their versions. */
    private static final int DIGITS = 20;
    private static final String VERSION = "([0-9]{" + DIGITS + "})";
    private static final Pattern NAME = Pattern.compile(VERSION + "(?:-" + VERSION + ")?\\.jellyp");

    /** Creates a joined object, or one of a single patch. */
    LogObject(long first, long last) {
        this(first, last, toDigits(first) + (last == first ? "" : "-" + toDigits(last)) + ".jellyp");
    }

    /** Parses the name of a file, as if it had one patch if its name has one version; null if no object has such a name. */
    static LogObject parseName(String file) {
        Matcher name = NAME.matcher(file);
        if (!name.matches()) {
            return null;
        }
        try {
            long first = Long.parseLong(name.group(1));
            long last = name.group(2) == null ? first : Long.parseLong(name.group(2));
            boolean isRange = last > first && last - first < Integer.MAX_VALUE;
            return first > 0 && (isRange || name.group(2) == null) ? new LogObject(first, last) : null;
        } catch (NumberFormatException e) {
            return null; // larger than a version can be
        }
    }

    /** Returns the name of the file with the patch of one version. */
    static String fileName(long version) {
        return new LogObject(version, version).name();
    }

    /** Returns a version as it is in names. */
    static String toDigits(long version) {
        return toDigits(version, DIGITS);
    }

    /** Returns a number with at least so many digits. Unlike a format, it does not load what a language says of numbers. */
    static String toDigits(long number, int least) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, least - digits.length())) + digits;
    }

    /** Returns true if the object itself says how many patches it has. */
    boolean isCounted() {
        return name.equals(fileName(first));
    }

    /** Returns the same object with a number of patches. */
    LogObject withCount(int patches) {
        return new LogObject(first, first + patches - 1, name);
    }

    boolean has(long version) {
        return first <= version && version <= last;
    }

    int versions() {
        return Math.toIntExact(last - first + 1);
    }
}
