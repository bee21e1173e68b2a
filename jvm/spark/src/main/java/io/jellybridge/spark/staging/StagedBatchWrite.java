package io.jellybridge.spark.staging;

import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** A staged write in batch mode. */
final class StagedBatchWrite implements BatchWrite {
    private final Staging staging;
    private final BatchStep step;

    StagedBatchWrite(Staging staging, BatchStep step) {
        this.staging = staging;
        this.step = step;
    }

    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        return staging.start();
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
        staging.commit(messages, step);
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
        staging.remove();
    }
}
