package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.State.Operation;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import java.io.IOException;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationTest {

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    /** In memory, and by way of files. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 30, 20_000, 1})
    void ofTheOperationsOnEachQuadTheLastIsKeptHoweverLittleMemoryThereIs(long memory) throws IOException {
        Random random = new Random(3);
        TreeMap<String, Boolean> expected = new TreeMap<>();
        try (ExternalSorter<Operation> sorter = new ExternalSorter<>(Operation.FORM, Operation.BY_LINE, memory)) {
            for (int i = 0; i < 2_000; i++) {
                boolean adds = random.nextBoolean();
                CanonicalQuad quad = new CanonicalQuad(utf8("<urn:s" + random.nextInt(500) + ">"), utf8("<urn:p>"),
                        utf8("\"o\""), random.nextBoolean() ? utf8("<urn:g>") : null);
                sorter.add(new Operation(adds, quad));
                expected.put(new String(quad.line(), UTF_8), adds);
            }
            TreeMap<String, Boolean> found = new TreeMap<>();
            Items<Operation> sorted = sorter.sorted();
            for (Operation one = sorted.next(); one != null; one = sorted.next()) {
                found.put(new String(one.quad().line(), UTF_8), one.adds());
            }
            assertEquals(expected, found);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000})
    void anOperationTakesMoreMemoryThanItsTerms(int letters) {
        CanonicalQuad quad =
                new CanonicalQuad(utf8("<urn:" + "s".repeat(letters) + ">"), utf8("<urn:p>"), utf8("_:o"), null);
        assertTrue(Operation.FORM.sizeOf(new Operation(true, quad)) > letters + 30);
    }
}
