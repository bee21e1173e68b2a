package io.jellybridge.spark.dataset;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The rows of a DataFrame, which Spark plans, and begins to run, when a job asks for them: adaptive execution runs all
 * stages but the last for that, and to plan a query, or to explain it, is not to run it.
 */
public final class FrameRows extends RDD<InternalRow> {
    private static final long serialVersionUID = 1L;
    private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

    private final transient Supplier<Dataset<Row>> frame;
    private transient RDD<InternalRow> rows;

    /** @param frame is asked for the DataFrame once, by the first job */
    public FrameRows(SparkContext spark, Supplier<Dataset<Row>> frame) {
        super(spark, seq(List.of()), ROW);
        this.frame = frame;
    }

    private static <T> Seq<T> seq(List<T> values) {
        return CollectionConverters.asScala(values).toSeq();
    }

    private synchronized RDD<InternalRow> rows() {
        if (rows == null) {
            rows = ((org.apache.spark.sql.classic.Dataset<Row>) frame.get()).queryExecution().toRdd();
        }
        return rows;
    }

    @Override
    public Partition[] getPartitions() {
        return rows().partitions();
    }

    @Override
    public Seq<Dependency<?>> getDependencies() {
        return seq(List.of(new OneToOneDependency<>(rows())));
    }

    @Override
    public Iterator<InternalRow> compute(Partition partition, TaskContext task) {
        return firstParent(ROW).iterator(partition, task);
    }
}
