package io.jellybridge.spark.staging;

import io.jellybridge.codec.Op;
import io.jellybridge.spark.ChangeMetrics;
import io.jellybridge.spark.ChangeRowFeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.types.StructType;

/**
 * A write of change rows, in batch or streaming. By default one task gets the sorted rows of a batch. If the rows come in order
 * already, many tasks share them.
 */
public final class StagedWrite implements RequiresDistributionAndOrdering {
    private static final String OP = "op";
    private static final String PATCH = "patch";
    private static final String ROW = "row";

    private final String description;
    private final String queryId;
    private final StagingOptions options;
    private final BatchStep ofBatch;
    private final LongFunction<BatchStep> ofEpoch;
    private final int[] positions;
    private final NamedReference[] order;

    /**
     * @param description the description in Spark's plans
     * @param queryId     the id of the write; for a streaming query, it survives restarts
     * @param ofBatch     takes the rows of a batch write
     * @param ofEpoch     creates the step for an epoch of a streaming query
     * @throws IllegalArgumentException the columns are not those of change rows, or define no order
     */
    public StagedWrite(String description, String queryId, StructType schema, StagingOptions options, BatchStep ofBatch,
            LongFunction<BatchStep> ofEpoch) {
        this.description = description;
        this.queryId = queryId;
        this.options = options;
        this.ofBatch = ofBatch;
        this.ofEpoch = ofEpoch;
        this.positions = ChangeRowFeed.positions(schema);
        this.order = order(schema);
    }

    /**
     * Returns the columns that order the rows.
     *
     * @throws IllegalArgumentException the columns are not those of change rows, or define no order
     */
    private static NamedReference[] order(StructType schema) {
        if (column(schema, OP) == null) {
            throw new IllegalArgumentException(
                    "no column 'op': a change row says what it does by it, with one of " + Arrays.toString(Op.values()));
        }
        if (column(schema, ROW) == null) {
            throw new IllegalArgumentException("no column 'row': without it nothing says in which order the changes apply; "
                    + "number the rows, over all patches or in each");
        }
        List<NamedReference> columns = new ArrayList<>();
        for (String name : List.of(PATCH, ROW)) {
            if (column(schema, name) != null) {
                columns.add(Expressions.column(column(schema, name)));
            }
        }
        return columns.toArray(NamedReference[]::new);
    }

    /**
     * Checks the columns.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static void check(StructType schema) {
        ChangeRowFeed.positions(schema);
        order(schema);
    }

    /** Returns the column's name as the schema spells it; null if it is missing. */
    private static String column(StructType schema, String name) {
        return Arrays.stream(schema.fieldNames()).filter(name::equalsIgnoreCase).findFirst().orElse(null);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Distribution requiredDistribution() {
        return options.inOrder() ? Distributions.unspecified() : Distributions.clustered(order.clone());
    }

    @Override
    public int requiredNumPartitions() {
        return options.inOrder() ? 0 : 1;
    }

    @Override
    public SortOrder[] requiredOrdering() {
        return options.inOrder() ? new SortOrder[0] : Arrays.stream(order)
                .map(column -> Expressions.sort((Expression) column, SortDirection.ASCENDING)).toArray(SortOrder[]::new);
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return ChangeMetrics.ofWrite();
    }

    @Override
    public BatchWrite toBatch() {
        return new StagedBatchWrite(staging(), ofBatch);
    }

    @Override
    public StreamingWrite toStreaming() {
        if (options.txnAppId() != null) {
            throw new IllegalArgumentException("the option '" + StagingOptions.TXN_APP_ID.name()
                    + "' is for batch; a streaming query has an id and numbers of its own");
        }
        return new StagedStreamingWrite(staging(), ofEpoch);
    }

    private Staging staging() {
        return new Staging(options.stagingDir(), queryId, positions, options.inOrder());
    }
}
