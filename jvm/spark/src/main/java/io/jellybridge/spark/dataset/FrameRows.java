package io.jellybridge.spark.dataset;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
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
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The rows of a DataFrame as an RDD that is planned lazily, by the first job. Planning with adaptive execution runs all stages
 * but the last. Planning or explaining a query must not run it.
 */
public final class FrameRows extends RDD<InternalRow> {
    private static final long serialVersionUID = 1L;
    private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

    /** The local property by which tasks and the driver know the user's action. */
    private static final String ACTION = "spark.sql.execution.id";

    private final transient Supplier<Dataset<Row>> frame;
    private final String changing;
    private transient RDD<InternalRow> rows;
    private String firstAction;
    private Instant moment;

    /**
     * @param frame    supplies the DataFrame; called once, by the first job
     * @param changing the name of the rows' origin if its content may change, so that a later action could expect other rows;
     *     else null
     */
    public FrameRows(SparkContext spark, Supplier<Dataset<Row>> frame, String changing) {
        super(spark, seq(List.of()), ROW);
        this.frame = frame;
        this.changing = changing;
    }

    private static <T> Seq<T> seq(List<T> values) {
        return CollectionConverters.asScala(values).toSeq();
    }

    private synchronized RDD<InternalRow> rows() {
        if (rows == null) {
            firstAction = context().getLocalProperty(ACTION);
            moment = Instant.now().truncatedTo(ChronoUnit.SECONDS);
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
        // Spark reuses a plan with its rows for later actions on the same DataFrame.
        if (changing != null && partition.index() == 0 && !Objects.equals(task.getLocalProperty(ACTION), firstAction)) {
            LoggerFactory.getLogger(FrameRows.class).warn("{}: the rows are those of {}, when this DataFrame was read first; to "
                    + "read what is there now, load it again", changing, moment);
        }
        return firstParent(ROW).iterator(partition, task);
    }
}
