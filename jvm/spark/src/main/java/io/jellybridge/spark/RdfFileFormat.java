package io.jellybridge.spark;

import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.FileRowReader.FileInput;
import io.jellybridge.spark.FileWriter.FileOutput;
import java.io.Serializable;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The base class of our file formats, in batch and streaming. It implements Spark's interfaces. A subclass defines the columns,
 * and how files are opened and created. Rows are read in batches of numbers and strings. Two instances of a class are equal.
 *
 * <p>Files are split if the format allows it, unless they are compressed. Options are checked on the driver before anything is
 * read or written.
 */
abstract class RdfFileFormat implements FileFormat, DataSourceRegister, Serializable {
    private static final long serialVersionUID = 1L;

    private final String shortName;
    private final StructType columns;
    private final String rows;

    /**
     * @param shortName the name in {@code format(…)}
     * @param columns   the columns of the rows, in order: strings and longs
     * @param rows      the plural noun for rows in messages
     */
    RdfFileFormat(String shortName, StructType columns, String rows) {
        this.shortName = shortName;
        this.columns = columns;
        this.rows = rows;
    }

    @Override
    public final String shortName() {
        return shortName;
    }

    final StructType columns() {
        return columns;
    }

    /** Returns the option table. */
    abstract OptionTable options();

    /**
     * Creates the input from the options.
     *
     * @param ignoreCorruptFiles true if Spark skips the rest of a file that can't be read
     * @param hadoop             the Hadoop configuration of the read
     * @throws IllegalArgumentException an option has an invalid value; the message names it
     */
    abstract FileInput toInput(OptionValues given, boolean ignoreCorruptFiles, Supplier<Configuration> hadoop);

    /**
     * Creates the output from the options.
     *
     * @param schema the columns to write
     * @throws IllegalArgumentException an option has an invalid value, or a column is unknown, missing or of a wrong type; the
     *     message names it
     */
    abstract FileOutput toOutput(OptionValues given, StructType schema);

    private FileInput toInput(SparkSession spark, Map<String, String> options) {
        OptionValues given = givenOptions(options);
        return toInput(given, SparkOptions.ignoresCorruptFiles(given, spark),
                () -> ((org.apache.spark.sql.classic.SparkSession) spark).sessionState().newHadoopConfWithOptions(options));
    }

    private OptionValues givenOptions(Map<String, String> options) {
        return options().parseValues(CollectionConverters.asJava(options));
    }

    private int[] positionsOf(StructType schema) {
        return SchemaColumns.positionsOf(schema, columns, rows);
    }

    /**
     * @throws IllegalArgumentException an option is wrong, a file is of another kind, or there is no file; an empty folder would
     *     otherwise have no rows, and a difference to it would delete everything
     */
    @Override
    public final Option<StructType> inferSchema(SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        FileInput input = toInput(spark, options);
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no file to read as " + shortName() + ": the path is empty, or has files in "
                    + "subfolders alone, or under names that are left out; correct it, set recursiveFileLookup=true for those "
                    + "in subfolders, or say that no rows are right by giving the columns: schema(…), CREATE TABLE t (…)");
        }
        CollectionConverters.asJava(files).forEach(
                file -> input.checkFile(file.getPath(), spark.sparkContext().hadoopConfiguration()));
        return Option.apply(columns());
    }

    @Override
    public final boolean isSplitable(SparkSession spark, Map<String, String> options, Path path) {
        return toInput(spark, options).canSplit(path)
                && !HadoopFiles.isCompressed(path, spark.sparkContext().hadoopConfiguration());
    }

    @Override
    public final boolean supportBatch(SparkSession spark, StructType schema) {
        return true;
    }

    @Override
    public final Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(SparkSession spark,
            StructType dataSchema, StructType partitionSchema, StructType requiredSchema, Seq<Filter> filters,
            Map<String, String> options, Configuration hadoop) {
        FileInput input = toInput(spark, options);
        SparkOptions.warnOfFileAge(givenOptions(options), spark);
        positionsOf(dataSchema);
        return new FileRowReader(input, PushedFilter.of(filters), requiredSchema, positionsOf(requiredSchema), partitionSchema,
                options, HadoopFiles.broadcast(spark, hadoop));
    }

    @Override
    public final OutputWriterFactory prepareWrite(SparkSession spark, Job job, Map<String, String> options,
            StructType schema) {
        OptionValues given = givenOptions(options);
        FileOutput output = toOutput(given, schema);
        if (!output.order().isEmpty()) {
            SparkOptions.requireWholeFiles(given, spark, output.order());
        }
        return new FileWriter.Factory(output);
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && getClass() == other.getClass();
    }

    @Override
    public final int hashCode() {
        return getClass().hashCode();
    }

    @Override
    public final String toString() {
        return shortName();
    }
}
