package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Keeps the events of a stream as lines, such as {@code A <s> <p> "o" null}. */
final class Recorder implements PatchHandler<byte[]> {
    static final String END_PATCH = "---";

    final List<String> lines = new ArrayList<>();

    @Override
    public void header(byte[] key, byte[] value) {
        add(Op.H, key, value);
    }

    @Override
    public void transaction(Op op) {
        add(op);
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        add(op, name, namespace, graph);
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        add(op, subject, predicate, object, graph);
    }

    @Override
    public void endPatch() {
        lines.add(END_PATCH);
    }

    private void add(Op op, byte[]... texts) {
        StringBuilder line = new StringBuilder(op.name());
        for (byte[] text : texts) {
            line.append(' ').append(text == null ? null : new String(text, UTF_8));
        }
        lines.add(Objects.toString(line));
    }

    long patches() {
        return lines.stream().filter(END_PATCH::equals).count();
    }
}
