package io.jellybridge.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class TextFormatExceptionTest {

    @Test
    void messageSaysWhereAndWhatAndWhatToDo() {
        assertEquals("[N-Quads] a.nq, line 3, column 17 (byte 240): a fault; mend it",
                new TextFormatException("N-Quads", "a.nq", 3, 17, 240, "a fault", "mend it").getMessage());
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        assertEquals("[N-Quads] a.nq, column 17 (byte 240): a fault; mend it",
                new TextFormatException("N-Quads", "a.nq", 0, 17, 240, "a fault", "mend it").getMessage());
        assertEquals("[N-Quads] input, line 3: a fault; mend it",
                new TextFormatException("N-Quads", null, 3, 0, -1, "a fault", "mend it").getMessage());
    }

    @Test
    void comesWholeFromAnotherJvm() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new TextFormatException("N-Quads", "a.nq", 3, 17, 240, "a fault", "mend it"));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            TextFormatException read = (TextFormatException) in.readObject();
            assertEquals("a.nq", read.file());
            assertEquals(3, read.line());
            assertEquals(17, read.column());
            assertEquals(240, read.offset());
            assertEquals("a fault", read.found());
            assertEquals("mend it", read.advice());
        }
    }
}
