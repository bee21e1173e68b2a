package io.jellybridge.spark.source;

import io.jellybridge.jena.data.QuadSelection;
import io.jellybridge.spark.dataset.FrameRelation;
import io.jellybridge.spark.dataset.FrameRows;
import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.V1Scan;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/** A scan of a dataset. It reads the state at the moment when the first job of a plan starts. */
record QuadScan(QuadSource source, StructType schema, QuadSelection selection) implements V1Scan {

    @Override
    public StructType readSchema() {
        return schema;
    }

    @Override
    public String description() {
        return source.name();
    }

    @Override
    @SuppressWarnings("unchecked") // FrameRelation is both
    public <T extends BaseRelation & TableScan> T toV1TableScan(SQLContext context) {
        SparkSession spark = context.sparkSession();
        Column[] columns = Arrays.stream(schema.fieldNames()).map(functions::col).toArray(Column[]::new);
        QuadSpool quads = new QuadSpool(spark, source, selection);
        return (T) new FrameRelation(source.name(), context, schema,
                new FrameRows(spark.sparkContext(), () -> quads.get().select(columns), source.name()));
    }
}
