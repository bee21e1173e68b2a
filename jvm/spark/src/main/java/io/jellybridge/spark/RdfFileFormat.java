package io.jellybridge.spark;

import java.io.Serializable;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map;

/**
 * What our file formats have in common: columns of numbers and strings, read in batches, from files that are split unless
 * they are compressed. Two of a class are equal.
 */
abstract class RdfFileFormat implements FileFormat, DataSourceRegister, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean isSplitable(SparkSession spark, Map<String, String> options, Path path) {
        return !HadoopFiles.isCompressed(path, spark.sparkContext().hadoopConfiguration());
    }

    @Override
    public boolean supportBatch(SparkSession spark, StructType schema) {
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other != null && getClass() == other.getClass();
    }

    @Override
    public int hashCode() {
        return getClass().hashCode();
    }

    @Override
    public String toString() {
        return shortName();
    }
}
