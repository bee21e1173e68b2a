package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void optionsAreTakenUpToTheirBoundsAndTheMessageNamesTheOneBeyond() {
        WriteOptions least = new WriteOptions(1, true, 1, 0, TermRules.RDF);
        assertEquals(0, least.restartBytes());
        assertEquals(7, least.withRestartBytes(7).restartBytes());
        assertEquals(TermRules.ANY, least.withTerms(TermRules.ANY).terms());
        ReadOptions smallest = new ReadOptions(true, 1, 1, 0, 0, 1);
        assertEquals(new ReadOptions(false, 1, 1, 0, 0, 1), smallest.withStrict(false));
        PatchOptions.DEFAULT.withTableSizes(8, 0, 0);
        String[] names = {"frameRows", "maxFrameBytes", "restartBytes", "maxFrameBytes", "maxNameTableSize", "maxPrefixTableSize",
            "maxDatatypeTableSize", "maxNesting", "maxNameTableSize", "maxPrefixTableSize", "maxDatatypeTableSize"};
        Runnable[] calls = {() -> new WriteOptions(0, true, 1, 0), () -> new WriteOptions(1, true, 0, 0),
            () -> new WriteOptions(1, true, 1, -1), () -> new ReadOptions(true, 0, 1, 0, 0, 1),
            () -> new ReadOptions(true, 1, 0, 0, 0, 1), () -> new ReadOptions(true, 1, 1, -1, 0, 1),
            () -> new ReadOptions(true, 1, 1, 0, -1, 1), () -> new ReadOptions(true, 1, 1, 0, 0, 0),
            () -> PatchOptions.DEFAULT.withTableSizes(7, 0, 0), () -> PatchOptions.DEFAULT.withTableSizes(8, -1, 0),
            () -> PatchOptions.DEFAULT.withTableSizes(8, 0, -1)};
        for (int i = 0; i < calls.length; i++) {
            String message = assertThrows(IllegalArgumentException.class, calls[i]::run)
                    .getMessage();
            assertTrue(message.startsWith(names[i] + "="), message);
        }
    }
}
