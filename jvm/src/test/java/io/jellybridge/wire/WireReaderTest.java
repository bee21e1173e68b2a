package io.jellybridge.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        writer.varint(number);
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
        reader.window(end, end + 2);
        assertEquals(4 << 3 | 2, reader.tag());
        assertEquals(0, reader.length());
    }

    @Test
    void everyWireTypeIsSkippedGroupsIncluded() {
        byte[] fields = HexFormat.of().parseHex(
                "089601" + "110102030405060708" + "1203616263" + "1B080123241C" + "2501020304" + "3005");
        WireReader reader = over(fields);
        for (int i = 0; i < 5; i++) {
            reader.skip(reader.tag());
        }
        assertEquals(6 << 3, reader.tag());
        assertEquals(5, reader.varint());
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
    void groupsThatNestForEverAreAnErrorNotAnOverflow() {
        byte[] groups = new byte[100_000];
        Arrays.fill(groups, (byte) 0x0B);
        WireReader reader = over(groups);
        assertThrows(WireException.class, () -> reader.skip(reader.tag()));
    }
}
