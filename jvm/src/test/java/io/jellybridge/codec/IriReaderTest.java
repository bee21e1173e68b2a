package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The forms of an {@code RdfIri} that are read as one word mean what they mean read field by field, as where the buffer ends
 * too soon for a word.
 */
class IriReaderTest {
    private static final int NAMES = 400;
    private static final int PREFIXES = 150;
    private static final int LONGEST = 7;
    /** What tags, ids of one byte and the bytes of longer ones are made of. */
    private static final byte[] LIKELY = {0x08, 0x10, 0x08, 0x10, 0, 1, 2, 3, 0x7F, (byte) 0x80, (byte) 0x81, (byte) 0x82, 0x18};

    private final WireReader wire = new WireReader();
    private final IriReader<byte[]> iris = reader();

    private IriReader<byte[]> reader() {
        ErrorSite site = (rule, found, advice) -> FormatException.inStream(rule.inRdf(), "f", 0, 0, 0, found, advice);
        TermBudget budget = new TermBudget(ReadOptions.DEFAULT, site, () -> 0);
        IriReader<byte[]> reader = new IriReader<>(wire, new Utf8Terms(),
                new ReadLookup<>("name", NAMES, Rule.NAME_TABLE_SIZE, site, budget),
                new ReadLookup<>("prefix", PREFIXES, Rule.PREFIX_TABLE_SIZE, site, budget), budget);
        for (int i = 1; i <= NAMES; i++) {
            reader.setName(reader.idOfName(i), ("n" + i).getBytes(US_ASCII));
        }
        for (int i = 1; i <= PREFIXES; i++) {
            reader.setPrefix(i, ("http://" + i + "/").getBytes(US_ASCII));
        }
        return reader;
    }

    /** What is read of a message, from the same state each time: the IRI and its ids, or what is wrong. */
    private String read(byte[] message, int behind, boolean passes) {
        iris.restore(5, 7);
        try {
            return readNext(message, behind, passes);
        } catch (FormatException | WireException e) {
            return e.getMessage();
        }
    }

    /** The IRI and its ids, from the state that the one before left. */
    private String readNext(byte[] message, int behind, boolean passes) {
        byte[] buffer = Arrays.copyOf(message, message.length + behind);
        Arrays.fill(buffer, message.length, buffer.length, (byte) 0x08);
        wire.reset(buffer, 0, buffer.length);
        String iri = "";
        if (passes) {
            iris.pass(0, message.length);
        } else {
            iri = new String(iris.readIri(0, message.length), UTF_8);
        }
        return iri + " " + iris.prefixId() + " " + iris.nameId();
    }

    /** The same, with room for a word, so that the short form is taken. */
    private String readNext(byte[] message) {
        return readNext(message, Long.BYTES, false);
    }

    private void checkSame(byte[] message) {
        String expected = read(message, 0, false);
        assertEquals(expected, read(message, Long.BYTES, false), () -> Arrays.toString(message));
        if (expected.startsWith("<")) {
            assertEquals(expected.substring(expected.indexOf(' ')), read(message, Long.BYTES, true), () -> Arrays.toString(message));
        }
    }

    @Test
    void eachFormWithIdsOfOneAndTwoBytesIsReadAsFieldByField() {
        int read = 0;
        for (int prefix = -1; prefix <= PREFIXES + 1; prefix++) {
            for (int name = -1; name <= NAMES + 1; name++) {
                byte[] message = message(prefix, name);
                checkSame(message);
                int prefixId = prefix <= 0 ? 5 : prefix;
                int nameId = name <= 0 ? 8 : name;
                if (prefixId <= PREFIXES && nameId <= NAMES) {
                    assertEquals("<http://%1$d/n%2$d> %1$d %2$d".formatted(prefixId, nameId), read(message, Long.BYTES, false));
                    read++;
                }
            }
        }
        assertEquals((PREFIXES + 2) * (NAMES + 2), read);
    }

    /** @param prefix less than 0: there is no such field; likewise the name */
    private static byte[] message(int prefix, int name) {
        Raw message = new Raw();
        if (prefix >= 0) {
            message.addAlways(1, prefix);
        }
        if (name >= 0) {
            message.addAlways(2, name);
        }
        return message.toBytes();
    }

    @Test
    void anyFewBytesAreReadAsFieldByField() {
        Random dice = new Random(1);
        int iri = 0;
        for (int i = 0; i < 300_000; i++) {
            byte[] message = new byte[dice.nextInt(LONGEST + 1)];
            for (int at = 0; at < message.length; at++) {
                message[at] = LIKELY[dice.nextInt(LIKELY.length)];
            }
            checkSame(message);
            iri += read(message, Long.BYTES, false).startsWith("<") ? 1 : 0;
        }
        assertTrue(iri > 10_000, iri + " were IRIs");
    }

    @Test
    void whatWasMadeWithoutPrefixIsNotTakenForWhatHasTheLastOne() {
        for (int name = 1; name < NAMES; name++) {
            iris.restore(0, 0);
            assertEquals("<n%1$d> 0 %1$d".formatted(name), readNext(message(0, name)));
            iris.restore(5, name - 1);
            assertEquals("<http://5/n%1$d> 5 %1$d".formatted(name), readNext(message(0, name)));
            iris.restore(0, name - 1);
            assertEquals("<n%1$d> 0 %1$d".formatted(name), readNext(message(-1, -1)));
        }
    }

    @Test
    void afterClearingNothingOfBeforeIsThere() {
        assertEquals("<n3> 0 3", readNext(message(0, 3)));
        assertEquals("<http://2/n4> 2 4", readNext(message(2, 4)));
        iris.clear();
        for (int prefix = -1; prefix <= 3; prefix++) {
            for (int name = -1; name <= 5; name++) {
                byte[] message = message(prefix, name);
                assertThrows(FormatException.class, () -> readNext(message));
            }
        }
        assertThrows(FormatException.class, () -> iris.idOfName(0));
        iris.setName(iris.idOfName(1), "n".getBytes(US_ASCII));
        assertThrows(FormatException.class, () -> readNext(message(0, 1)));
        assertThrows(FormatException.class, () -> iris.setPrefix(0, "http://x/".getBytes(US_ASCII)));
        iris.setPrefix(1, "http://x/".getBytes(US_ASCII));
        assertThrows(FormatException.class, () -> readNext(message(1, 0)));
        assertEquals("<http://x/n> 1 1", readNext(message(1, 1)));
        iris.setName(iris.idOfName(0), "o".getBytes(US_ASCII));
        assertEquals("<http://x/o> 1 2", readNext(message(0, 0)));
    }
}
