package io.jellybridge.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is written is what protobuf's own writer writes, wherever the buffer has to grow. */
class WireWriterTest {

    /** A thing to write, by us and by protobuf. */
    private record Piece(Consumer<WireWriter> ours, Writing theirs) {
    }

    private interface Writing {
        void to(CodedOutputStream out) throws IOException;
    }

    private static byte[] encoded(Writing writing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        writing.to(out);
        out.flush();
        return bytes.toByteArray();
    }

    private static byte[] encoded(WireWriter writer) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.writeTo(bytes);
        return bytes.toByteArray();
    }

    private static int number(Random random) {
        return random.nextInt() >>> random.nextInt(32);
    }

    private static Piece any(Random random) {
        int field = 1 + (number(random) >>> 3);
        int first = number(random);
        int second = number(random);
        byte[] content = new byte[random.nextInt(random.nextBoolean() ? 20 : 300)];
        random.nextBytes(content);
        return switch (random.nextInt(8)) {
            case 0 -> new Piece(ours -> ours.varintField(field, Integer.toUnsignedLong(first)), theirs -> {
                if (first != 0) {
                    theirs.writeUInt32(field, first);
                }
            });
            case 1 -> new Piece(ours -> ours.bytesField(field, content, 0, content.length),
                    theirs -> theirs.writeByteArray(field, content));
            case 2 -> new Piece(ours -> ours.emptyMessageField(field), theirs -> theirs.writeByteArray(field, new byte[0]));
            case 3 -> new Piece(ours -> ours.setFixed32(ours.fixed32Field(field), first),
                    theirs -> theirs.writeFixed32(field, first));
            case 4 -> new Piece(ours -> ours.pairField(field, first, second),
                    theirs -> theirs.writeByteArray(field, pair(first, second)));
            case 5 -> new Piece(ours -> {
                WireWriter inner = new WireWriter(0);
                inner.bytesField(1, content, 0, content.length);
                ours.messageOfMessage(field, 15 + (first >>> 8), inner);
            }, theirs -> theirs.writeByteArray(field, encoded(
                    outer -> outer.writeByteArray(15 + (first >>> 8), encoded(inner -> inner.writeByteArray(1, content))))));
            case 6 -> new Piece(ours -> ours.fixed64Field(field, (long) first << 20 | second),
                    theirs -> theirs.writeFixed64(field, (long) first << 20 | second));
            default -> new Piece(ours -> {
                int mark = ours.beginMessage(field);
                ours.bytesField(2, content, 0, content.length);
                ours.endMessage(mark);
            }, theirs -> theirs.writeByteArray(field, encoded(inner -> inner.writeByteArray(2, content))));
        };
    }

    private static byte[] pair(int first, int second) throws IOException {
        return encoded(pair -> {
            if (first != 0) {
                pair.writeUInt32(1, first);
            }
            if (second != 0) {
                pair.writeUInt32(2, second);
            }
        });
    }

    @Test
    void everyPieceIsWrittenAsProtobufWritesItAtEveryCapacity() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            List<Piece> pieces = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                pieces.add(any(random));
            }
            WireWriter ours = new WireWriter(random.nextInt(40));
            byte[] theirs = encoded(out -> {
                for (Piece piece : pieces) {
                    piece.theirs().to(out);
                }
            });
            pieces.forEach(piece -> piece.ours().accept(ours));
            assertArrayEquals(theirs, encoded(ours));
            assertEquals(theirs.length, ours.size());
        }
    }

    @Test
    void aMessageGrowsByTheBytesThatItsLengthTakes() throws IOException {
        for (int length : new int[] {0, 1, 124, 125, 126, 127, 128, 129, 16_380, 16_381, 16_382, 16_383, 16_384, 2_097_200}) {
            byte[] content = new byte[length];
            new Random(length).nextBytes(content);
            byte[] theirs = encoded(out -> out.writeByteArray(1, encoded(inner -> inner.writeByteArray(2, content))));
            // A capacity for all but the bytes of the length, and for one byte more or less.
            for (int capacity = theirs.length - 3; capacity <= theirs.length + 1; capacity++) {
                WireWriter ours = new WireWriter(Math.max(0, capacity));
                int mark = ours.beginMessage(1);
                ours.bytesField(2, content, 0, length);
                ours.endMessage(mark);
                assertArrayEquals(theirs, encoded(ours));
            }
        }
    }

    @Test
    void whatIsDroppedIsDroppedAtItsEnd() throws IOException {
        WireWriter writer = new WireWriter(0);
        writer.bytesField(1, new byte[] {9, 8, 7, 6}, 1, 3);
        assertTrue(writer.startsAt(2, 3, new byte[] {8, 7, 6, 5}));
        assertTrue(writer.startsAt(3, 2, new byte[] {7, 6}));
        assertFalse(writer.startsAt(2, 3, new byte[] {8, 7, 5}));
        byte[] target = new byte[2];
        writer.copyTo(target, 3, 2);
        assertArrayEquals(new byte[] {7, 6}, target);
        writer.removeFirst(2);
        assertArrayEquals(new byte[] {8, 7, 6}, encoded(writer));
        writer.truncateTo(1);
        assertArrayEquals(new byte[] {8}, encoded(writer));
        writer.writeVarint(300);
        ByteArrayOutputStream start = new ByteArrayOutputStream();
        writer.writeTo(start, 2);
        assertArrayEquals(new byte[] {8, (byte) 0xAC}, start.toByteArray());
        writer.clear();
        assertEquals(0, writer.size());
    }
}
