package io.jellybridge.spark.dataset;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/** The rows of a DataFrame as a relation for a {@link org.apache.spark.sql.connector.read.V1Scan}. */
public final class FrameRelation extends BaseRelation implements TableScan {
    private final String description;
    private final SQLContext context;
    private final StructType schema;
    private final FrameRows rows;

    /**
     * @param description the name in plans
     */
    public FrameRelation(String description, SQLContext context, StructType schema, FrameRows rows) {
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
