package io.jellybridge.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.jellybridge.wire.WireWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Streams of ours with restart points whose rows were altered, so that some break the rules of restart points: compares what
 * our reader makes of them with what the independent readers make, which know no restart points. A reader of ours may refuse
 * a stream. If it reads one, then as they do.
 */
final class AlteredRestarts {
    private static final int TEXT = 300;
    private static final int NEAR = 12;

    private final List<String> differences = new ArrayList<>();
    private int same;
    private int refused;

    /** The streams that were read as others read them; */
    int same() {
        return same;
    }

    /** that were refused; */
    int refused() {
        return refused;
    }

    /** and that were read otherwise, with their seeds. */
    List<String> differences() {
        return differences;
    }

    /** Compares the streams of the seeds from 0 to {@code count - 1}; in turn Jelly-Patch and Jelly-RDF, of each type. */
    void compare(int count) throws IOException {
        for (int seed = 0; seed < count; seed++) {
            Random random = new Random(seed);
            boolean patch = seed % 2 == 0;
            Descriptor type = patch ? IndependentReader.FRAME : IndependentRdfReader.FRAME;
            byte[] stream = altered(type, patch ? patches(seed, random) : statements(seed, random), random);
            List<?> ours;
            try {
                ours = patch ? Streams.read(stream, ReadOptions.DEFAULT) : RdfEventRecorder.read(
                        new ByteArrayInputStream(stream), new Utf8Terms(), ReadOptions.DEFAULT, EventTerms::ofText).frames;
            } catch (FormatException e) {
                refused++;
                continue;
            }
            compare(seed, patch, stream, ours);
        }
    }

    private void compare(int seed, boolean patch, byte[] stream, List<?> ours) {
        try {
            List<?> expected = patch ? IndependentReader.read(stream, true, false)
                    : IndependentRdfReader.read(stream, true, false).frames();
            if (expected.equals(ours)) {
                same++;
            } else {
                differences.add("seed " + seed + ": other events");
            }
        } catch (AssertionError e) {
            if (!GeneratedStreams.isTolerated(e.getMessage())) {
                differences.add("seed " + seed + ": " + e.getMessage());
            }
        }
    }

    private static WriteOptions cut(Random random) {
        return new WriteOptions(1 + random.nextInt(6), true, 16 << 20, 1 + random.nextInt(2 * TEXT), TermRules.ANY);
    }

    private static byte[] patches(int seed, Random random) {
        StreamType type = StreamType.values()[random.nextInt(StreamType.values().length)];
        byte[] file = StreamSplitTest.withoutChecksums(StreamSplitTest.randomFile(seed, type, cut(random)));
        // Of joined FLAT streams others make one patch.
        return type == StreamType.FLAT || random.nextInt(4) > 0 ? file
                : StreamSplitTest.join(file,
                        StreamSplitTest.withoutChecksums(StreamSplitTest.randomFile(seed + 1L, type, cut(random))));
    }

