package io.jellybridge.spark.staging;

import io.jellybridge.codec.Op;
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
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.types.StructType;

/**
 * One write, or the batches of a streaming query: the rows of a batch go through one task, which gets them in their order;
 * or, where they have it, through many.
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
     * @param description what Spark shows of it
     * @param queryId     of the write; of a streaming query it stays the same from one start to the next
     * @param ofBatch     takes what is written in batch
     * @param ofEpoch     of a streaming query: takes the epoch of that number
     * @throws IllegalArgumentException these are no change rows, or they have no order
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
     * The columns by which the rows are ordered.
     *
     * @throws IllegalArgumentException these are no change rows, or they have no order
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

    /** @throws IllegalArgumentException as the constructor */
    public static void check(StructType schema) {
        ChangeRowFeed.positions(schema);
        order(schema);
    }

    /** The column's name as the schema writes it; null when it is not there. */
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
