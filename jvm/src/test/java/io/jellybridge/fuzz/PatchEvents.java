package io.jellybridge.fuzz;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The events of a stream: as lines, to compare them, and to hand them on. */
final class PatchEvents implements PatchHandler<byte[]> {
    private interface Event {
        void to(PatchHandler<byte[]> handler);
    }

    private final List<String> lines = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    /** Hands all events on. */
    void replay(PatchHandler<byte[]> handler) {
        events.forEach(event -> event.to(handler));
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** @throws AssertionError the other events are not these */
    void checkSame(PatchEvents other, String what) {
        if (other == null || !lines.equals(other.lines)) {
            throw new AssertionError(what + ": " + lines + " but " + (other == null ? "an error" : other.lines));
        }
    }

    @Override
    public void header(byte[] key, byte[] value) {
        add(to -> to.header(key, value), Op.H, key, value);
    }

    @Override
    public void transaction(Op op) {
        add(to -> to.transaction(op), op);
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        add(to -> to.prefix(op, name, namespace, graph), op, name, namespace, graph);
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        add(to -> to.statement(op, subject, predicate, object, graph), op, subject, predicate, object, graph);
    }

    @Override
    public void endPatch() {
        lines.add("---");
        events.add(PatchHandler::endPatch);
    }

    private void add(Event event, Op op, byte[]... texts) {
        lines.add(line(op.name(), texts));
        events.add(event);
    }

    /** A word and texts, in UTF-8 or null, as one line. */
    static String line(String word, byte[]... texts) {
        StringBuilder line = new StringBuilder(word);
        for (byte[] text : texts) {
            line.append(' ').append(text == null ? null : new String(text, StandardCharsets.UTF_8));
        }
        return line.toString();
    }
}
