package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link AlteredRestarts}, a few of them; {@code make streams} compares many. */
class AlteredRestartsTest {
    private static final int STREAMS = 200;

    @Test
    void aStreamThatBreaksTheRulesOfRestartPointsIsRefusedOrReadAsOthersReadIt() throws IOException {
        AlteredRestarts compared = new AlteredRestarts();
        compared.compare(STREAMS);
        assertEquals(List.of(), compared.differences());
        assertTrue(compared.same() > STREAMS / 3 && compared.refused() > STREAMS / 10,
                compared.same() + " read, " + compared.refused() + " refused");
    }
}
