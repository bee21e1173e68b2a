package io.jellybridge.log;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * One patch of a source, which is read once: first its headers, which say where in a log it belongs, then the rest, on
 * its way to wherever the log keeps it. Refuses what no follower of a log could apply.
 */
public final class PatchIntake {
    /** What the headers before other rows may take, since they are held until it is known where the patch belongs. */
    private static final int HELD_BYTES = 1 << 20;

    private final PatchSource<byte[]> source;
    private final Events events = new Events();
    private final ChainHeaders<String> chain = new ChainHeaders<>();
    private Instant time;
    private boolean timed;
    private Chain place;
    /** The headers but those of the chain. */
    private final List<Consumer<PatchHandler<byte[]>>> headers = new ArrayList<>();
    private int held;
    /** What came after the headers, already read. */
    private Consumer<PatchHandler<byte[]>> pending;
    private PatchHandler<byte[]> out;
    private boolean ended;
    private boolean started;

    private PatchIntake(PatchSource<byte[]> source) {
        this.source = source;
        source.requireBalance();
    }

    /** Reads the headers of a source's next patch; null when there is none. */
    static PatchIntake next(PatchSource<byte[]> source) throws IOException {
        PatchIntake patch = new PatchIntake(source);
        while (patch.pending == null && !patch.ended && source.next(patch.events)) {
            // the events keep what comes
        }
        return patch.started ? patch : null;
    }

    /** What the patch says of itself. */
    PatchHeader header() {
        return new PatchHeader(chain.id(), chain.prev(), time, place);
    }

    /** Gives the patch an id where it says none. */
    void nameUnlessNamed(String id) {
        if (chain.id() == null) {
            chain.put("id", id);
        }
    }

    /** @throws IllegalArgumentException the patch says that it follows another one */
    void require(String expectedPrev) {
        if (chain.prev() != null && !chain.prev().equals(expectedPrev)) {
            throw new IllegalArgumentException("the patch's header prev is " + chain.prev()
                    + ", and it is to be appended after " + Objects.requireNonNullElse(expectedPrev, "no patch")
                    + "; give it the prev that is meant, or none");
        }
    }

    /**
     * Hands the whole patch over, with an id and a prev as its first rows.
     *
     * @param prevId null: without
     */
    void copyTo(PatchHandler<byte[]> target, String patchId, String prevId) throws IOException {
        PatchIds.write(target, patchId, prevId);
        copyTo(target);
    }

    /**
     * As {@link #copyTo(PatchHandler, String, String)}, with the header's time where the patch has none, and its chain in the
     * place of the patch's.
     */
    void copyTo(PatchHandler<byte[]> target, PatchHeader header) throws IOException {
        PatchIds.write(target, header.id(), header.prev());
        if (!timed && header.time() != null) {
            PatchTimes.write(target, PatchTimes.term(header.time()));
        }
        if (header.chain() != null) {
            header.chain().writeTo(target);
        }
        copyTo(target);
    }

    /** This patch's header in a log: with the time of now where it has none. */
    PatchHeader header(String patchId, String prevId) {
        return new PatchHeader(patchId, prevId, timed ? time : Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    private void copyTo(PatchHandler<byte[]> target) throws IOException {
        headers.forEach(header -> header.accept(target));
        out = target;
        if (pending != null) {
            pending.accept(target);
        }
        while (!ended && source.next(events)) {
            // the events go on to the target
        }
        target.endPatch();
    }

    /** Keeps the headers, and hands on what follows. */
    private final class Events implements PatchHandler<byte[]> {

        @Override
        public void header(byte[] key, byte[] value) {
            started = true;
            String name = ChainHeaders.name(key);
            if (name != null) {
                chain.put(name, checked(name, value));
            } else if (Chain.isChain(key)) {
                place = place == null ? Chain.of(value) : place; // the log says its own
            } else if (out != null) {
                out.header(key, value);
            } else {
                hold(key, value);
                if (PatchTimes.isTime(key)) {
                    timed = true;
                    time = PatchTimes.of(value);
                }
            }
        }

        private void hold(byte[] key, byte[] value) {
            held += key.length + value.length;
            if (held > HELD_BYTES) {
                throw source.error("patch-log", "headers of more than " + HELD_BYTES + " bytes before the other rows",
                        "say in rows what is no header");
            }
            headers.add(handler -> handler.header(key, value));
        }

        private String checked(String name, byte[] value) {
            if (out != null || pending != null) {
                throw source.error("patch-log", "the header " + name + " after other rows", "put it first");
            }
            String uuid = PatchIds.of(value);
            if (uuid == null) {
                throw source.error("patch-log", "the header " + name + " is " + new String(value, StandardCharsets.UTF_8),
                        "make it an IRI <urn:uuid:…>");
            }
            if (chain.has(name)) {
                throw source.error("patch-log", "a second header " + name, "leave one of them out");
            }
            return uuid;
        }

        @Override
        public void transaction(Op op) {
            hand(handler -> handler.transaction(op));
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            hand(handler -> handler.prefix(op, name, namespace, graph));
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            if (out != null) {
                out.statement(op, subject, predicate, object, graph);
            } else {
                hand(handler -> handler.statement(op, subject, predicate, object, graph));
            }
        }

        private void hand(Consumer<PatchHandler<byte[]>> event) {
            started = true;
            if (out != null) {
                event.accept(out);
            } else {
                pending = event;
            }
        }

        @Override
        public void endPatch() {
            started = true;
            ended = true;
        }
    }
}
