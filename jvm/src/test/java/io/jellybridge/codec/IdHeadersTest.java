package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdHeadersTest {

    @Test
    void theHeadersThatChainPatchesAreKeptUntilTheNextPatch() {
        Recorder recorder = new Recorder();
        IdHeaders.write(recorder, utf8("<urn:1>"), null);
        IdHeaders.write(recorder, utf8("<urn:2>"), utf8("<urn:1>"));
        assertEquals(List.of("H id <urn:1>", "H id <urn:2>", "H prev <urn:1>"), recorder.lines);
        IdHeaders<String> headers = new IdHeaders<>();
        for (String name : new String[] {"id", "prev"}) {
            assertEquals(name, IdHeaders.nameOf(utf8(name)));
            assertEquals(false, headers.has(name));
            headers.put(name, "old");
            headers.put(name, "new " + name);
            assertTrue(headers.has(name));
        }
        assertEquals("new id, new prev", headers.id() + ", " + headers.prev());
        assertNull(IdHeaders.nameOf(utf8("ID")));
        headers.clear();
        assertEquals("null, null", headers.id() + ", " + headers.prev());
    }
}
