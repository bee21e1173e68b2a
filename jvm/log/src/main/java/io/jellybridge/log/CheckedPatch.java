package io.jellybridge.log;

import io.jellybridge.codec.IdHeaders;
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
 * A patch of a source, which is read once. First it reads the headers, which determine its place in a log. The rest is then
 * read while it is written to the log. It rejects a patch that no follower of a log could apply.
 */
public final class CheckedPatch {
    /** The largest size of the headers before other rows. They are kept in memory until the place of the patch is known. */
    private static final int HELD_BYTES = 1 << 20;

    private final PatchSource<byte[]> source;
    private final Events events = new Events();
    private final IdHeaders<String> ids = new IdHeaders<>();
    private Instant time;
    private boolean timed;
    private Chain chain;
    /** The headers without the ids and the chain. */
    private final List<Consumer<PatchHandler<byte[]>>> headers = new ArrayList<>();
    private int held;
    /** The row after the headers, which is read already. */
    private Consumer<PatchHandler<byte[]>> pending;
    private PatchHandler<byte[]> out;
    private boolean ended;
    private boolean started;

    private CheckedPatch(PatchSource<byte[]> source) {
        this.source = source;
        source.requireBalance();
    }

    /** Reads the headers of the next patch of a source; null if there is none. */
    static CheckedPatch next(PatchSource<byte[]> source) throws IOException {
        CheckedPatch patch = new CheckedPatch(source);
        while (patch.pending == null && !patch.ended && source.next(patch.events)) {
            // the handler stores the headers
        }
        return patch.started ? patch : null;
    }

    /** Returns a patch again that was read, with its headers. Its copy has others for {@code id}, {@code prev} and {@code chain}. */
    static CheckedPatch again(PatchSource<byte[]> copy, PatchHeader header) throws IOException {
        CheckedPatch again = next(copy);
        again.ids.put(IdHeaders.ID, header.id());
        again.ids.put(IdHeaders.PREV, header.prev());
        again.chain = header.chain();
        return again;
    }

    /** Returns the headers of the patch. */
    PatchHeader header() {
        return new PatchHeader(ids.id(), ids.prev(), time, chain);
    }

    /** Gives the patch an id if it has none. */
    void nameUnlessNamed(String id) {
        if (ids.id() == null) {
            ids.put(IdHeaders.ID, id);
        }
    }

    /**
     * Checks the header {@code prev}.
     *
     * @throws IllegalArgumentException the patch follows another patch
     */
    void require(String expectedPrev) {
        if (ids.prev() != null && !ids.prev().equals(expectedPrev)) {
            throw new IllegalArgumentException("the patch's header prev is " + ids.prev()
                    + ", and it is to be appended after " + Objects.requireNonNullElse(expectedPrev, "no patch")
                    + "; give it the prev that is meant, or none");
        }
    }

    /**
     * Writes the whole patch to a target, with an id and a {@code prev} as its first rows.
     *
     * @param prevId the id of the patch before it; null to leave it out
     */
    void copyTo(PatchHandler<byte[]> target, String patchId, String prevId) throws IOException {
        PatchIds.writeIds(target, patchId, prevId);
        copyTo(target);
    }

    /**
     * Writes the patch as {@link #copyTo(PatchHandler, String, String)} does. It uses the time of the header if the patch has
     * none, and replaces the chain of the patch by that of the header.
     */
    void copyTo(PatchHandler<byte[]> target, PatchHeader header) throws IOException {
        PatchIds.writeIds(target, header.id(), header.prev());
        if (!timed && header.time() != null) {
            PatchTimes.write(target, PatchTimes.toTerm(header.time()));
        }
        if (header.chain() != null) {
            header.chain().writeTo(target);
        }
        copyTo(target);
    }

    /** Returns the headers of the patch in a log, with the current time if it has none. */
    PatchHeader newHeader(String patchId, String prevId) {
        return new PatchHeader(patchId, prevId, timed ? time : Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    private void copyTo(PatchHandler<byte[]> target) throws IOException {
        headers.forEach(header -> header.accept(target));
        out = target;
        if (pending != null) {
            pending.accept(target);
        }
        while (!ended && source.next(events)) {
            // the handler passes the rows to the target
        }
        target.endPatch();
    }

    /** A handler that stores the headers and passes the following rows on. */
    private final class Events implements PatchHandler<byte[]> {

        @Override
        public void header(byte[] key, byte[] value) {
            started = true;
            String name = IdHeaders.nameOf(key);
            if (name != null) {
                ids.put(name, checkHeader(name, value));
            } else if (Chain.isChain(key)) {
                chain = chain == null ? Chain.of(value) : chain; // the log writes its own
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
                throw source.newError("patch-log", "headers of more than " + HELD_BYTES + " bytes before the other rows",
                        "say in rows what is no header");
            }
            headers.add(handler -> handler.header(key, value));
        }

        private String checkHeader(String name, byte[] value) {
            if (out != null || pending != null) {
                throw source.newError("patch-log", "the header " + name + " after other rows", "put it first");
            }
            String uuid = PatchIds.of(value);
            if (uuid == null) {
                throw source.newError("patch-log", "the header " + name + " is " + new String(value, StandardCharsets.UTF_8),
                        "make it an IRI <urn:uuid:…>");
            }
            if (ids.has(name)) {
                throw source.newError("patch-log", "a second header " + name, "leave one of them out");
            }
            return uuid;
        }

        @Override
        public void transaction(Op op) {
            passOn(handler -> handler.transaction(op));
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            passOn(handler -> handler.prefix(op, name, namespace, graph));
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            if (out != null) {
                out.statement(op, subject, predicate, object, graph);
            } else {
                passOn(handler -> handler.statement(op, subject, predicate, object, graph));
            }
        }

        private void passOn(Consumer<PatchHandler<byte[]>> event) {
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
