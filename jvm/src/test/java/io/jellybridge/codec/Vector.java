package io.jellybridge.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A case of a table of vectors: {@code cases.tsv} in {@code tests/vectors}, and that of the conformance data, which has
 * the same columns.
 *
 * @param kind        what a reader is to do
 * @param rule        the rule that an error must name; null where the table does not say
 * @param events      what is to be read; of a {@link Kind#REJECT} case nothing
 * @param breaksAMust whether it is an {@link Kind#EITHER} case that a strict reader must refuse
 */
record Vector(String id, Kind kind, Path input, String rule, List<Event> events, boolean breaksAMust) {
    enum Kind { ACCEPT, REJECT, EITHER }

    private static final Map<String, Kind> KINDS = Map.of(
            "patch-vector-accept", Kind.ACCEPT,
            "patch-vector-reject", Kind.REJECT,
            "patch-vector-either", Kind.EITHER,
            "patch-from-jellyp-pos", Kind.ACCEPT);
    /** {@code ERROR P-62}, {@code EITHER ERROR P-15 OR EVENTS: …}. */
    private static final Pattern RULE = Pattern.compile("^(?:EITHER )?ERROR (P-\\d+)");
    private static final String EVENTS = "EVENTS:";
    private static final String WITHOUT_LAST_END = "no --- at the end";

    /** The cases of a folder that are about reading Jelly-Patch. */
    static List<Vector> of(Path folder) throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve("cases.tsv"))) {
            return lines.skip(1).map(line -> line.split("\t", -1)).filter(cells -> KINDS.containsKey(cells[1]))
                    .map(cells -> of(folder, cells)).toList();
        }
    }

    private static Vector of(Path folder, String[] cells) {
        Kind kind = KINDS.get(cells[1]);
        String expected = cells[5];
        return new Vector(cells[0], kind, folder.resolve(cells[3]), rule(expected), events(folder, kind, expected),
                kind == Kind.EITHER && cells[8].contains("level MUST"));
    }

    private static String rule(String expected) {
        Matcher matcher = RULE.matcher(expected);
        return matcher.find() ? matcher.group(1) : null;
    }

    private static List<Event> events(Path folder, Kind kind, String expected) {
        if (kind == Kind.REJECT) {
            return List.of();
        }
        int inline = expected.indexOf(EVENTS);
        Stream<String> lines = inline >= 0
                ? Stream.of(expected.substring(inline + EVENTS.length()).split(" ⏎ "))
                : lines(folder.resolve(expected.split(" ")[0]), expected.contains(WITHOUT_LAST_END));
        return lines.map(String::strip).filter(line -> !line.isEmpty()).map(Event::parse).toList();
    }

    private static Stream<String> lines(Path file, boolean withoutLastEnd) {
        try {
            // Not Files.lines: a literal may hold what other systems take for the end of a line.
            Stream<String> lines = Stream.of(Files.readString(file).split("\n"));
            return withoutLastEnd ? Stream.concat(lines, Stream.of(Event.END_OF_PATCH.op())) : lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
