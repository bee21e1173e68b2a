package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user may say to a file format, and what is said back. */
class SparkOptionsTest {
    private enum Colour {
        RED, GREEN
    }

    private static final Option<Colour> COLOUR = Option.ofChoice("colour", Colour.class, Colour.RED, "");
    private static final Option<Integer> COATS = Option.ofNumber("coats", 7, 1, "");
    private static final Option<Boolean> DRY = Option.ofFlag("dry", false, "");
    private static final Option<String> NAME = Option.ofText("name", "a text", "y", "");
    private static final OptionTable PAINT =
            SparkOptions.tableOf("paint", List.of(COLOUR, FormatOptions.MODE), List.of(COATS, DRY, NAME));

    private static OptionValues options(String name, String value) {
        return PAINT.parseValues(Map.of(name, value));
    }

    private static void assertRefused(String message, org.junit.jupiter.api.function.Executable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"colour", "COLOUR", "path", "recursivefilelookup", "maxFilesPerTrigger", "queryName",
        "fs.s3a.endpoint", "serialization.format", "__partition_columns"})
    void ownOptionsAndSparksAndHadoopsAreTaken(String name) {
        assertEquals("RED", options(name, "RED").getText(name.toUpperCase(Locale.ROOT)));
    }

    @Test
    void whatIsNotFilesRefusesNamesWithADot() {
        OptionTable log = SparkOptions.tableOf("log", List.of(COATS), List.of(), Set.of("queryName"));
        for (String name : List.of("queryName", "Serialization.Format", "__partition_columns", "coats")) {
            assertEquals("7", log.parseValues(Map.of(name, "7")).getText(name));
        }
        assertRefused("unknown option 'co.ats' of log; it has coats; did you mean 'coats'?",
                () -> log.parseValues(Map.of("co.ats", "7")));
        assertRefused("unknown option 'fs.s3a.endpoint' of log: it is a setting of Hadoop; set spark.hadoop.fs.s3a.endpoint when the "
                + "application starts", () -> log.parseValues(Map.of("fs.s3a.endpoint", "x")));
    }

    @Test
    void unknownOptionIsRefusedByName() {
        assertRefused(
                "unknown option 'varnish' of paint; it has coats, colour, dry, mode, name, and those of Spark for files",
                () -> options("varnish", "RED"));
    }

    @ParameterizedTest
    @CsvSource({"color, colour", "CLOUR, colour", "coat, coats", "dyr, ", "moode, mode"})
    void whatWasMeantIsSaidWhereItIsNear(String given, String meant) {
        String message = assertThrows(IllegalArgumentException.class, () -> options(given, "1")).getMessage();
        assertEquals(meant == null ? "" : "; did you mean '" + meant + "'?",
                message.substring(message.indexOf("for files") + "for files".length()));
    }

    @Test
    void valuesAreReadWhateverTheCaseOfTheName() {
        assertEquals(3, options("COATS", " 3 ").get(COATS));
        assertEquals(Colour.GREEN, options("Colour", "green").get(COLOUR));
        assertTrue(options("dry", "TRUE").get(DRY));
        assertEquals("x", options("name", "x").get(NAME));
    }

    @Test
    void defaultsStandInForWhatIsNotGiven() {
        OptionValues none = options("path", "x");
        assertEquals(7, none.get(COATS));
        assertEquals(Colour.RED, none.get(COLOUR));
        assertFalse(none.get(DRY));
        assertEquals("y", none.get(NAME));
        assertFalse(none.has(COATS));
        assertTrue(options("coats", "2").has(COATS));
    }

    @Test
    void wrongValueIsRefusedWithTheOptionAndWhatItTakes() {
        assertRefused("option 'coats' of paint is 'two'; it takes a whole number of at least 1",
                () -> options("coats", "two").get(COATS));
        assertRefused("option 'coats' of paint is '0'; it takes a whole number of at least 1",
                () -> options("coats", "0").get(COATS));
        assertRefused("option 'coats' of paint is '99999999999'; it takes a whole number of at least 1",
                () -> options("coats", "99999999999").get(COATS));
        assertRefused("option 'dry' of paint is 'yes'; it takes true or false", () -> options("dry", "yes").get(DRY));
        assertRefused("option 'colour' of paint is 'blue'; it takes one of [RED, GREEN]",
                () -> options("colour", "blue").get(COLOUR));
    }

    @Test
    void aValueIsRefusedWhereverTheOptionCounts() {
        assertRefused("option 'dry' of paint is 'yes'; it takes true or false", () -> options("dry", "yes"));
        Option<Integer> few = Option.ofNumber("size", 4000, 8, "");
        Option<Integer> many = Option.ofNumber("size", 4096, 1, "");
        OptionValues given = new OptionTable("paint", List.of(many), List.of(few)).parseValues(Map.of("size", "7"));
        assertEquals(7, given.get(many));
        assertRefused("option 'size' of paint is '7'; it takes a whole number of at least 8", () -> given.get(few));
    }

    @Test
    void failFastIsTheOnlyModeForFiles() {
        assertEquals("failfast", options("mode", "failfast").get(FormatOptions.MODE));
        assertEquals("FAILFAST", options("path", "x").get(FormatOptions.MODE));
        assertRefused("option 'mode' of paint is 'PERMISSIVE'; it takes FAILFAST only; to go on past bad statements of nquads and rdf, "
                + "set badStatements, and past files that can't be read, ignoreCorruptFiles=true",
                () -> options("mode", "PERMISSIVE").get(FormatOptions.MODE));
    }
}
