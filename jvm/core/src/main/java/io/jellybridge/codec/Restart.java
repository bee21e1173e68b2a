package io.jellybridge.codec;

import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import io.jellybridge.wire.WireWriter;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A restart point: a position in a stream at which reading can begin, since nothing after it refers to anything before it.
 * {@code proto/jellybridge.proto} defines its fields, and docs/restart-points.md the rules.
 *
 * @param mark            the {@value #MARK_BYTES} bytes that identify the file; not to be changed
 * @param offset          the offset in the file of its frame, whose length comes first
 * @param frame           the number of frames before it
 * @param row             the number of change rows or statements before it
 * @param patch           the number of patches that ended before it; 0 in Jelly-RDF
 * @param transaction     the number of transactions that began before it; 0 in Jelly-RDF
 * @param transactionOpen true if the last of them is open
 * @param patchOpen       true if the current patch already has rows
 * @param checksums       true if each frame of the file ends with a {@link FrameChecksum}; two restart points of one position
 *                        are equal either way
 * @param streams         the number of joined streams in a file that begins here; 0 if it is not stated, which makes no
 *                        difference for two restart points either
 */
record Restart(byte[] mark, long offset, long frame, long row, long patch, long transaction, boolean transactionOpen,
        boolean patchOpen, boolean checksums, int streams) {

    /** The field number in the frame. */
    static final int FIELD = 1000;
    static final int MARK_BYTES = 16;
    /** The largest size of the field, in bytes. */
    static final int MAX_BYTES = 90;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MARK = 1;
    private static final int FRAME_LENGTH = 2;
    private static final int OFFSET = 3;
    private static final int FRAME = 4;
    private static final int ROW = 5;
    private static final int PATCH = 6;
    private static final int TRANSACTION = 7;
    private static final int TRANSACTION_OPEN = 8;
    private static final int PATCH_OPEN = 9;
    private static final int CHECKSUMS = 10;
    private static final int STREAMS = 11;
    /** The key of the field. The keys of its own fields that a reader uses follow. */
    static final int TAG = FIELD << 3 | WireReader.LENGTH_DELIMITED;
    static final int MARK_TAG = MARK << 3 | WireReader.LENGTH_DELIMITED;
    static final int LENGTH_TAG = FRAME_LENGTH << 3 | WireReader.FIXED32;
    static final int OFFSET_TAG = OFFSET << 3 | WireReader.FIXED64;
    static final int STREAMS_TAG = STREAMS << 3 | WireReader.FIXED32;

    /** The first byte of its key. The number of bytes up to its offset follows. */
    static final byte FIRST_BYTE = (byte) (TAG & 0x7F | 0x80);
    static final int FIRST_BYTES = 2 + 1 + 2 + MARK_BYTES + 1 + Integer.BYTES + 1 + Long.BYTES;

    /** Creates a restart point of a file without checksums. */
    Restart(byte[] mark, long offset, long frame, long row, long patch, long transaction, boolean transactionOpen,
            boolean patchOpen) {
        this(mark, offset, frame, row, patch, transaction, transactionOpen, patchOpen, false, 0);
    }

    /** Creates a mark of random bytes. The first byte never occurs in a string. */
    static byte[] newMark() {
        byte[] mark = new byte[MARK_BYTES];
        RANDOM.nextBytes(mark);
        mark[0] = (byte) 0xFF;
        return mark;
    }

    /**
     * Writes the field that begins a frame.
     *
     * @return the index at which to set the frame's length, see {@link WireWriter#setFixed32}
     */
    int writeField(WireWriter frameBytes) {
        int message = frameBytes.beginMessage(FIELD);
        frameBytes.bytesField(MARK, mark, 0, mark.length);
        int lengthIndex = frameBytes.fixed32Field(FRAME_LENGTH);
        frameBytes.fixed64Field(OFFSET, offset);
        frameBytes.varintField(FRAME, frame);
        frameBytes.varintField(ROW, row);
        frameBytes.varintField(PATCH, patch);
        frameBytes.varintField(TRANSACTION, transaction);
        frameBytes.varintField(TRANSACTION_OPEN, transactionOpen ? 1 : 0);
        frameBytes.varintField(PATCH_OPEN, patchOpen ? 1 : 0);
        frameBytes.varintField(CHECKSUMS, checksums ? 1 : 0);
        if (streams > 0) {
            frameBytes.setFixed32(frameBytes.fixed32Field(STREAMS), streams);
        }
        frameBytes.endMessage(message);
        return lengthIndex;
    }

    /**
     * Reads the message up to the bound.
     *
     * @param frameLength the length of its frame, in bytes
     * @return null if it is a foreign field with the same number, which does not begin with {@value #MARK_BYTES} bytes
     * @throws WireException a scan would not find it, or it belongs to another frame
     */
    static Restart readMessage(WireReader wire, int frameLength) {
        int start = wire.position();
        byte[] bytes = wire.bytes();
        if (wire.remaining() < 2 || bytes[start] != MARK_TAG || bytes[start + 1] != MARK_BYTES) {
            return null;
        }
        wire.tag();
        byte[] mark = wire.byteString();
        if (mark[0] != (byte) 0xFF) {
            throw new WireException(start, "a restart point whose mark does not begin with FF");
        }
        if (wire.atEnd() || wire.tag() != LENGTH_TAG) {
            throw new WireException(start, "a restart point without the length of its frame behind its mark");
        }
        int stated = wire.fixed32();
        if (stated != frameLength) {
            throw new WireException(start, "a restart point that states a frame of " + Integer.toUnsignedString(stated)
                    + " bytes in one of " + frameLength);
        }
        if (wire.atEnd() || wire.tag() != OFFSET_TAG) {
            throw new WireException(start, "a restart point without its offset behind its frame's length");
        }
        return readNumbers(wire, mark, wire.fixed64());
    }

    private static Restart readNumbers(WireReader wire, byte[] mark, long offset) {
        long[] numbers = new long[CHECKSUMS + 1];
        int streams = 0;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            int field = tag >>> 3;
            if (field >= FRAME && field <= CHECKSUMS && (tag & 7) == WireReader.VARINT) {
                numbers[field] = wire.varint();
            } else if (tag == STREAMS_TAG) {
                streams = wire.fixed32();
            } else {
                wire.skip(tag);
            }
        }
        return new Restart(mark, offset, numbers[FRAME], numbers[ROW], numbers[PATCH], numbers[TRANSACTION],
                numbers[TRANSACTION_OPEN] != 0, numbers[PATCH_OPEN] != 0, numbers[CHECKSUMS] != 0, streams);
    }

    /**
     * Returns the number of bytes before the message in a frame of the required form: the frame's length, the key and a length.
     */
    static int bytesBefore(int frameLength) {
        return varintBytes(frameLength) + 2 + 1;
    }

    static int varintBytes(int value) {
        return 1 + (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value | 1)) / 7;
    }

    /**
     * Returns the mark of a file.
     *
     * @param head the first bytes of the file
     * @return null if the file does not begin with a restart point
     */
    static byte[] markOfHead(byte[] head) {
        Restart first = ofHead(head);
        return first == null || !first.isFirst() ? null : first.mark;
    }

    /**
     * Returns the restart point of a frame.
     *
     * @param head the first bytes of the frame, from its length on
     * @return null if the frame does not begin with a restart point
     */
    static Restart ofHead(byte[] head) {
        WireReader wire = new WireReader();
        wire.reset(head, 0, head.length);
        try {
            long frameLength = wire.varint();
            if (wire.tag() != TAG) {
                return null;
            }
            int length = wire.length();
            wire.setWindow(wire.position(), wire.position() + length);
            return readMessage(wire, (int) frameLength);
        } catch (WireException e) {
            return null;
        }
    }

    /** Checks whether a frame begins with the key of a restart point. */
    static boolean mayBegin(byte[] bytes, int start, int end) {
        return end - start >= 2 && bytes[start] == FIRST_BYTE && bytes[start + 1] == TAG >>> 7;
    }

    /** Checks whether bytes look like the restart point at the start of a stream. */
    static boolean isFirst(byte[] bytes, int at) {
        int mark = at + 2 + 1 + 2;
        int length = mark + MARK_BYTES;
        int offset = length + 1 + Integer.BYTES;
        boolean isRestart = bytes[at + 1] == TAG >>> 7 && bytes[mark - 2] == MARK_TAG && bytes[mark - 1] == MARK_BYTES
                && bytes[mark] == (byte) 0xFF && bytes[length] == LENGTH_TAG && bytes[offset] == OFFSET_TAG;
        return isRestart && Arrays.equals(bytes, offset + 1, offset + 1 + Long.BYTES, new byte[Long.BYTES], 0, Long.BYTES);
    }

    /** Checks whether it belongs to the file with this mark. */
    boolean isOfFile(byte[] otherMark) {
        return Arrays.equals(mark, otherMark);
    }

    /** Returns the same restart point of a file that has checksums, with a number of streams. */
    Restart withChecksumsAndStreams(int number) {
        return new Restart(mark, offset, frame, row, patch, transaction, transactionOpen, patchOpen, true, number);
    }

    /** Checks whether it is the restart point at the start of a stream. */
    boolean isFirst() {
        return offset == 0 && frame == 0 && row == 0 && patch == 0 && transaction == 0 && !transactionOpen && !patchOpen;
    }

    /** Returns the same position, with numbers that count from {@code start}. */
    Restart relativeTo(Restart start) {
        return new Restart(mark, offset - start.offset, frame - start.frame, row - start.row, patch - start.patch,
                transaction - start.transaction, transactionOpen, patchOpen, checksums, streams);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Restart that && isOfFile(that.mark) && offset == that.offset && frame == that.frame
                && row == that.row && patch == that.patch && transaction == that.transaction
                && transactionOpen == that.transactionOpen && patchOpen == that.patchOpen;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(mark) * 31 + Long.hashCode(row);
    }

    /** Returns the position for a message. */
    @Override
    public String toString() {
        return "byte " + offset + ", frame " + frame + ", row " + row + ", patch " + patch + ", transaction " + transaction
                + (transactionOpen ? " (open)" : "");
    }
}
