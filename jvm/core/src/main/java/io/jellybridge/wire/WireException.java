package io.jellybridge.wire;

/**
 * Thrown for bytes that are not protobuf's wire format, or that end too early. The codec converts it to its own exception,
 * which adds the position in the stream.
 */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;
    private final boolean aboveLimit;

    /**
     * Creates an exception for invalid bytes.
     *
     * @param position an index in the buffer
     * @param found    a clause without a full stop that says what was found
     */
    public WireException(int position, String found) {
        this(position, found, false);
    }

    /**
     * Creates an exception.
     *
     * @param aboveLimit true if the bytes may be valid, but exceed a limit of the reader
     */
    WireException(int position, String found, boolean aboveLimit) {
        super(found);
        this.position = position;
        this.aboveLimit = aboveLimit;
    }

    /** Returns true if the bytes may be valid, but exceed a limit of the reader. */
    public boolean aboveLimit() {
        return aboveLimit;
    }

    /** Returns an index in the buffer that was read. */
    public int position() {
        return position;
    }
}
