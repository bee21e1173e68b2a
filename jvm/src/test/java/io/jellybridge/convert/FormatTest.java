package io.jellybridge.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FormatTest {

    @Test
    void whatCannotBeReadIsOfferedForNoInput() {
        assertEquals(Format.TURTLE, Format.ofInput("a.ttl.gz"));
        String refused = assertThrows(IllegalArgumentException.class, () -> Format.ofInput("a.txt")).getMessage();
        assertTrue(refused.contains(".ttl") && !refused.contains(".events"), refused);
    }

    @Test
    void aFileOfPatchesIsNoSnapshotAndTheFormatsOfSnapshotsAreNamed() {
        String refused = assertThrows(IllegalArgumentException.class,
                () -> new SnapshotFile(new FileLocation("a.jellyp"), null, ConvertOptions.strict(false), new ProgressMeter())).getMessage();
        assertTrue(refused.startsWith("a.jellyp is jelly-patch: a snapshot is in a format of statements: jelly, nquads, "
                + "ntriples, turtle, trig, "), refused);
        assertFalse(refused.contains("events"), refused);
    }
}
