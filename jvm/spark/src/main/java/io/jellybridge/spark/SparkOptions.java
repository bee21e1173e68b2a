package io.jellybridge.spark;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.SparkSession;
import org.slf4j.LoggerFactory;

/**
 * The options that Spark itself accepts, in addition to those of a format. Names are case-insensitive, as everywhere in Spark.
 *
 * <p>For files, names with a dot are accepted, since they are Hadoop settings for this read or write, such as {@code
 * fs.s3a.endpoint}. Everywhere, names that start with two underscores are accepted, since Spark uses them internally.
 */
public final class SparkOptions {
    private static final String IGNORE_CORRUPT_FILES = "ignoreCorruptFiles";
    private static final String MAX_RECORDS_PER_FILE = "maxRecordsPerFile";
    private static final String MAX_FILE_AGE = "maxFileAge";
    private static final String PATH = "path";
    /** An option that Hive adds to its tables. */
    private static final String OF_HIVE = "serialization.format";
    private static final String OF_HADOOP = "fs.";
    /** The thread-local properties with the id of a streaming query and of its current run. */
    private static final String ID_OF_QUERY = "sql.streaming.queryId";
    private static final String RUN_OF_QUERY = "spark.jobGroup.id";
    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    /** Spark's options for the writes of a streaming query. */
    public static final Set<String> OF_QUERIES = Collections.unmodifiableSet(ofQueries());

    private static Set<String> ofQueries() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(List.of("checkpointLocation", "queryName", "outputMode"));
        return names;
    }

    /** Spark's options for files, in batch and streaming. */
    private static final Set<String> OF_FILES = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        OF_FILES.addAll(List.of(
                // selection of files
                PATH, "paths", "basePath", "pathGlobFilter", "recursiveFileLookup", "modifiedBefore", "modifiedAfter",
                "timeZone", IGNORE_CORRUPT_FILES, "ignoreMissingFiles", "ignoreInvalidPartitionPaths", "archivePathFilter",
                "ignoredPathSegmentRegex",
                // streaming reads
                "maxFilesPerTrigger", "maxBytesPerTrigger", "maxCachedFiles", "discardCachedInputRatio", MAX_FILE_AGE,
                "latestFirst", "fileNameOnly", "cleanSource", "sourceArchiveDir",
                // writes
                MAX_RECORDS_PER_FILE, "partitionOverwriteMode", "retention",
                // added by Spark's planner
                "returning_batch"));
        OF_FILES.addAll(OF_QUERIES);
    }

    private SparkOptions() {
    }

    /** Creates the option table of a file format, including Spark's options for files. */
    public static OptionTable tableOf(String format, List<Option<?>> reading, List<Option<?>> writing) {
        return new OptionTable(format, reading, writing, name -> OF_FILES.contains(name) || name.contains(".") || isInternal(name),
                ", and those of Spark for files");
    }

    /** Creates the option table of a source or sink that is not files. Hadoop's settings for it are those of the application. */
    public static OptionTable tableOf(String format, List<Option<?>> reading, List<Option<?>> writing, Set<String> ofSpark) {
        return new OptionTable(format, reading, writing,
                name -> ofSpark.contains(name) || isInternal(name) || isOfHadoop(name, format), "");
    }

    private static boolean isInternal(String name) {
        return name.equalsIgnoreCase(OF_HIVE) || name.startsWith("__");
    }

    /**
     * Returns false.
     *
     * @throws IllegalArgumentException the name is that of a setting of Hadoop
     */
    private static boolean isOfHadoop(String name, String format) {
        if (name.toLowerCase(Locale.ROOT).startsWith(OF_HADOOP)) {
            throw new IllegalArgumentException("unknown option '" + name + "' of " + format
                    + ": it is a setting of Hadoop; set spark.hadoop." + name + " when the application starts");
        }
        return false;
    }

    /** Returns whether Spark skips the rest of a corrupt file, by the option, else by the session's setting. */
    static boolean ignoresCorruptFiles(OptionValues given, SparkSession spark) {
        return Boolean.parseBoolean(orSetting(given, IGNORE_CORRUPT_FILES, spark, "false"));
    }

    /**
     * Checks that Spark does not split output files by number of rows, for a format whose rows belong together.
     *
     * @param order the columns that sort the rows; rows with the same value in the first one belong together
     * @throws IllegalArgumentException the option, or else the session's setting, makes Spark split
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

    /** Warns once per run of a streaming query that Spark ignores old files, unless the query sets their age. */
    static void warnOfFileAge(OptionValues given, SparkSession spark) {
        String run = spark.sparkContext().getLocalProperty(RUN_OF_QUERY);
        boolean isStream = spark.sparkContext().getLocalProperty(ID_OF_QUERY) != null && given.getText(PATH) == null;
        if (isStream && given.getText(MAX_FILE_AGE) == null && WARNED.add(String.valueOf(run))) {
            LoggerFactory.getLogger(given.of()).warn("this stream of {} passes over files that come when others are newer by "
                    + "seven days, by their times of modification; set the option {}, as to 36500d to pass over none",
                    given.of(), MAX_FILE_AGE);
        }
    }

    private static String orSetting(OptionValues given, String name, SparkSession spark, String otherwise) {
        String value = given.getText(name);
        return value != null ? value : spark.conf().get("spark.sql.files." + name, otherwise);
    }
}
