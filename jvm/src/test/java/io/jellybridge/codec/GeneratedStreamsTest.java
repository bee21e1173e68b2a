package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link GeneratedStreams}, a few of them; {@code make streams} compares many. */
class GeneratedStreamsTest {
    private static final int STREAMS = 500;

    @Test
    void streamsInEveryFormOfTheWireFormatAreReadAsByProtobufsOwnParser() throws IOException {
        GeneratedStreams compared = new GeneratedStreams();
        compared.compare(STREAMS);
        assertEquals(List.of(), compared.differences());
        int read = compared.counts().entrySet().stream().filter(count -> count.getKey().contains("same events"))
                .mapToInt(count -> count.getValue()).sum();
        assertTrue(read > STREAMS / 2 && read < STREAMS, read + " streams without fault: " + compared.counts());
    }
}
