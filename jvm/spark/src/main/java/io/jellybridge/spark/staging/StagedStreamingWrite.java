package io.jellybridge.spark.staging;

import java.util.function.LongFunction;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;

/** A staged write of a streaming query. An epoch is a batch. */
final class StagedStreamingWrite implements StreamingWrite {
    private final Staging staging;
    private final LongFunction<BatchStep> steps;

    /**
     * @param steps creates the step of each epoch
     */
    StagedStreamingWrite(Staging staging, LongFunction<BatchStep> steps) {
        this.staging = staging;
        this.steps = steps;
    }

    @Override
    public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
        return staging.start();
    }

    /** Commits an epoch. Skips one that the store has already, since Spark repeats a commit if it does not know the outcome. */
    @Override
    public void commit(long epoch, WriterCommitMessage[] messages) {
        staging.commit(messages, steps.apply(epoch));
    }

    @Override
    public void abort(long epoch, WriterCommitMessage[] messages) {
        staging.remove();
    }
}
