package io.jellybridge.wire;

/** Bytes that are not protobuf's wire format, or break off. The codec turns it into its own error, with the place. */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;

    /**
     * @param position where in the buffer, as an index
     * @param found    what was found, a clause without a full stop
     */
    public WireException(int position, String found) {
        super(found);
        this.position = position;
    }

    /** Where in the buffer that was being read, as an index. */
    public int position() {
        return position;
    }
}
