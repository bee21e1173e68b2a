package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.wire.WireWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/** Writes and reads streams in memory. */
final class Streams {
    static final PatchOptions QUADS = PatchOptions.DEFAULT;
    static final PatchOptions TRIPLES = QUADS.withStatementType(StatementType.TRIPLES);
    /** For what is about the format, which has text for any IRI and any tag. */
    static final WriteOptions ANY_TERMS = WriteOptions.DEFAULT.withTerms(TermRules.ANY);

    private Streams() {
    }

    static byte[] utf8(String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }

    /** What {@code calls} write. */
    static byte[] write(PatchOptions options, WriteOptions cut, Consumer<PatchWriter<byte[]>> calls) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "test", new Utf8Terms(), options, cut)) {
            calls.accept(writer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static byte[] write(PatchOptions options, Consumer<PatchWriter<byte[]>> calls) {
        return write(options, ANY_TERMS, calls);
    }

    /** A stream of one frame. */
    static byte[] delimited(WireWriter frame) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WireWriter head = new WireWriter(10);
        head.writeVarint(frame.size());
        try {
            head.writeTo(out);
            frame.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** The events of a stream, see {@link Recorder}. */
    static List<String> read(byte[] stream, ReadOptions options) {
        Recorder recorder = new Recorder();
        readInto(stream, options, recorder);
        return recorder.lines;
    }

    static List<String> read(byte[] stream) {
        return read(stream, ReadOptions.STRICT);
    }

    static void readInto(byte[] stream, ReadOptions options, PatchHandler<byte[]> handler) {
        try (PatchReader<byte[]> reader =
                new PatchReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), options)) {
            reader.readAll(handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One call on a writer, with terms as text. */
    static void add(PatchHandler<byte[]> to, String subject, String predicate, String object, String graph) {
        to.statement(Op.A, utf8(subject), utf8(predicate), utf8(object), utf8(graph));
    }

    static void bind(PatchHandler<byte[]> to, String prefix, String namespace, String graph) {
        to.prefix(Op.PA, utf8(prefix), utf8(namespace), utf8(graph));
    }
}
