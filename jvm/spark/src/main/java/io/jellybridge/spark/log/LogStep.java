package io.jellybridge.spark.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.PatchLog;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.staging.BatchFailedException;
import io.jellybridge.spark.staging.BatchStep;
import io.jellybridge.spark.staging.StagedBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A batch step that appends the patches of a batch to a log. A patch without an id gets one that is derived from the writer,
 * the number of the batch and the number of the patch. A log skips a known id, so a repeated batch continues where it stopped.
 *
 * @param log    the options with the log's address
 * @param writer the id of a query, or a replacement for it
 * @param batch  the number of the batch
 */
record LogStep(OptionValues log, String writer, long batch) implements BatchStep {

    /**
     * @throws BatchFailedException a patch does not follow the log's head, or another patch has its id
     */
    @Override
    public void take(StagedBatch staged) throws IOException {
        if (staged.rows() == 0) {
            return;
        }
        try (PatchLog opened = PatchLogOptions.open(log)) {
            LogHead lost = null;
            while (true) {
                try {
                    append(opened, staged);
                    return;
                } catch (LogConflictException e) {
                    // If another process appended first, the patch is tried again after that one. If the patch names the patch
                    // that it follows, that can't help: the next conflict finds the same head.
                    if (e.isTaken() || e.found().equals(lost)) {
                        throw new BatchFailedException(e);
                    }
                    lost = e.found();
                }
            }
        }
    }

    private void append(PatchLog opened, StagedBatch staged) throws IOException {
        try (PatchSource<byte[]> patches = staged.open(new Utf8Terms())) {
            long number = 0;
            while (opened.appendAs(id(number), patches) != null) {
                number++;
            }
        }
    }

    private UUID id(long number) {
        return UUID.nameUUIDFromBytes((writer + '/' + batch + '/' + number).getBytes(StandardCharsets.UTF_8));
    }
}
