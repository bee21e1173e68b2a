package io.jellybridge.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireReaderTest {

    private static WireReader over(byte[] bytes) {
        WireReader reader = new WireReader();
        reader.reset(bytes, 0, bytes.length);
        return reader;
    }

    private static byte[] written(WireWriter writer) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writer.writeTo(out);
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 16383, 16384, 0x7FFFFFFFL, 0x80000000L, 0xFFFFFFFFL, Long.MAX_VALUE, -1})
    void aNumberIsReadAsItWasWritten(long number) throws IOException {
        WireWriter writer = new WireWriter(0);
        writer.writeVarint(number);
        assertEquals(number, over(written(writer)).varint());
        assertEquals(number & 0xFFFFFFFFL, over(written(writer)).uint32());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 16383, 16384, 2_100_000})
    void aMessageOfAnyLengthIsReadAsItWasWritten(int length) throws IOException {
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 7);
        WireWriter writer = new WireWriter(0);
        int outer = writer.beginMessage(3);
        writer.bytesField(1, content, 0, length);
        writer.endMessage(outer);
        writer.emptyMessageField(4);
        WireReader reader = over(written(writer));
        assertEquals(3 << 3 | 2, reader.tag());
        int end = reader.length() + reader.position();
        assertEquals(1 << 3 | 2, reader.tag());
        assertEquals(length, reader.length());
        assertArrayEquals(content, Arrays.copyOfRange(reader.bytes(), reader.position(), end));
        reader.setWindow(end, end + 2);
        assertEquals(4 << 3 | 2, reader.tag());
        assertEquals(0, reader.length());
    }

    @Test
    void everyWireTypeIsSkippedGroupsIncluded() {
        byte[] fields = HexFormat.of().parseHex(
                "089601" + "110102030405060708" + "1203616263" + "1B080123241C" + "2501020304" + "3005");
        WireReader reader = over(fields);
        for (int end : new int[] {3, 12, 17, 23, 28}) {
            assertFalse(reader.atEnd());
            reader.skip(reader.tag());
            assertEquals(end, reader.position());
        }
        assertEquals(6 << 3, reader.tag());
        assertEquals(5, reader.varint());
        reader.setWindow(3, 28);
        reader.skipAll();
        assertTrue(reader.atEnd());
    }

    @Test
    void aWireTypeThatProtobufDoesNotHaveIsNamed() {
        WireReader reader = over(HexFormat.of().parseHex("0F00"));
        WireException error = assertThrows(WireException.class, reader::skipAll);
        assertEquals("wire type 7 where a field's value is due", error.getMessage());
        assertEquals(1, error.position());
    }

    @ParameterizedTest
    @ValueSource(strings =
            {"", "80", "FFFFFFFFFFFFFFFFFFFF01", "00", "0205", "0AFFFFFFFF0F", "0903", "0D", "0C", "0B0C0B", "07"})
    void whatIsNoFieldIsAnError(String hex) {
        WireReader reader = over(HexFormat.of().parseHex(hex));
        assertThrows(WireException.class, () -> {
            for (int i = 0; i < 3; i++) {
                reader.skip(reader.tag());
            }
        });
    }

    @Test
    void aNumberHasTenBytesAtMost() {
        assertEquals(-1, over(HexFormat.of().parseHex("FFFFFFFFFFFFFFFFFF01")).varint());
        assertEquals(0, over(HexFormat.of().parseHex("80808080808080808000")).varint());
        WireReader eleven = over(HexFormat.of().parseHex("8080808080808080808000"));
        assertEquals("a number of more than ten bytes", assertThrows(WireException.class, eleven::varint).getMessage());
    }

    /** What is behind the bound is there, and must not be read. */
    @ParameterizedTest
    @CsvSource({"7F, 1", "FF01, 2", "FFFF03, 3", "FFFFFFFFFFFFFFFFFF01, 10"})
    void aNumberEndsAtTheBound(String hex, int size) {
        byte[] bytes = HexFormat.of().parseHex("FF" + hex + "01");
        WireReader reader = new WireReader();
        reader.reset(bytes, 1, 1 + size);
        assertEquals(size, reader.remaining());
        reader.varint();
        assertTrue(reader.atEnd());
        assertEquals(1 + size, reader.limit());
        reader.setWindow(1, size);
        WireException error = assertThrows(WireException.class, reader::varint);
        assertEquals("the bytes end within a number", error.getMessage());
        assertEquals(size, error.position());
    }

    @Test
    void aLengthIsOfWhatIsLeft() {
        WireReader reader = over(HexFormat.of().parseHex("03AABBCC"));
        assertEquals(3, reader.length());
        reader.skipBytes(3);
        assertTrue(reader.atEnd());
        WireReader tooLong = over(HexFormat.of().parseHex("04AABBCC"));
        WireException error = assertThrows(WireException.class, tooLong::length);
        assertEquals("a length of 4 bytes where 3 are left", error.getMessage());
        assertEquals(0, error.position());
        assertFalse(error.aboveLimit());
    }

    @ParameterizedTest
    @CsvSource({"0D, 4", "09, 8"})
    void aFixedNumberEndsAtTheBound(String tag, int size) {
        for (int left = 0; left <= size; left++) {
            WireReader reader = new WireReader();
            reader.reset(HexFormat.of().parseHex(tag + "0102030405060708"), 0, 1 + left);
            int key = reader.tag();
            if (left == size) {
                reader.skip(key);
                assertTrue(reader.atEnd());
            } else {
                assertEquals("the bytes end within a field",
                        assertThrows(WireException.class, () -> reader.skip(key)).getMessage());
            }
        }
        WireReader numbers = over(HexFormat.of().parseHex("01020304" + "0102030405060788"));
        assertEquals(0x04030201, numbers.fixed32());
        assertEquals(0x8807060504030201L, numbers.fixed64());
        assertTrue(numbers.atEnd());
        assertThrows(WireException.class, numbers::fixed64);
    }

    @Test
    void keysAreOfThirtyTwoBits() {
        assertEquals(-1, over(HexFormat.of().parseHex("FFFFFFFF0F")).tag());
        for (String key : new String[] {"FFFFFFFF1F", "8080808010", "00", "07"}) {
            WireReader reader = over(HexFormat.of().parseHex(key));
            WireException error = assertThrows(WireException.class, reader::tag, key);
            assertTrue(error.getMessage().startsWith("a field key of "), error.getMessage());
            assertEquals(0, error.position());
        }
    }

    @Test
    void groupsNestSixtyFourDeep() {
        for (int depth : new int[] {64, 65}) {
            byte[] groups = new byte[2 * depth];
            Arrays.fill(groups, 0, depth, (byte) 0x0B);
            Arrays.fill(groups, depth, 2 * depth, (byte) 0x0C);
            WireReader reader = over(groups);
            int tag = reader.tag();
            if (depth == 64) {
                reader.skip(tag);
                assertTrue(reader.atEnd());
            } else {
                assertThrows(WireException.class, () -> reader.skip(tag));
            }
        }
    }

    @Test
    void groupsThatNestForEverAreAnErrorNotAnOverflow() {
        byte[] groups = new byte[100_000];
        Arrays.fill(groups, (byte) 0x0B);
        WireReader reader = over(groups);
        assertThrows(WireException.class, () -> reader.skip(reader.tag()));
    }
}
