package io.jellybridge.spark.sink;

import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** A write in batch: one transaction. */
final class JenaBatchWrite implements BatchWrite {
    private final Staging staging;
    private final TargetStep step;

    JenaBatchWrite(Staging staging, TargetStep step) {
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
