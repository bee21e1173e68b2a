package io.jellybridge.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The checksums of files that tests have changed on purpose, so that readers come as far as what was changed. */
public final class Checksums {
    /** The size of the field at the end of a frame. */
    public static final int BYTES = FrameChecksum.BYTES;

    private Checksums() {
    }

    /** Makes the checksums of a delimited file anew. */
    public static byte[] renewed(byte[] file) {
        byte[] made = file.clone();
        renew(made);
        return made;
    }

    /** Makes the checksums anew as far as there are whole frames, so that damage is found by what stands behind a checksum. */
    static void renewSome(byte[] damaged) {
        try {
            renew(damaged);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            // the rest is no frame
        }
    }

    private static void renew(byte[] made) {
        for (int at = 0; at < made.length; at = StreamSplitTest.frameEnd(made, at)) {
            int end = StreamSplitTest.frameEnd(made, at) - FrameChecksum.BYTES;
            CRC32C sum = new CRC32C();
            int start = StreamSplitTest.frameStart(made, at);
            sum.update(made, start, end - start);
            ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN).putInt(end + 2, (int) sum.getValue());
        }
    }
}
