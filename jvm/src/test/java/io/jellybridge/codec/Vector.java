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
 * A case of a table of vectors: {@code cases.tsv} in {@code tests/conformance}, and that of the conformance data, which
 * has the same columns.
 *
 * @param kind        what a reader is to do
 * @param rule        the rule that an error must name; null where the table does not say
 * @param events      what is to be read; of a {@link Kind#REJECT} case nothing
 * @param breaksAMust whether it is an {@link Kind#EITHER} case that a strict reader must refuse
 */
record Vector(String id, Kind kind, Path input, String rule, List<Event> events, boolean breaksAMust) {
    enum Kind { ACCEPT, REJECT, EITHER }

    private static final Map<String, Kind> PATCH_KINDS = Map.of(
            "patch-vector-accept", Kind.ACCEPT,
            "patch-vector-reject", Kind.REJECT,
            "patch-vector-either", Kind.EITHER,
            "patch-vector-restart", Kind.REJECT,
            "patch-vector-checksum", Kind.REJECT,
            "patch-from-jellyp-pos", Kind.ACCEPT);
    private static final Map<String, Kind> RDF_KINDS = Map.of(
            "rdf-vector-accept", Kind.ACCEPT,
            "rdf-vector-reject", Kind.REJECT,
            "rdf-vector-either", Kind.EITHER,
            "rdf-vector-restart", Kind.REJECT,
            "rdf-vector-checksum", Kind.REJECT);
    /** {@code ERROR P-62}, {@code EITHER ERROR R-15 OR EVENTS: …}. */
    private static final Pattern RULE = Pattern.compile("^(?:EITHER )?ERROR ([PR]-\\d+|restart|checksum)");
    private static final String EVENTS = "EVENTS:";
    private static final String WITHOUT_LAST_END = "no --- at the end";

    /** The cases of a folder that are about reading Jelly-Patch. */
    static List<Vector> ofPatches(Path folder) throws IOException {
        return of(folder, PATCH_KINDS);
    }

    /** The cases of a folder that are about reading Jelly-RDF and say which events a stream holds. */
    static List<Vector> ofRdf(Path folder) throws IOException {
        return of(folder, RDF_KINDS);
    }

    private static List<Vector> of(Path folder, Map<String, Kind> kinds) throws IOException {
        return ConformanceCase.of(folder).stream().filter(found -> kinds.containsKey(found.kind()))
                .map(found -> of(found, kinds.get(found.kind()))).toList();
    }

    private static Vector of(ConformanceCase found, Kind kind) {
        return new Vector(found.id(), kind, found.inputs().get(0), rule(found.expected()),
                events(found.folder(), kind, found.expected()),
                kind == Kind.EITHER && found.features().contains("level MUST"));
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
