package io.jellybridge.log;

import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import java.time.Instant;

/** A handler that reads the headers at the beginning of a patch. */
final class HeaderReader implements ChangeRowHandler<byte[]> {
    private final IdHeaders<String> ids = new IdHeaders<>();
    private Instant time;
    private Chain chain;
    private boolean lost;
    private boolean done;

    private HeaderReader() {
    }

    /** Reads up to the first row that is not a header. */
    static PatchHeader readHeader(PatchSource<byte[]> patch) throws IOException {
        return readHeaders(patch).header();
    }

    /** Reads the headers of a placeholder for a lost patch; null if the patch is not a placeholder. */
    static PatchHeader readPlaceholder(PatchSource<byte[]> patch) throws IOException {
        HeaderReader reader = readHeaders(patch);
        return reader.lost && reader.ids.id() != null ? reader.header() : null;
    }

    private static HeaderReader readHeaders(PatchSource<byte[]> patch) throws IOException {
        HeaderReader reader = new HeaderReader();
        ChangeRows<byte[]> rows = new ChangeRows<>(patch, reader);
        while (!reader.done && patch.next(rows)) {
            // the handler stores the headers
        }
        return reader;
    }

    private PatchHeader header() {
        return new PatchHeader(ids.id(), ids.prev(), time, chain);
    }

    @Override
    public void row(long patch, long tx, long row, Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph,
            byte[] key, byte[] value) {
        if (op != Op.H) {
            done = true;
            return;
        }
        String name = IdHeaders.nameOf(key);
        if (name != null) {
            ids.put(name, PatchIds.of(value));
        } else if (PatchTimes.isTime(key)) {
            time = PatchTimes.of(value);
        } else if (Chain.isChain(key)) {
            chain = chain == null ? Chain.of(value) : chain;
        } else if (EntryCheck.isLost(key)) {
            lost = true;
        }
    }

    @Override
    public void endPatch() {
        done = true;
    }
}
