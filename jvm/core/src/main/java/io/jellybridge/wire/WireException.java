package io.jellybridge.wire;

/** Bytes that are not protobuf's wire format, or break off. The codec turns it into its own error, with the place. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;
    private final boolean aboveLimit;

    /**
     * @param position where in the buffer, as an index
     * @param found    what was found, a clause without a full stop
     */
    public WireException(int position, String found) {
        this(position, found, false);
    }

    /** @param aboveLimit whether the bytes may be sound, but are more than the reader was told to take */
    WireException(int position, String found, boolean aboveLimit) {
        super(found);
        this.position = position;
        this.aboveLimit = aboveLimit;
    }

    /** Whether the bytes may be sound, but are more than the reader was told to take. */
    public boolean aboveLimit() {
        return aboveLimit;
    }

    /** Where in the buffer that was being read, as an index. */
    public int position() {
        return position;
    }
}
