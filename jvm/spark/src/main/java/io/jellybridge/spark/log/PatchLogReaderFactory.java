package io.jellybridge.spark.log;

import io.jellybridge.spark.ChangeColumn;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;

/** A factory of readers, on the executors. */
final class PatchLogReaderFactory implements PartitionReaderFactory {
    private static final long serialVersionUID = 1L;

    private final PatchLogOptions options;
    /** The position of each {@link ChangeColumn} in the rows; -1 if it is not requested. */
    private final int[] positions;
    private final int width;

    PatchLogReaderFactory(PatchLogOptions options, StructType schema) {
        this.options = options;
        this.width = schema.length();
        this.positions = new int[ChangeColumn.SCHEMA.length()];
        String[] names = ChangeColumn.SCHEMA.fieldNames();
        for (int column = 0; column < names.length; column++) {
            positions[column] = schema.getFieldIndex(names[column]).isDefined() ? schema.fieldIndex(names[column]) : -1;
        }
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        return new PatchLogPartitionReader(options, (PatchLogPartition) partition, positions, width);
    }
}
