package io.jellybridge.codec;

import java.util.Arrays;

/** The relation of frames and patches in a stream: {@code PatchStreamType} of patch.proto (checklist P-11 to P-25). */
public enum StreamType {
    /** A stream in which every frame is one complete patch. */
    FRAME(1),
    /** A stream that is one patch. */
    FLAT(2),
    /** A stream in which a punctuation row ends each patch. Patches may span frames. */
    PUNCTUATED(3);

    private final int number;

    StreamType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Returns the type with this enum number, or null if the protocol has none. */
    static StreamType of(long number) {
        return Arrays.stream(values()).filter(type -> type.number == number).findFirst().orElse(null);
    }
}
