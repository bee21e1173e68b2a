package io.jellybridge.log;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads the headers that a patch begins with. */
final class HeaderReader implements PatchHandler<byte[]> {
    private String id;
    private String prev;
    private boolean lost;
    private boolean done;

    private HeaderReader() {
    }

    /** Reads as far as the first row that is no header. */
    static PatchHeader read(PatchSource<byte[]> patch) throws IOException {
        return readHeaders(patch).header();
    }

    /** As {@link #read}, of a stand-in for a patch that was lost; null where the patch is none. */
    static PatchHeader readStandIn(PatchSource<byte[]> patch) throws IOException {
        HeaderReader reader = readHeaders(patch);
        return reader.lost && reader.id != null ? reader.header() : null;
    }

    private static HeaderReader readHeaders(PatchSource<byte[]> patch) throws IOException {
        HeaderReader reader = new HeaderReader();
        while (!reader.done && patch.next(reader)) {
            // the reader keeps what it looks for
        }
        return reader;
    }

    private PatchHeader header() {
        return new PatchHeader(id, prev);
    }

    @Override
    public void header(byte[] key, byte[] value) {
        String name = new String(key, StandardCharsets.UTF_8);
        if (name.equals(PatchIds.ID)) {
            id = PatchIds.of(value);
        } else if (name.equals(PatchIds.PREV)) {
            prev = PatchIds.of(value);
        } else if (name.equals(EntryCheck.LOST)) {
            lost = true;
        }
    }

    @Override
    public void transaction(Op op) {
        done = true;
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        done = true;
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        done = true;
    }

    @Override
    public void endPatch() {
        done = true;
    }
}
