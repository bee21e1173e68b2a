package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QuadsHashTest {

    private static CanonicalQuad quad(int number) {
        return new CanonicalQuad(("<urn:s" + number + ">").getBytes(UTF_8), "<urn:p>".getBytes(UTF_8),
                "\"é\"@fr".getBytes(UTF_8), number % 2 == 0 ? null : "<urn:g>".getBytes(UTF_8));
    }

    @Test
    void nothingIsNoughts() {
        assertEquals("0".repeat(64), new QuadsHash().hash());
    }

    @Test
    void itIsTheSumOfTheHashesOfTheLinesInWhateverOrder() throws Exception {
        BigInteger sum = BigInteger.ZERO;
        List<CanonicalQuad> quads = new ArrayList<>();
        for (int number = 0; number < 500; number++) {
            String line = "<urn:s" + number + "> <urn:p> \"é\"@fr " + (number % 2 == 0 ? "" : "<urn:g> ") + ".";
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(line.getBytes(UTF_8));
            sum = sum.add(new BigInteger(1, hash)).mod(BigInteger.ONE.shiftLeft(256));
            quads.add(quad(number));
        }
        Collections.shuffle(quads, new Random(7));
        QuadsHash hash = new QuadsHash();
        quads.forEach(hash::add);
        assertEquals(String.format("%064x", sum), hash.hash());
        assertEquals(500, hash.quads());
    }
}
