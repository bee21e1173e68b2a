package io.jellybridge.checkpoint;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.NumberedEvents;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.log.Checkpoint;
import java.io.IOException;

/** The quads and prefixes of a checkpoint as one patch that adds them to an empty dataset, in one transaction. */
public record CheckpointPatches(Checkpoint checkpoint) implements Patches {

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
        return new Source<>(new CheckpointStream<>(checkpoint, terms));
    }

    private static final class Source<T> implements PatchSource<T>, RdfHandler<T> {
        private final CheckpointStream<T> stream;
        private final NumberedEvents<T> events = new NumberedEvents<>("checkpoint", (rule, found, advice) -> null);
        private boolean handed;

        Source(CheckpointStream<T> stream) {
            this.stream = stream;
        }

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            events.to(handler);
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
        public FormatException error(String rule, String found, String advice) {
            return stream.error(rule, found, advice);
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
