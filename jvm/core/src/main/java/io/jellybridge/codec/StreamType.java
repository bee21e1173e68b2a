package io.jellybridge.codec;

/** How frames and patches relate: {@code PatchStreamType} of patch.proto (checklist P-11 to P-25). */
public enum StreamType {
    /** Every frame is one complete patch. */
    FRAME(1),
    /** The whole stream is one patch. */
    FLAT(2),
    /** A punctuation row ends each patch; patches may span frames. */
    PUNCTUATED(3);

    private final int number;

    StreamType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The type with this enum number, or null when the protocol has none. */
    static StreamType of(long number) {
        for (StreamType type : values()) {
            if (type.number == number) {
                return type;
            }
        }
        return null;
    }
}
