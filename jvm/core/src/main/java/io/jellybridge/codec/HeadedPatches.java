package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Map;

/** The patches of another source with headers more, which replace their own headers of the same names. */
public final class HeadedPatches extends ForwardingHandler<byte[]> implements ForwardingSource<byte[], byte[]> {
    private final PatchSource<byte[]> source;
    private final Map<String, String> headers;
    private boolean isInside;

    /**
     * Creates a source.
     *
     * @param headers terms by their names
     */
    public HeadedPatches(PatchSource<byte[]> source, Map<String, String> headers) {
        this.source = source;
        this.headers = headers;
    }

    @Override
    public PatchSource<byte[]> source() {
        return source;
    }

    @Override
    public boolean next(PatchHandler<byte[]> handler) throws IOException {
        setTarget(handler);
        return source.next(this);
    }

    @Override
    public void header(byte[] key, byte[] value) {
        begin();
        if (!headers.containsKey(new String(key, UTF_8))) {
            super.header(key, value);
        }
    }

    @Override
    public void transaction(Op op) {
        begin();
        super.transaction(op);
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        begin();
        super.prefix(op, name, namespace, graph);
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        begin();
        super.statement(op, subject, predicate, object, graph);
    }

    @Override
    public void endPatch() {
        begin();
        isInside = false;
        super.endPatch();
    }

    private void begin() {
        if (!isInside) {
            isInside = true;
            headers.forEach((name, value) -> super.header(name.getBytes(UTF_8), value.getBytes(UTF_8)));
        }
    }
}
