package io.jellybridge.spark;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.Some;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The file format {@value #SHORT_NAME}: N-Triples and N-Quads as rows of canonical terms, read and written, in batch
 * and streaming. Columns: {@link NQuadsColumns}; options: {@link NQuadsOptions}.
 *
 * <p>Files are split unless they are compressed. Columns that a query does not use are left out of the rows, but every
 * line is read and checked.
 */
public final class NQuadsFileFormat extends RdfFileFormat {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "nquads";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    public Option<StructType> inferSchema(SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        NQuadsOptions.of(CollectionConverters.asJava(options));
        return Some.apply(NQuadsColumns.SCHEMA);
    }

    @Override
    public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(SparkSession spark,
            StructType dataSchema, StructType partitionSchema, StructType requiredSchema, Seq<Filter> filters,
            Map<String, String> options, Configuration hadoop) {
        NQuadsOptions read = NQuadsOptions.of(CollectionConverters.asJava(options));
        NQuadsColumns.ordinals(dataSchema);
        Configuration conf = new Configuration(hadoop);
        // With a limit, Hadoop leaves out longer lines and says so in a log only.
        conf.setInt(LineRecordReader.MAX_LINE_LENGTH, Integer.MAX_VALUE);
        return new NQuadsScan(requiredSchema, partitionSchema, read.rdfStar(), read.mendTags(), options,
                HadoopConf.broadcast(spark, conf));
    }

    @Override
    public OutputWriterFactory prepareWrite(SparkSession spark, Job job, Map<String, String> options,
            StructType schema) {
        NQuadsOptions write = NQuadsOptions.of(CollectionConverters.asJava(options));
        return new NQuadsWriterFactory(NQuadsColumns.ordinalsToWrite(schema), write.rdfStar(), write.compression());
    }
}
