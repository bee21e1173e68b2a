package io.jellybridge.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
    void comesFromAnotherJvmAsAClassThatEveryJvmHas() throws IOException, ClassNotFoundException {
        TextFormatException fault = new TextFormatException("N-Quads", "a.nq", 3, 17, 240, "a fault", "mend it");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new IllegalStateException("wrapped", fault));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Throwable read = ((Throwable) in.readObject()).getCause();
            assertEquals(RuntimeException.class, read.getClass());
            assertEquals(TextFormatException.class.getName()
                    + ": [N-Quads] a.nq, line 3, column 17 (byte 240): a fault; mend it", read.getMessage());
            assertArrayEquals(fault.getStackTrace(), read.getStackTrace());
        }
    }
}
