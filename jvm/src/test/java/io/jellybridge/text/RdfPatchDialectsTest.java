package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.ProjectFiles;
import io.jellybridge.codec.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The table of dialects, {@value #TABLE}: one input a line, tab-separated, with the dialects it is read in and what
 * comes of it. In the input, {@code ⏎ ␍ ⇥} stand for line feed, carriage return and tab. The dialects are {@code
 * all}, or a list; {@code +generalized}, {@code +relative} and {@code +strict} are options. What comes of it is the events, set
 * apart by {@code ⏎}, or {@code ERROR line:column} and a part of the message.
 */
class RdfPatchDialectsTest {
    private static final String TABLE = "tests/dialects.tsv";
    private static final String EVENT_SEPARATOR = " ⏎ ";
    private static final String ERROR = "ERROR ";

    private record Case(String input, String dialects, String expected) {

        List<RdfPatchReadOptions> options() {
            String[] parts = dialects.split("\\+");
            List<String> extra = Arrays.asList(parts).subList(1, parts.length);
            RdfPatchReadOptions options = RdfPatchReadOptions.DEFAULT
                    .withStrict(extra.contains("strict"))
                    .withGeneralized(extra.contains("generalized")).withRelativeIris(extra.contains("relative"));
            Stream<RdfPatchDialect> named = parts[0].equals("all")
                    ? Stream.of(RdfPatchDialect.values())
                    : Stream.of(parts[0].split(","))
                            .map(name -> RdfPatchDialect.valueOf(name.toUpperCase(Locale.ROOT)));
            return named.map(options::withDialect).toList();
        }

        byte[] text() {
            return input.replace('⏎', '\n').replace('␍', '\r').replace('⇥', '\t').getBytes(UTF_8);
        }
    }

    private static List<Case> cases() throws IOException {
        List<Case> cases = new ArrayList<>();
        Path table = ProjectFiles.folder(TABLE);
        for (String line : Files.readAllLines(table)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                String[] columns = line.split("\t", -1);
                assertEquals(3, columns.length, line);
                cases.add(new Case(columns[0], columns[1], columns[2]));
            }
        }
        return cases;
    }

    @Test
    void theTableHasMoreThanAHundredLines() throws IOException {
        assertTrue(cases().size() >= 110);
    }

    @TestFactory
    Stream<DynamicTest> everyLineOfTheTableComesOutAsItSays() throws IOException {
        return cases().stream().flatMap(line -> line.options().stream().map(options ->
                DynamicTest.dynamicTest(options.dialect() + ": " + line.input, () -> check(line, options))));
    }

    private static void check(Case line, RdfPatchReadOptions options) {
        String found = outcome(line.text(), options);
        if (line.expected.startsWith(ERROR)) {
            String place = line.expected.split(" ", 3)[0] + ' ' + line.expected.split(" ", 3)[1];
            assertTrue(found.startsWith(place + ' ') && found.contains(line.expected.split(" ", 3)[2]), found);
        } else {
            assertEquals(line.expected, found);
        }
    }

    private static String outcome(byte[] text, RdfPatchReadOptions options) {
        try {
            return String.join(EVENT_SEPARATOR, TextEvents.read(text, options));
        } catch (FormatException e) {
            return ERROR + e.line() + ':' + e.column() + ' ' + e.found() + "; " + e.advice();
        }
    }
}
