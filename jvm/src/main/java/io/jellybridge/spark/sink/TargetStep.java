package io.jellybridge.spark.sink;

import io.jellybridge.codec.Patches;
import io.jellybridge.jena.ProgressListener;
import io.jellybridge.sync.Advance;
import io.jellybridge.sync.SyncTarget;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Has a dataset apply a batch, once. */
final class TargetStep {
    private static final String QUERY_KEY = "urn:jellybridge:query:";
    private static final String BATCH_KEY = "urn:jellybridge:batch";
    private static final Pattern NUMBER = Pattern.compile("\"(\\d+)\"\\^\\^<http://www\\.w3\\.org/2001/XMLSchema#long>");

    private final TargetLocation target;
    private final String key;
    private final String next;
    /** The number of the batch, or -1: it has none, and is applied whatever was before. */
    private final long number;

    private TargetStep(TargetLocation target, String key, String next, long number) {
        this.target = target;
        this.key = key;
        this.next = next;
        this.number = number;
    }

    /** Of a batch that comes once. */
    static TargetStep of(TargetLocation target) {
        return new TargetStep(target, BATCH_KEY, "<urn:uuid:" + UUID.randomUUID() + ">", -1);
    }

    /**
     * Of a batch that may come again.
     *
     * @param writer who numbers the batches
     * @param number the batch's, above those before
     */
    static TargetStep numbered(TargetLocation target, String writer, long number) {
        return new TargetStep(target, QUERY_KEY + URLEncoder.encode(writer, StandardCharsets.UTF_8),
                '"' + Long.toString(number) + "\"^^<http://www.w3.org/2001/XMLSchema#long>", number);
    }

    /**
     * Applies the batch, unless the dataset has it already.
     *
     * @throws io.jellybridge.sync.PositionConflictException another writer came in between; nothing was applied
     * @throws IOException                                   as {@link SyncTarget#apply}
     */
    void take(Patches batch) throws IOException {
        try (SyncTarget dataset = target.open()) {
            String found = dataset.position(key);
            if (number < 0 || found == null || number(found) < number) {
                dataset.apply(batch, new Advance(key, found, next), ProgressListener.NONE);
            }
        }
    }

    private long number(String position) {
        Matcher matcher = NUMBER.matcher(position);
        if (!matcher.matches()) {
            throw new IllegalStateException("the dataset is at " + position + " under <" + key
                    + ">, which is no number of a batch; something else than this sink wrote that");
        }
        return Long.parseLong(matcher.group(1));
    }
}
