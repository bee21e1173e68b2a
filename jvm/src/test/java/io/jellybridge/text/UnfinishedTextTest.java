package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.codec.FormatException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where text ends within a transaction, as a log does that is being written, the error says up to where it is whole. */
class UnfinishedTextTest {
    private static final String FIRST = "H id <urn:1> .\nTX .\nA <urn:s> <urn:p> \"é\" .\nTC .";
    private static final String SECOND = "\nH id <urn:é> .\nH prev <urn:1> .\nTX .\nPA \"p\" <urn:p:> .\nA <_:b> <urn:p> "
            + "'''long\n\"text''' <urn:g> .\nD <urn:s> <urn:p> \"\\u00E9 \\\"\"@en--ltr .\nTC .";

    private static long whole(byte[] text) {
        FormatException e = assertThrows(FormatException.class, () -> TextEvents.read(text, RdfPatchReadOptions.DEFAULT),
                () -> new String(text, UTF_8));
        return e.wholeBytes();
    }

    /** Cuts a text at each byte, within a character too. */
    @Test
    void aTextThatIsCutAnywhereInItsLastTransactionIsWholeUpToTheOneBefore() {
        for (String before : new String[] {FIRST, "\uFEFF" + FIRST, FIRST + "\nZ .", FIRST + "\nTX .\nTA ."}) {
            byte[] text = (before + SECOND).getBytes(UTF_8);
            int first = before.getBytes(UTF_8).length;
            int firstHeader = first + "\nH".length();
            boolean marked = before.endsWith("Z .");
            for (int end = firstHeader; end < text.length; end++) {
                String cut = new String(text, first, end - first, UTF_8);
                // Headers behind a mark are a patch, which may have no more.
                if (!marked || !cut.stripTrailing().endsWith(" .") || cut.contains("TX")) {
                    assertEquals(first, whole(Arrays.copyOf(text, end)), cut);
                }
            }
            TextEvents.read(text, RdfPatchReadOptions.DEFAULT);
        }
        byte[] first = FIRST.getBytes(UTF_8);
        for (int end = FIRST.indexOf("TX .") + 4; end < first.length; end++) {
            assertEquals(0, whole(Arrays.copyOf(first, end)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "A <urn:s> <urn:p> <urn:o>", "A <urn:s> <urn:p> <urn:o> .\nTX .\nA", "PA \"p\"", "TX .\nX", "TX .\nA <urn:s> <urn:p> .\n", "TX .\nTX .",
        "TC .", "rubbish", "<urn:s>", "TX .\nA <urn:s> <urn:p> <urn:o> .\nH id <urn:2> .\nTX .\n", "TX .\nD <urn:s\nTC .\n"
    })
    void anotherFaultIsNoSignThatMoreComes(String end) {
        assertEquals(-1, whole((FIRST + "\n" + end).getBytes(UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"H id <urn:1>", "H id <urn:1> .\nH pr", "T", "nothing", "A <urn:s> <urn:p> "})
    void aTextWithoutAnyTransactionIsNotBeingWritten(String text) {
        assertEquals(-1, whole(text.getBytes(UTF_8)));
    }
}