    private static byte[] statements(int seed, Random random) throws IOException {
        PhysicalType type = PhysicalType.values()[random.nextInt(PhysicalType.values().length)];
        RdfOptions options = new RdfOptions("", type, type == PhysicalType.TRIPLES ? 1 : 2, true, true, 16, 8, 4, 2);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<byte[]> writer = new RdfWriter<>(out, "test", new Utf8Terms(), options, cut(random))) {
            new RandomStatements(seed, options).frames(writer, 8, () -> { });
        }
        return StreamSplitTest.withoutChecksums(out.toByteArray());
    }

    // --- altering

    private static byte[] altered(Descriptor type, byte[] file, Random random) throws InvalidProtocolBufferException {
        FieldDescriptor rowsField = type.findFieldByName("rows");
        List<byte[]> restarts = new ArrayList<>();
        List<List<Message>> frames = new ArrayList<>();
        List<Integer> behindRestarts = new ArrayList<>();
        for (DynamicMessage frame : IndependentStream.frames(type, file, true)) {
            List<ByteString> found =
                    frame.getUnknownFields().getField(IndependentStream.RESTART_FIELD).getLengthDelimitedList();
            if (!found.isEmpty()) {
                behindRestarts.add(frames.size());
            }
            restarts.add(found.isEmpty() ? null : found.get(0).toByteArray());
            frames.add(new ArrayList<>(IndependentStream.messages(frame, rowsField.getName())));
        }
        for (int changes = random.nextInt(3); changes > 0; changes--) {
            int frame = random.nextInt(3) > 0 ? behindRestarts.get(random.nextInt(behindRestarts.size()))
                    : random.nextInt(frames.size());
            alter(frames.get(frame), random);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int start = 0;
        for (int i = 0; i < frames.size(); i++) {
            byte[] restart = restarts.get(i);
            if (restart != null && isFirst(restart)) {
                start = out.size();
            }
            out.writeBytes(frame(restart, frames.get(i), out.size() - start, random));
        }
        return out.toByteArray();
    }

    private static boolean isFirst(byte[] restart) {
        return numbers(restart).getLong(2 + Restart.MARK_BYTES + 1 + Integer.BYTES + 1) == 0;
    }

    private static ByteBuffer numbers(byte[] restart) {
        return ByteBuffer.wrap(restart).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A frame whose restart point states its length and offset, and now and then another. */
    private static byte[] frame(byte[] restart, List<Message> rows, int offset, Random random) {
        WireWriter content = new WireWriter(TEXT);
        for (Message row : rows) {
            byte[] bytes = row.toByteArray();
            content.bytesField(1, bytes, 0, bytes.length);
        }
        WireWriter frame = new WireWriter(TEXT);
        if (restart != null) {
            int wrong = random.nextInt(100) == 0 ? 1 : 0;
            int length = 2 + 1 + restart.length + content.size();
            numbers(restart).putInt(2 + Restart.MARK_BYTES + 1, length + wrong);
            numbers(restart).putLong(2 + Restart.MARK_BYTES + 1 + Integer.BYTES + 1, offset);
            frame.bytesField(Restart.FIELD, restart, 0, restart.length);
        }
        byte[] rest = new byte[content.size()];
        content.copyTo(rest, 0, rest.length);
        byte[] head = new byte[frame.size()];
        frame.copyTo(head, 0, head.length);
        WireWriter length = new WireWriter(Integer.BYTES);
        length.writeVarint(head.length + rest.length);
        byte[] before = new byte[length.size()];
        length.copyTo(before, 0, before.length);
        return StreamSplitTest.join(before, head, rest);
    }

    private static void alter(List<Message> rows, Random random) {
        if (rows.size() < 2) {
            return;
        }
        int at = 1 + random.nextInt(Math.min(NEAR, rows.size() - 1));
        switch (random.nextInt(8)) {
            case 0 -> rows.remove(at);
            case 1 -> rows.add(at, rows.get(at));
            case 2 -> rows.add(at, rows.remove(1 + random.nextInt(rows.size() - 1)));
            default -> rows.set(at, altered(rows.get(at), random));
        }
    }

    private static Message altered(Message message, Random random) {
        List<FieldDescriptor> fields = new ArrayList<>(message.getAllFields().keySet());
        if (fields.isEmpty()) {
            return message;
        }
        FieldDescriptor field = fields.get(random.nextInt(fields.size()));
        Message.Builder altered = message.toBuilder();
        Object value = message.getField(field);
        if (value instanceof Message inner && (fields.size() == 1 || random.nextInt(4) > 0)) {
            altered.setField(field, altered(inner, random));
        } else if (value instanceof Integer && random.nextBoolean()) {
            altered.setField(field, random.nextInt(8));
        } else if (fields.size() > 1 || !(value instanceof Message)) {
            altered.clearField(field);
        }
        return altered.build();
    }
}
