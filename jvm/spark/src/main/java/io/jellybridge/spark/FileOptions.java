package io.jellybridge.spark;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.SparkSession;

/**
 * The options that a user gave to one of our file formats, with typed values. An option that neither the format nor
 * Spark knows is refused: a misspelt one would change nothing, unnoticed. Names are the same in any case, as in all of
 * Spark.
 *
 * <p>Names with a dot are let through: they are settings of Hadoop for this read or write, such as
 * {@code fs.s3a.endpoint}. So are names that start with two underscores, which Spark uses inside itself.
 */
public final class FileOptions {

    /** What Spark itself takes for files, in batch and streaming. */
    private static final Set<String> OF_SPARK = caseInsensitive(Arrays.asList(
            // which files
            "path", "paths", "basePath", "pathGlobFilter", "recursiveFileLookup", "modifiedBefore", "modifiedAfter",
            "timeZone", "ignoreCorruptFiles", "ignoreMissingFiles", "ignoreInvalidPartitionPaths", "archivePathFilter",
            "ignoredPathSegmentRegex",
            // streaming reads
            "maxFilesPerTrigger", "maxBytesPerTrigger", "maxCachedFiles", "discardCachedInputRatio", "maxFileAge",
            "latestFirst", "fileNameOnly", "cleanSource", "sourceArchiveDir",
            // writes
            "maxRecordsPerFile", "partitionOverwriteMode", "checkpointLocation", "queryName", "outputMode", "retention",
            // what Spark's planner adds by itself
            "returning_batch"));

    private static final String MAX_RECORDS_PER_FILE = "maxRecordsPerFile";
    private static final String MAX_RECORDS_PER_FILE_SETTING = "spark.sql.files.maxRecordsPerFile";
    private static final String FAILFAST = "FAILFAST";
    private static final String IGNORE_CORRUPT_FILES = "ignoreCorruptFiles";
    private static final String IGNORE_CORRUPT_FILES_SETTING = "spark.sql.files.ignoreCorruptFiles";

    private final String format;
    private final Map<String, String> options;

    /**
     * @param options  what the user gave
     * @param format   the format's short name, for messages
     * @param ownNames the options that the format takes beside Spark's, in reading or writing: a table's options serve both,
     *                 so each takes the other's
     * @throws IllegalArgumentException an option is neither the format's nor Spark's; the message names it
     */
    public FileOptions(Map<String, String> options, String format, Set<String> ownNames) {
        this(options, format);
        Set<String> own = caseInsensitive(ownNames);
        for (String name : options.keySet()) {
            if (!own.contains(name) && !OF_SPARK.contains(name) && !name.contains(".") && !name.startsWith("__")) {
                throw unknown(name, own, ", and those of Spark for files");
            }
        }
    }

    private FileOptions(Map<String, String> options, String format) {
        this.format = format;
        this.options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        this.options.putAll(options);
    }

    /**
     * The options of something else than a file: none of Spark's.
     *
     * @param of    what has the options, for messages
     * @param names the options that there are
     * @throws IllegalArgumentException an option is none of them; the message names it
     */
    static FileOptions withoutFiles(Map<String, String> options, String of, Set<String> names) {
        FileOptions given = new FileOptions(options, of);
        Set<String> own = caseInsensitive(names);
        for (String name : options.keySet()) {
            if (!own.contains(name)) {
                throw given.unknown(name, own, "");
            }
        }
        return given;
    }

    private IllegalArgumentException unknown(String name, Set<String> own, String others) {
        return new IllegalArgumentException(
                "unknown option '" + name + "' of " + format + "; it has " + String.join(", ", own) + others);
    }

    /** The options of reading and those of writing. */
    static Set<String> union(Set<String> ofReading, Set<String> ofWriting) {
        Set<String> all = new TreeSet<>(ofReading);
        all.addAll(ofWriting);
        return all;
    }

    private static Set<String> caseInsensitive(Collection<String> names) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(names);
        return set;
    }

    /** Whether Spark skips the rest of a file that can't be read: by option, else by the session's setting. */
    static boolean ignoresCorruptFiles(Map<String, String> options, SparkSession spark) {
        return Boolean.parseBoolean(
                optionOrSetting(options, IGNORE_CORRUPT_FILES, spark, IGNORE_CORRUPT_FILES_SETTING, "false"));
    }

    /**
     * Checks that Spark starts no new file after so many rows, for a format whose rows belong together.
     *
     * @param format what is written, for messages
     * @param order  the columns that the rows are sorted by, the first of which says which belong together
     * @throws IllegalArgumentException by option, else by the session's setting, it does
     */
    static void requireWholeFiles(Map<String, String> options, SparkSession spark, String format,
            List<String> order) {
        String rows = optionOrSetting(options, MAX_RECORDS_PER_FILE, spark, MAX_RECORDS_PER_FILE_SETTING, "0").trim();
        if (Long.parseLong(rows) > 0) {
            String unit = order.get(0);
            throw new IllegalArgumentException(MAX_RECORDS_PER_FILE + " is " + rows + ": Spark would cut a " + unit + " of "
                    + format + " in two; set the option " + MAX_RECORDS_PER_FILE + "=0 for this write, and for several files "
                    + "write df.repartitionByRange(n, '" + unit + "').sortWithinPartitions('" + String.join("', '", order)
                    + "')");
        }
    }

    private static String optionOrSetting(Map<String, String> options, String name, SparkSession spark, String setting,
            String otherwise) {
        Map<String, String> any = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        any.putAll(options);
        String value = any.get(name);
        return value != null ? value : spark.conf().get(setting, otherwise);
    }

    /** Whether the user gave the option. */
    public boolean has(String name) {
        return options.containsKey(name);
    }

    public String string(String name, String defaultValue) {
        return options.getOrDefault(name, defaultValue);
    }

    /** @throws IllegalArgumentException the value is no whole number of at least {@code min} */
    int integer(String name, int defaultValue, int min) {
        String text = options.get(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            int value = Integer.parseInt(text.trim());
            if (value >= min) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw refused(name, text, "a whole number of at least " + min);
        }
        throw refused(name, text, "a whole number of at least " + min);
    }

    /** @throws IllegalArgumentException the value is neither true nor false */
    public boolean bool(String name, boolean defaultValue) {
        String text = options.get(name);
        if (text == null) {
            return defaultValue;
        }
        switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true":
                return true;
            case "false":
                return false;
            default:
                throw refused(name, text, "true or false");
        }
    }

    /** @throws IllegalArgumentException the value is none of the enum's names, in any case */
    <E extends Enum<E>> E oneOf(String name, Class<E> type, E defaultValue) {
        String text = options.get(name);
        if (text == null) {
            return defaultValue;
        }
        for (E value : type.getEnumConstants()) {
            if (value.name().equalsIgnoreCase(text.trim())) {
                return value;
            }
        }
        throw refused(name, text, "one of " + Arrays.toString(type.getEnumConstants()));
    }

    /**
     * Checks the option that says what to do with records that can't be read.
     *
     * @throws IllegalArgumentException it is another than FAILFAST
     */
    void requireFailFast(String name) {
        String text = options.get(name);
        if (text != null && !text.trim().equalsIgnoreCase(FAILFAST)) {
            throw refused(name, text, FAILFAST + " only; to go on past files that can't be read, set "
                    + IGNORE_CORRUPT_FILES + "=true");
        }
    }

    private IllegalArgumentException refused(String name, String value, String allowed) {
        return new IllegalArgumentException(
                "option '" + name + "' of " + format + " is '" + value + "'; it takes " + allowed);
    }
}
