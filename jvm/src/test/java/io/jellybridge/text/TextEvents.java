package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.Utf8Terms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Keeps the events of a text as lines such as {@code A <s> <p> "o"}; {@code -} is a namespace that is not there. */
final class TextEvents implements PatchHandler<byte[]> {
    static final String END_PATCH = "---";

    final List<String> lines = new ArrayList<>();

    static List<String> read(byte[] text, RdfPatchReadOptions options) {
        TextEvents events = new TextEvents();
        events.readAll(text, options);
        return events.lines;
    }

    static List<String> read(String text) {
        return read(text.getBytes(UTF_8), RdfPatchReadOptions.DEFAULT);
    }

    void readAll(byte[] text, RdfPatchReadOptions options) {
        try (RdfPatchReader<byte[]> reader =
                new RdfPatchReader<>(new ByteArrayInputStream(text), "test", new Utf8Terms(), options)) {
            reader.readAll(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void header(byte[] key, byte[] value) {
        lines.add("H \"" + new String(key, UTF_8) + '"' + text(value));
    }

    @Override
    public void transaction(Op op) {
        lines.add(op.name());
    }

    @Override
    public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
        lines.add(op + " \"" + new String(name, UTF_8) + '"'
                + (namespace == null ? " -" : text(namespace)) + text(graph));
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        lines.add(op + text(subject) + text(predicate) + text(object) + text(graph));
    }

    @Override
    public void endPatch() {
        lines.add(END_PATCH);
    }

    private static String text(byte[] term) {
        return term == null ? "" : " " + new String(term, UTF_8);
    }
}
