package io.jellybridge.spark.sink;

import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.spark.staging.BatchFailedException;
import io.jellybridge.spark.staging.BatchStep;
import io.jellybridge.spark.staging.StagedBatch;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A batch step that makes a dataset apply a batch exactly once. */
final class TargetStep implements BatchStep {
    private static final String QUERY_KEY = "urn:jellybridge:query:";
    private static final String BATCH_KEY = "urn:jellybridge:batch";
    private static final long NONE = -1;

    private final JenaSinkOptions options;
    private final String key;
    /** The number of the batch; {@link #NONE} to apply it regardless of earlier batches. */
    private final long number;
    /** True if the dataset must have the number before this one. */
    private final boolean consecutive;

    private TargetStep(JenaSinkOptions options, String key, long number, boolean consecutive) {
        this.options = options;
        this.key = key;
        this.number = number;
        this.consecutive = consecutive;
    }

    /** Creates the step of a batch write. With {@code txnAppId}, the write may be repeated. */
    static TargetStep ofBatch(JenaSinkOptions options) {
        return options.staging().txnAppId() == null
                ? new TargetStep(options, BATCH_KEY, NONE, false)
                : numbered(options, options.staging().txnAppId(), options.staging().txnVersion(),
                        options.txnConsecutive());
    }

    /**
     * Creates the step of an epoch of a streaming query. An epoch may be repeated, and none may be missing.
     *
     * @param epoch from 0
     */
    static TargetStep ofEpoch(JenaSinkOptions options, String query, long epoch) {
        return numbered(options, query, epoch, true);
    }

    private static TargetStep numbered(JenaSinkOptions options, String writer, long number, boolean consecutive) {
        return new TargetStep(options, QUERY_KEY + URLEncoder.encode(writer, StandardCharsets.UTF_8), number, consecutive);
    }

    /**
     * Applies the batch, unless the dataset has it already. An empty batch with a number is recorded.
     *
     * @throws BatchFailedException  the dataset rejected the batch, or another writer came in between; nothing was applied
     * @throws IllegalStateException the batch does not follow the dataset's last batch
     * @throws IOException           as {@link OpenDataset#apply}
     */
    @Override
    public void take(StagedBatch batch) throws IOException {
        if (number == NONE && batch.rows() == 0) {
            return;
        }
        try {
            options.target().open(dataset -> {
                String found = dataset.position(key);
                BatchPosition last = found == null || number == NONE ? null : BatchPosition.parse(found, key);
                if (number == NONE || isNext(last)) {
                    dataset.apply(batch, new PositionUpdate(key, found, next(last, batch)), ProgressListener.NONE);
                }
            });
        } catch (ApplyException | PositionConflictException e) {
            throw new BatchFailedException(e);
        }
    }

    /** Returns whether this batch must be applied. Returns false if it was applied before. */
    private boolean isNext(BatchPosition last) {
        long had = last == null ? NONE : last.number();
        if (consecutive && number != had && number != had + 1) {
            throw new IllegalStateException("this is batch " + number + ", and the dataset has "
                    + (last == null ? "no batch" : "batch " + had) + " of <" + key + ">: " + (number > had
                    ? "the batches between went to another dataset, or were left out; set the target to the one that has "
                            + "them"
                    : "the checkpoint is older than the dataset; take the checkpoint that belongs to it")
                    + ", or start with a new checkpoint, which begins where the source does");
        }
        return number > had;
    }

    private String next(BatchPosition last, StagedBatch batch) throws IOException {
        PatchChain chain = last == null ? new PatchChain() : last.chain();
        if (options.checkChain()) {
            chain.follow(batch);
        }
        return number == NONE ? "<urn:uuid:" + UUID.randomUUID() + ">"
                : new BatchPosition(number, options.checkChain() ? chain : new PatchChain()).term();
    }
}
