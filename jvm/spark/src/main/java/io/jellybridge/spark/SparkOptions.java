package io.jellybridge.spark;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.SparkSession;
import org.slf4j.LoggerFactory;

/**
 * What Spark itself takes beside the options of a format. Its names are the same in any case, as in all of Spark.
 *
 * <p>Names with a dot are let through: they are settings of Hadoop for this read or write, such as
 * {@code fs.s3a.endpoint}. So are names that start with two underscores, which Spark uses inside itself.
 */
public final class SparkOptions {
    private static final String IGNORE_CORRUPT_FILES = "ignoreCorruptFiles";
    private static final String MAX_RECORDS_PER_FILE = "maxRecordsPerFile";
    private static final String MAX_FILE_AGE = "maxFileAge";
    private static final String PATH = "path";
    /** What Spark calls the id of a streaming query, and that of one run of it, in the thread of that. */
    private static final String ID_OF_QUERY = "sql.streaming.queryId";
    private static final String RUN_OF_QUERY = "spark.jobGroup.id";
    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    /** What Spark itself takes for the writes of a streaming query. */
    public static final Set<String> OF_QUERIES = Collections.unmodifiableSet(ofQueries());

    private static Set<String> ofQueries() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(List.of("checkpointLocation", "queryName", "outputMode"));
        return names;
    }

    /** What Spark itself takes for files, in batch and streaming. */
    private static final Set<String> OF_FILES = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        OF_FILES.addAll(List.of(
                // which files
                PATH, "paths", "basePath", "pathGlobFilter", "recursiveFileLookup", "modifiedBefore", "modifiedAfter",
                "timeZone", IGNORE_CORRUPT_FILES, "ignoreMissingFiles", "ignoreInvalidPartitionPaths", "archivePathFilter",
                "ignoredPathSegmentRegex",
                // streaming reads
                "maxFilesPerTrigger", "maxBytesPerTrigger", "maxCachedFiles", "discardCachedInputRatio", MAX_FILE_AGE,
                "latestFirst", "fileNameOnly", "cleanSource", "sourceArchiveDir",
                // writes
                MAX_RECORDS_PER_FILE, "partitionOverwriteMode", "retention",
                // what Spark's planner adds by itself
                "returning_batch"));
        OF_FILES.addAll(OF_QUERIES);
    }

    private SparkOptions() {
    }

    /** The options of a format for files, which Spark's go with. */
    public static OptionTable table(String format, List<Option<?>> reading, List<Option<?>> writing) {
        return new OptionTable(format, reading, writing, name -> OF_FILES.contains(name) || isInternal(name),
                ", and those of Spark for files");
    }

    /** The options of what is no files. */
    public static OptionTable table(String format, List<Option<?>> reading, List<Option<?>> writing, Set<String> ofSpark) {
        return new OptionTable(format, reading, writing, name -> ofSpark.contains(name) || isInternal(name), "");
    }

    private static boolean isInternal(String name) {
        return name.contains(".") || name.startsWith("__");
    }

    /** Whether Spark skips the rest of a file that can't be read: by option, else by the session's setting. */
    static boolean ignoresCorruptFiles(OptionValues given, SparkSession spark) {
        return Boolean.parseBoolean(orSetting(given, IGNORE_CORRUPT_FILES, spark, "false"));
    }

    /**
     * Checks that Spark starts no new file after so many rows, for a format whose rows belong together.
     *
     * @param order the columns that the rows are sorted by, the first of which says which belong together
     * @throws IllegalArgumentException by option, else by the session's setting, it does
     */
    static void requireWholeFiles(OptionValues given, SparkSession spark, List<String> order) {
        String rows = orSetting(given, MAX_RECORDS_PER_FILE, spark, "0").trim();
        if (Long.parseLong(rows) > 0) {
            throw new IllegalArgumentException(MAX_RECORDS_PER_FILE + " is " + rows + ": Spark would cut a " + order.get(0)
                    + " of " + given.of() + " in two; set the option " + MAX_RECORDS_PER_FILE + "=0 for this write, and for"
                    + " several files write df.repartitionByRange(n, '" + order.get(0) + "').sortWithinPartitions('"
                    + String.join("', '", order) + "')");
        }
    }

    /** Warns of files that Spark passes over, once a run of a streaming query that does not say which these are. */
    static void warnOfFileAge(OptionValues given, SparkSession spark) {
        String run = spark.sparkContext().getLocalProperty(RUN_OF_QUERY);
        boolean isStream = spark.sparkContext().getLocalProperty(ID_OF_QUERY) != null && given.text(PATH) == null;
        if (isStream && given.text(MAX_FILE_AGE) == null && WARNED.add(String.valueOf(run))) {
            LoggerFactory.getLogger(given.of()).warn("this stream of {} passes over files that come when others are newer by "
                    + "seven days, by their times of modification; set the option {}, as to 36500d to pass over none",
                    given.of(), MAX_FILE_AGE);
        }
    }

    private static String orSetting(OptionValues given, String name, SparkSession spark, String otherwise) {
        String value = given.text(name);
        return value != null ? value : spark.conf().get("spark.sql.files." + name, otherwise);
    }
}
