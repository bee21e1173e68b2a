package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ContentHashTest {

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    private static ContentHash of(Consumer<PatchHandler<byte[]>> rows) {
        ContentHash hash = new ContentHash();
        rows.accept(hash);
        return hash;
    }

    /** As the documentation of the hash says it. */
    private static final class Spelled {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Spelled row(String op, String... texts) throws IOException {
            DataOutputStream out = new DataOutputStream(bytes);
            out.write(ascii(op));
            out.write(0);
            for (String text : texts) {
                out.writeInt(text == null ? -1 : text.length());
                out.write(ascii(text == null ? "" : text));
            }
            return this;
        }

        String hash() throws Exception {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
        }
    }

    @Test
    void eachRowCountsWithItsOperationAndItsTermsEachWithItsLength() throws Exception {
        ContentHash hash = of(rows -> {
            rows.header(ascii("who"), ascii("\"me\""));
            rows.transaction(Op.TX);
            rows.prefix(Op.PA, ascii(""), ascii("<urn:p#>"), null);
            rows.prefix(Op.PD, ascii("p"), null, ascii("<urn:g>"));
            rows.statement(Op.A, ascii("<urn:s>"), ascii("<urn:p>"), ascii("\"1\""), ascii("<urn:g>"));
            rows.statement(Op.D, ascii("<urn:s>"), ascii("<urn:p>"), ascii("\"1\""), null);
            rows.transaction(Op.TC);
        });
        assertEquals(7, hash.rows());
        String expected = new Spelled().row("H", "who", "\"me\"").row("TX").row("PA", "", "<urn:p#>", null)
                .row("PD", "p", null, "<urn:g>").row("A", "<urn:s>", "<urn:p>", "\"1\"", "<urn:g>")
                .row("D", "<urn:s>", "<urn:p>", "\"1\"", null).row("TC").hash();
        assertEquals(expected, hash.hashSoFar());
        assertEquals(expected, hash.hash());
        assertEquals(expected, hash.hash(), "asked again");
    }

    @Test
    void whereAPatchStandsAndSinceWhenDoesNotCountButForTheNumberOfRows() throws Exception {
        ContentHash hash = of(rows -> {
            rows.header(ascii("id"), ascii("<urn:uuid:1>"));
            rows.header(ascii("prev"), ascii("<urn:uuid:0>"));
            rows.header(ascii("time"), ascii("\"now\""));
            rows.transaction(Op.TX);
        });
        assertEquals(4, hash.rows());
        assertEquals(new Spelled().row("TX").hash(), hash.hashSoFar());
        hash.transaction(Op.TA);
        assertEquals(new Spelled().row("TX").row("TA").hash(), hash.hash(), "what was asked before changes nothing");
    }
}
