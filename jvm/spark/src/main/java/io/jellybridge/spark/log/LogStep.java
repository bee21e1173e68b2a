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
 * Appends the patches of a batch to a log, each by itself. A patch that brings no id gets one that is made of who writes,
 * the number of the batch and its own: an id is in a log once, so a batch that comes again goes on behind what is in.
 *
 * @param log    the options that say which
 * @param writer the id of a query, or what stands for one
 * @param batch  its number
 */
record LogStep(OptionValues log, String writer, long batch) implements BatchStep {

    /** @throws BatchFailedException a patch does not follow the log's head, or another one has its id */
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
                    // Where another process came first, the same patch can follow what that appended; unless it names the
                    // one that it follows, which does not change: then the head that is found stays the same.
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
