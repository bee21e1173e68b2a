package io.jellybridge.spark.dataset;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;
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

    private FrameRows(SparkContext spark, Supplier<Dataset<Row>> frame, String changing) {
        super(spark, toSeq(List.of()), ROW);
        this.frame = frame;
        this.changing = changing;
    }

    /**
     * Returns the rows of a DataFrame as the relation of a {@link org.apache.spark.sql.connector.read.V1Scan}.
     *
     * @param description the name in plans
     * @param schema      the columns of the DataFrame that are read
     * @param frame       supplies the DataFrame; called once, by the first job
     * @param changing    the name of the rows' origin if its content may change, so that a later action could expect other
     *     rows; else null
     */
    @SuppressWarnings("unchecked") // Relation is both
    public static <T extends BaseRelation & TableScan> T relation(String description, SQLContext context, StructType schema,
            Supplier<Dataset<Row>> frame, String changing) {
        Column[] columns = Arrays.stream(schema.fieldNames()).map(functions::col).toArray(Column[]::new);
        return (T) new Relation(description, context, schema,
                new FrameRows(context.sparkSession().sparkContext(), () -> frame.get().select(columns), changing));
    }

    private static <T> Seq<T> toSeq(List<T> values) {
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
        return toSeq(List.of(new OneToOneDependency<>(rows())));
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

    /** The rows of a DataFrame as a relation for a {@link org.apache.spark.sql.connector.read.V1Scan}. */
    private static final class Relation extends BaseRelation implements TableScan {
        private final String description;
        private final SQLContext context;
        private final StructType schema;
        private final FrameRows rows;

        Relation(String description, SQLContext context, StructType schema, FrameRows rows) {
            this.description = description;
            this.context = context;
            this.schema = schema;
            this.rows = rows;
        }

        @Override
        public SQLContext sqlContext() {
            return context;
        }

        @Override
        public StructType schema() {
            return schema;
        }

        /** Returns false, since the rows are Spark's internal ones. */
        @Override
        public boolean needConversion() {
            return false;
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"}) // without conversion, Spark expects internal rows
        public RDD<Row> buildScan() {
            return (RDD) rows;
        }

        @Override
        public String toString() {
            return description;
        }
    }
}
