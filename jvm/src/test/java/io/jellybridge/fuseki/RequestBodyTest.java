package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestBodyTest {
    private static final byte[] PIECE = {1, 2, 3};

    @TempDir
    Path folder;

    @Test
    void aBodyIsKeptInAFileThatGoesWithIt() throws IOException {
        try (RequestBody body = new RequestBody(RequestLimits.ofProperties(), folder)) {
            body.add(PIECE, 3);
            body.add(PIECE, 2);
            for (int time = 0; time < 2; time++) {
                try (InputStream in = body.open(false)) {
                    assertArrayEquals(new byte[] {1, 2, 3, 1, 2}, in.readAllBytes());
                }
            }
        }
        assertEquals(0, Files.list(folder).count());
    }

    /** Its client still sends, and hears what is wrong when it has sent all. */
    @Test
    void aBodyThatCannotBeStoredIsReceivedToItsEndAndIsAnErrorThen() throws IOException {
        try (RequestBody body = new RequestBody(RequestLimits.ofProperties(), folder.resolve("none"))) {
            for (int piece = 0; piece < 1000; piece++) {
                body.add(PIECE, 3);
            }
            assertEquals(3000, body.size());
            assertThrows(IOException.class, () -> body.open(false));
        }
    }
}
