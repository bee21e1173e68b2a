package io.jellybridge.spark.sink;

import io.jellybridge.jena.apply.ApplyException;
import io.jellybridge.jena.apply.PositionConflictException;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.spark.staging.BatchFailedException;
import io.jellybridge.spark.staging.StagedBatch;
import io.jellybridge.spark.staging.StagedWrite.BatchStep;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A batch step that makes a dataset apply a batch exactly once. */
final class ExactlyOnceStep implements BatchStep {
    private static final String QUERY_KEY = "urn:jellybridge:query:";
    private static final String BATCH_KEY = "urn:jellybridge:batch";
    private static final long NONE = -1;
    private static final Logger LOGGER = LoggerFactory.getLogger(ExactlyOnceStep.class);

    private final JenaSinkOptions options;
    private final String key;
    /** The number of the batch; {@link #NONE} to apply it regardless of earlier batches. */
    private final long number;
    /** True if the dataset must have the number before this one. */
    private final boolean consecutive;

    private ExactlyOnceStep(JenaSinkOptions options, String key, long number, boolean consecutive) {
        this.options = options;
        this.key = key;
        this.number = number;
        this.consecutive = consecutive;
    }

    /** Creates the step of a batch write. With {@code txnAppId}, the write may be repeated. */
    static ExactlyOnceStep ofBatch(JenaSinkOptions options) {
        return options.staging().txnAppId() == null
                ? new ExactlyOnceStep(options, BATCH_KEY, NONE, false)
                : withNumbers(options, options.staging().txnAppId(), options.staging().txnVersion(),
                        options.txnConsecutive());
    }

    /**
     * Creates the step of an epoch of a streaming query. An epoch may be repeated, and none may be missing.
     *
     * @param epoch from 0
     */
    static ExactlyOnceStep ofEpoch(JenaSinkOptions options, String query, long epoch) {
        return withNumbers(options, query, epoch, true);
    }

    private static ExactlyOnceStep withNumbers(JenaSinkOptions options, String writer, long number, boolean consecutive) {
        return new ExactlyOnceStep(options, QUERY_KEY + URLEncoder.encode(writer, StandardCharsets.UTF_8), number, consecutive);
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
                String found = dataset.readPosition(key);
                BatchPosition last = found == null || number == NONE ? null : BatchPosition.parsePosition(found, key);
                if (number == NONE || isNext(last)) {
                    dataset.apply(batch, new PositionUpdate(key, found, nextPosition(last, batch)), ProgressListener.NONE);
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
        if (number < had) {
            LOGGER.warn("{}: batch {} of <{}> is not applied, since the dataset has batch {} of it", options.target(), number, key, had);
        }
        return number > had;
    }

    private String nextPosition(BatchPosition last, StagedBatch batch) throws IOException {
        PatchChain chain = last == null ? new PatchChain() : last.chain();
        if (options.checkChain()) {
            chain.follow(batch);
        }
        return number == NONE ? "<urn:uuid:" + UUID.randomUUID() + ">"
                : new BatchPosition(number, options.checkChain() ? chain : new PatchChain()).term();
    }

    /**
     * The position that a dataset stores for a writer of batches. As a term, it is the number of the batch, an {@code xsd:long}. If
     * the patches have chains, it is a text of words: the number, then the state of the chains.
     *
     * @param number the number of the last batch
     * @param chain  the state of the chains after that batch
     */
    record BatchPosition(long number, PatchChain chain) {
        private static final String LONG = "^^<http://www.w3.org/2001/XMLSchema#long>";
        private static final Pattern TERM = Pattern.compile("\"(\\d{1,19})(?:" + Pattern.quote('"' + LONG)
                + "|((?: [^\" ]+){3,})\")");
        /** The characters that end a word or are escaped in a literal, with their replacements. */
        private static final String[][] ESCAPES = {{"%", "%25"}, {" ", "%20"}, {"\"", "%22"}, {"\\", "%5C"}};

        /**
         * Parses the position that a dataset stores.
         *
         * @param key the key under which it is stored, for the message
         * @throws IllegalStateException the term is not a position
         */
        static BatchPosition parsePosition(String term, String key) {
            Matcher matcher = TERM.matcher(term);
            if (!matcher.matches()) {
                throw new IllegalStateException("the dataset is at " + term + " under <" + key
                        + ">, which is no number of a batch; something else than this sink wrote that");
            }
            List<String> state = matcher.group(2) == null ? List.of()
                    : Arrays.stream(matcher.group(2).substring(1).split(" ")).map(BatchPosition::unescapeText).toList();
            return new BatchPosition(Long.parseLong(matcher.group(1)), new PatchChain(state));
        }

        /** Returns the position in canonical N-Triples. */
        String term() {
            List<String> words = new ArrayList<>(List.of(Long.toString(number)));
            chain.state().forEach(term -> words.add(escape(term)));
            return '"' + String.join(" ", words) + '"' + (words.size() == 1 ? LONG : "");
        }

        private static String escape(String term) {
            String word = term;
            for (String[] escape : ESCAPES) {
                word = word.replace(escape[0], escape[1]);
            }
            return word;
        }

        private static String unescapeText(String word) {
            String term = word;
            for (int i = ESCAPES.length - 1; i >= 0; i--) {
                term = term.replace(ESCAPES[i][1], ESCAPES[i][0]);
            }
            return term;
        }
    }
}
