package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;
import io.jellybridge.wire.WireWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/**
 * Makes and reads the checksum of a frame: a CRC32C of the frame's bytes, in a field that is the frame's last one and that
 * other readers skip. See docs/checksums.md for the rules.
 */
final class FrameChecksum {
    /** The field of the frame. */
    static final int FIELD = 1001;
    /** The key of the field. */
    static final int TAG = FIELD << 3 | WireReader.FIXED32;
    /** The size of the field: a key of two bytes, and the checksum. */
    static final int BYTES = 2 + Integer.BYTES;

    private static final byte FIRST_BYTE = (byte) (TAG & 0x7F | 0x80);
    private static final byte SECOND_BYTE = (byte) (TAG >>> 7);

    private final CRC32C sum = new CRC32C();
    private final WireReader said = new WireReader();
    private final WireWriter field = new WireWriter(BYTES);

    /** Writes the field for a frame of the first {@code count} bytes of a buffer. */
    void writeField(WireWriter frame, int count, OutputStream out) throws IOException {
        sum.reset();
        frame.update(sum, count);
        field.clear();
        field.setFixed32(field.fixed32Field(FIELD), (int) sum.getValue());
        field.writeTo(out);
    }

    /** Returns whether the last bytes of a frame look like the field. */
    static boolean endsFrame(byte[] bytes, int start, int end) {
        int at = end - BYTES;
        return at >= start && bytes[at] == FIRST_BYTE && bytes[at + 1] == SECOND_BYTE;
    }

    /** Returns the checksum that stands at the end of a frame that {@link #endsFrame}. */
    int statedChecksum(byte[] bytes, int end) {
        said.reset(bytes, end - Integer.BYTES, end);
        return said.fixed32();
    }

    /** Returns the checksum of the bytes of a frame, without the field at its end. */
    int of(byte[] bytes, int start, int end) {
        sum.reset();
        sum.update(bytes, start, end - BYTES - start);
        return (int) sum.getValue();
    }
}
