package io.jellybridge.spark;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.ReadOptions;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The file format {@value #SHORT_NAME}: {@code .jellyp} files as change rows, read and written, in batch and streaming.
 * Columns: {@link ChangeColumn}; options: {@link PatchReadSettings}, {@link PatchWriteSettings}.
 *
 * <p>A file is read whole by one task, since its lookups and counters are one chain. Columns that a query does not use are
 * left out of the rows, never out of the decoding.
 */
public final class JellyPatchFileFormat implements FileFormat, DataSourceRegister, Serializable {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "jelly-patch";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    public Option<StructType> inferSchema(SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        PatchReadSettings.of(CollectionConverters.asJava(options));
        return Option.apply(ChangeColumn.SCHEMA);
    }

    @Override
    public boolean supportDataType(DataType type) {
        return type.sameType(DataTypes.LongType) || type.sameType(DataTypes.StringType);
    }

    @Override
    public Function1<PartitionedFile, Iterator<InternalRow>> buildReader(SparkSession spark, StructType dataSchema,
            StructType partitionSchema, StructType requiredSchema, Seq<Filter> filters, Map<String, String> options,
            Configuration hadoop) {
        java.util.Map<String, String> given = CollectionConverters.asJava(options);
        ReadOptions read = PatchReadSettings.of(given);
        ChangeColumn.positions(dataSchema);
        return new ChangeRowScan(ChangeColumn.positions(requiredSchema), requiredSchema.size(), read,
                FileOptions.ignoresCorruptFiles(given, spark), HadoopConf.broadcast(spark, hadoop));
    }

    @Override
    public OutputWriterFactory prepareWrite(SparkSession spark, Job job, Map<String, String> options, StructType schema) {
        PatchWriteSettings settings = PatchWriteSettings.of(CollectionConverters.asJava(options));
        int[] positions = ChangeColumn.positions(schema);
        if (positions[ChangeColumn.OP.ordinal()] < 0) {
            throw new IllegalArgumentException("no column 'op': a change row says what it does by it, with one of "
                    + Arrays.toString(Op.values()));
        }
        return new ChangeRowWriterFactory(settings, positions);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JellyPatchFileFormat;
    }

    @Override
    public int hashCode() {
        return JellyPatchFileFormat.class.hashCode();
    }

    @Override
    public String toString() {
        return SHORT_NAME;
    }
}
