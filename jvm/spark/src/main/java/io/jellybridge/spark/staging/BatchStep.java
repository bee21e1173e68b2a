package io.jellybridge.spark.staging;

import java.io.IOException;

/** A step that passes a batch to a store. It may be repeated, if Spark does not know that the batch was committed. */
@FunctionalInterface
public interface BatchStep {

    /**
     * Passes the batch to the store, unless the store has it already.
     *
     * @throws IllegalStateException the batch does not follow the store's last batch
     * @throws IOException           the store can't be reached, or rejects the batch
     */
    void take(StagedBatch batch) throws IOException;
}
