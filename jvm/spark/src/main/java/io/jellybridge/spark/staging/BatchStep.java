package io.jellybridge.spark.staging;

import java.io.IOException;

/** What a store does with a batch. It may come again, when Spark does not know that it was taken. */
@FunctionalInterface
public interface BatchStep {

    /**
     * Takes the batch, unless the store has it already.
     *
     * @throws IllegalStateException the batch does not follow what the store has
     * @throws IOException           the store can't be reached, or does not take it
     */
    void take(StagedBatch batch) throws IOException;
}
