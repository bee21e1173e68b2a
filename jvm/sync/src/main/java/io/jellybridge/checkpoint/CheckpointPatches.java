package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.checkpoint.CheckpointQuads.CheckpointStream;
import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.NumberedEvents;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PatchTimes;
import java.io.IOException;

/**
 * The content of a checkpoint as one patch, which adds the quads and prefixes to an empty dataset in one transaction.
 *
 * @param hasHeaders true to give the patch its id and its time, so that the next patch follows it
 */
public record CheckpointPatches(Checkpoint checkpoint, boolean hasHeaders) implements Patches {

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        TermBuilder<byte[], T> builder = new TermBuilder<>(new Utf8Terms(), terms);
        T id = hasHeaders ? builder.translate(checkpoint.position().getBytes(UTF_8)) : null;
        T time = hasHeaders && checkpoint.time() != null ? builder.translate(PatchTimes.toTerm(checkpoint.time())) : null;
        return new Source<>(new CheckpointStream<>(checkpoint, terms), id, time);
    }

    private static final class Source<T> implements PatchSource<T>, RdfHandler<T> {
        private final CheckpointStream<T> stream;
        private final NumberedEvents<T> events = new NumberedEvents<>("checkpoint", (rule, found, advice) -> null);
        /** The headers that are still to be sent; null if none. */
        private T id;
        private T time;
        private boolean handed;

        Source(CheckpointStream<T> stream, T id, T time) {
            this.stream = stream;
            this.id = id;
            this.time = time;
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            events.setTarget(handler);
            if (id != null) {
                IdHeaders.write(events, id, null);
                id = null;
                return true;
            }
            if (time != null) {
                PatchTimes.write(events, time);
                time = null;
                return true;
            }
            if (numbers().lastTransaction() < 0) {
                events.transaction(Op.TX);
                return true;
            }
            if (!numbers().transactionOpen()) {
                return events.endStream();
            }
            handed = false;
            while (!handed) {
                if (!stream.next(this)) {
                    events.transaction(Op.TC);
                    handed = true;
                }
            }
            return true;
        }

        @Override
        public void namespace(byte[] name, T namespace) {
            events.prefix(Op.PA, name, namespace, null);
            handed = true;
        }

        @Override
        public void statement(T subject, T predicate, T object, T graph) {
            events.statement(Op.A, subject, predicate, object, graph);
            handed = true;
        }

        @Override
        public ChangeCounter numbers() {
            return events.numbers();
        }

        @Override
        public void requireBalance() {
            // it is balanced
        }

        @Override
        public FormatException newError(String rule, String found, String advice) {
            return stream.newError(rule, found, advice);
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
