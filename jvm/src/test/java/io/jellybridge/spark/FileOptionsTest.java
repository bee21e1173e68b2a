package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user may say to a file format, and what is said back. */
class FileOptionsTest {
    private enum Colour {
        RED, GREEN
    }

    private static FileOptions options(String name, String value) {
        return new FileOptions(Map.of(name, value), "paint", Set.of("colour", "coats", "dry", "mode"));
    }

    private static void assertRefused(String message, org.junit.jupiter.api.function.Executable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"colour", "COLOUR", "path", "recursivefilelookup", "maxFilesPerTrigger", "queryName",
        "fs.s3a.endpoint", "serialization.format", "__partition_columns"})
    void ownOptionsAndSparksAndHadoopsAreTaken(String name) {
        assertTrue(options(name, "x").has(name));
    }

    @Test
    void unknownOptionIsRefusedByName() {
        assertRefused("unknown option 'color' of paint; it has coats, colour, dry, mode, and those of Spark for files",
                () -> options("color", "RED"));
    }

    @Test
    void valuesAreReadWhateverTheCaseOfTheName() {
        assertEquals(3, options("COATS", " 3 ").integer("coats", 1, 1));
        assertEquals(Colour.GREEN, options("Colour", "green").oneOf("colour", Colour.class, Colour.RED));
        assertTrue(options("dry", "TRUE").bool("dry", false));
        assertEquals("x", options("dry", "x").string("dry", "y"));
    }

    @Test
    void defaultsStandInForWhatIsNotGiven() {
        FileOptions none = options("path", "x");
        assertEquals(7, none.integer("coats", 7, 1));
        assertEquals(Colour.RED, none.oneOf("colour", Colour.class, Colour.RED));
        assertFalse(none.bool("dry", false));
        assertEquals("y", none.string("mode", "y"));
        assertFalse(none.has("coats"));
    }

    @Test
    void wrongValueIsRefusedWithTheOptionAndWhatItTakes() {
        assertRefused("option 'coats' of paint is 'two'; it takes a whole number of at least 1",
                () -> options("coats", "two").integer("coats", 1, 1));
        assertRefused("option 'coats' of paint is '0'; it takes a whole number of at least 1",
                () -> options("coats", "0").integer("coats", 1, 1));
        assertRefused("option 'coats' of paint is '99999999999'; it takes a whole number of at least 1",
                () -> options("coats", "99999999999").integer("coats", 1, 1));
        assertRefused("option 'dry' of paint is 'yes'; it takes true or false",
                () -> options("dry", "yes").bool("dry", false));
        assertRefused("option 'colour' of paint is 'blue'; it takes one of [RED, GREEN]",
                () -> options("colour", "blue").oneOf("colour", Colour.class, Colour.RED));
    }

    @Test
    void failFastIsTheOnlyModeForFiles() {
        options("mode", "failfast").requireFailFast("mode");
        options("path", "x").requireFailFast("mode");
        assertRefused("option 'mode' of paint is 'PERMISSIVE'; it takes FAILFAST only; to go on past files that "
                + "can't be read, set ignoreCorruptFiles=true",
                () -> options("mode", "PERMISSIVE").requireFailFast("mode"));
    }
}
