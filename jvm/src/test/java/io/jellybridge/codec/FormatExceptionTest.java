package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class FormatExceptionTest {

    @Test
    void messageSaysWhereAndWhatAndWhatToDo() {
        assertEquals("[N-Quads] a.nq, line 3, column 17 (byte 240): a fault; mend it",
                FormatException.inText("N-Quads", "a.nq", 3, 17, 240, "a fault", "mend it").getMessage());
    }

    @Test
    void theOtherPlacesAreThoseOfAStreamAndOfARow() {
        assertEquals("[P-62] a.jellyp, frame 3, row 17, byte 240: a fault; mend it",
                FormatException.inStream("P-62", "a.jellyp", 3, 17, 240, "a fault", "mend it").getMessage());
        assertEquals("[P-62] frame 3, row 17, byte 240: a fault; mend it",
                FormatException.inStream("P-62", null, 3, 17, 240, "a fault", "mend it").getMessage());
        assertEquals("[P-62] patch 2, row 9: a fault; sort them",
                FormatException.inStream("P-62", "a.jellyp", 3, 17, 240, "a fault", "mend it")
                        .at("patch 2, row 9", "sort them").getMessage());
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        assertEquals("[N-Quads] a.nq, column 17 (byte 240): a fault; mend it",
                FormatException.inText("N-Quads", "a.nq", 0, 17, 240, "a fault", "mend it").getMessage());
        assertEquals("[N-Quads] input, line 3: a fault; mend it",
                FormatException.inText("N-Quads", null, 3, 0, -1, "a fault", "mend it").getMessage());
    }

    @Test
    void allOfItCanBeAskedForAndIsThereInWhatIsMadeOfIt() {
        FormatException text = FormatException.inText("N-Quads", "a.nq", 3, 17, 0, "a fault", "mend it");
        assertEquals("N-Quads a.nq -1 -1 3 17 0 a fault, mend it", all(text));
        FormatException stream = FormatException.inStream("P-62", "a.jellyp", 3, 17, 240, "a fault", "mend it");
        assertEquals("P-62 a.jellyp 3 17 0 0 240 a fault, mend it", all(stream));
        assertEquals("P-62 a.jellyp 3 17 0 0 240 another, mend it", all(stream.with("another")));
        assertEquals("P-62 row 9 -1 -1 0 0 -1 a fault, mend it", all(stream.at("row 9")));
        assertEquals("P-62 a.jellyp 3 17 0 0 240 what looks like JSON, not Jelly, " + SniffedFormat.JSON.advice(),
                all(stream.of(SniffedFormat.JSON, SniffedFormat.JELLY, "Jelly")));
        assertSame(stream, stream.of(SniffedFormat.JELLY, SniffedFormat.JELLY, "Jelly"));
        assertSame(stream, stream.of(null, SniffedFormat.JELLY, "Jelly"));
        assertEquals("[N-Quads] a.nq, line 3, column 17 (byte 0): a fault; mend it", text.getMessage(), "a byte of 0 is one");
    }

    private static String all(FormatException e) {
        return e.rule() + " " + e.file() + " " + e.frame() + " " + e.row() + " " + e.line() + " " + e.column() + " " + e.offset()
                + " " + e.found() + ", " + e.advice();
    }

    @Test
    void comesFromAnotherJvmAsAClassThatEveryJvmHas() throws IOException, ClassNotFoundException {
        FormatException fault = FormatException.inText("N-Quads", "a.nq", 3, 17, 240, "a fault", "mend it");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new IllegalStateException("wrapped", fault));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Throwable read = ((Throwable) in.readObject()).getCause();
            assertEquals(RuntimeException.class, read.getClass());
            assertEquals(FormatException.class.getName()
                    + ": [N-Quads] a.nq, line 3, column 17 (byte 240): a fault; mend it", read.getMessage());
            assertArrayEquals(fault.getStackTrace(), read.getStackTrace());
        }
    }
}
