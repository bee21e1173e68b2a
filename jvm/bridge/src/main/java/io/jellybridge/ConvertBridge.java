package io.jellybridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.convert.BadStatementFile;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.Conversion;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.DifferenceFile;
import io.jellybridge.convert.Format;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.PrefixedTerms;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.ReadableDifference;
import io.jellybridge.convert.DifferenceText;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.convert.Validator;
import io.jellybridge.files.AtomicFile;
import io.jellybridge.files.BadStatements;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The entry points that Python calls to convert, examine and compare files. They are not in {@link Bridge}, so that a command
 * that needs only the codec does not load Jena.
 */
public final class ConvertBridge {

    private ConvertBridge() {
    }

    /**
     * Parses options for reading and writing, see {@link ConvertOptions#of}.
     *
     * @param namesAndValues names and values alternating
     */
    public static ConvertOptions options(List<String> namesAndValues) {
        return ConvertOptions.of(named(namesAndValues));
    }

    /** Converts alternating names and values to a map. */
    static Map<String, String> named(List<String> namesAndValues) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            options.put(namesAndValues.get(i), namesAndValues.get(i + 1));
        }
        return options;
    }

    public static ProgressMeter newMeter() {
        return new ProgressMeter();
    }

    /** Returns the format with a name; null for null, which stands for the format of the suffix. */
    static Format format(String name) {
        return name == null ? null : Format.byName(name);
    }

    /** Converts texts to places: for each its path, its name in errors, and the IRI of a download or null. */
    static List<FileLocation> places(List<String> texts) {
        List<FileLocation> places = new ArrayList<>();
        for (int i = 0; i < texts.size(); i += 3) {
            places.add(new FileLocation(texts.get(i), texts.get(i + 1), texts.get(i + 2)));
        }
        return places;
    }

    /** Returns the format of a file by its name, see {@link Format#ofFile}. */
    public static String formatOf(String file) {
        return Format.ofFile(file).toString();
    }

    /** Returns the usual suffix of a format, with its dot. */
    public static String suffixOf(String format) {
        return Format.byName(format).suffix();
    }

    /**
     * Converts files, see {@link Conversion}. A format that is null is that of the suffix.
     *
     * @param inputs see {@link #places}; the path {@code -} is standard input
     * @param output a path, {@code -} for standard output
     * @param bad    null to throw an error for the first bad statement
     * @return the number of patches, and the number of rows or statements
     */
    public static long[] convert(List<String> inputs, String from, String output, String to, ConvertOptions options,
            ProgressMeter meter, BadStatementFile bad) throws IOException {
        Conversion conversion = new Conversion(
                places(inputs), format(from), new FileLocation(output), format(to), options, meter, statements(bad));
        conversion.run();
        return new long[] {conversion.patches(), conversion.rows()};
    }

    /**
     * Reads a file to its end and returns its statistics and faults, see {@link Validator}. A format that is null is that of
     * the suffix.
     */
    public static String examine(
            String input, String name, String base, String from, boolean strict, long maxFaults, ConvertOptions options,
            ProgressMeter meter) throws IOException {
        return new Validator(new FileLocation(input, name, base), format(from), options, strict, maxFaults, meter).run();
    }

    /** Creates a file for statements that can't be read, see {@link BadStatementFile#BadStatementFile}. */
    public static BadStatementFile badStatements(String path, String limit) throws IOException {
        return new BadStatementFile(new FileLocation(path), limit);
    }

    /** Returns an object for the bad statements of one more file; null if the first is an error. */
    static BadStatements statements(BadStatementFile bad) {
        return bad == null ? null : bad.statements().ofFile();
    }

    /**
     * Compares two snapshots and writes the difference, see {@link Difference}. A format that is null is that of the suffix.
     *
     * @param files      the old and the new file, see {@link #places}
     * @param blankNodes the way to compare blank nodes, see {@link BlankNodes#byName}
     * @param allowEmpty true to accept an empty new snapshot if the old one is not empty
     * @param bad        null to throw an error for the first bad statement
     * @return the numbers of deleted statements, of added ones, of {@linkplain Difference#unsettled unsettled} nodes, and of
     *     {@linkplain Difference#positions statements that were left out}; then 1 if blank nodes were compared by structure,
     *     else 0
     */
    public static long[] diff(List<String> files, String from, String output, String to, String blankNodes, boolean allowEmpty,
            ConvertOptions options, ProgressMeter meter, BadStatementFile bad) throws IOException {
        List<FileLocation> places = places(files);
        Snapshot old = new SnapshotFile(places.get(0), format(from), options, meter, statements(bad));
        Snapshot next = new SnapshotFile(places.get(1), format(from), options, meter.fork(), statements(bad));
        DifferenceFile file = new DifferenceFile(new FileLocation(output), format(to), options);
        try (Difference difference = Difference.of(old, next, BlankNodes.byName(blankNodes), meter)) {
            if (!allowEmpty) {
                difference.checkNotEmpty(old, next);
            }
            file.write(difference);
            return new long[] {difference.deleted(), difference.added(), difference.unsettled(), difference.positions(),
                difference.holdsBlankNodes() ? 1 : 0};
        }
    }

    /** Creates a snapshot from a file of statements. A format that is null is that of the suffix. */
    public static Snapshot snapshot(String path, String name, String base, String from, ConvertOptions options, ProgressMeter meter,
            BadStatementFile bad) {
        return new SnapshotFile(new FileLocation(path, name, base), format(from), options, meter.fork(), statements(bad));
    }

    /**
     * Compares two snapshots, and groups the changes by subject for people.
     *
     * @param blankNodes see {@link BlankNodes#byName}
     * @param allowEmpty true to accept an empty new snapshot if the old one is not empty
     * @param prefixes   prefixes and namespaces alternating, which take precedence over those of the snapshots
     * @param patch      a file for the difference as a patch; null for none
     */
    public static ReadableDifference compare(Snapshot old, Snapshot next, String blankNodes, boolean allowEmpty,
            List<String> prefixes, String patch, ProgressMeter meter) throws IOException {
        try (Difference difference = Difference.keepStatements(old, next, BlankNodes.byName(blankNodes), meter)) {
            if (!allowEmpty) {
                difference.checkNotEmpty(old, next);
            }
            return readable(difference, prefixes, patch);
        }
    }

    static ReadableDifference readable(Difference difference, List<String> prefixes, String patch) throws IOException {
        if (patch != null) {
            writePatch(difference, patch);
        }
        return ReadableDifference.of(difference, named(prefixes));
    }

    /** Writes a difference as a patch, to a file whose suffix says the format. */
    static void writePatch(Difference difference, String file) throws IOException {
        new DifferenceFile(new FileLocation(file), null, ConvertOptions.strict(false)).write(difference);
    }

    /** Returns a difference as text, see {@link DifferenceText#toText}. */
    public static String text(ReadableDifference difference, String old, String next, String format, boolean statistics,
            boolean colours) throws IOException {
        return new DifferenceText(difference, old, next, colours).toText(format, statistics);
    }

    /** Writes a difference as text to a file or to standard output, see {@link DifferenceText#write}. */
    public static void writeText(ReadableDifference difference, String old, String next, String format, boolean statistics,
            boolean colours, String output) throws IOException {
        new DifferenceText(difference, old, next, colours).write(format, statistics, new FileLocation(output));
    }

    /** Writes a text to a file, which appears whole or not at all. */
    public static void writeText(String file, String text) throws IOException {
        try (AtomicFile target = new AtomicFile(Path.of(file), file)) {
            target.out().write(text.getBytes(UTF_8));
            target.commit();
        }
    }

    /** Creates a writer of terms for people. The list has prefixes and namespaces alternating. */
    public static PrefixedTerms terms(List<String> prefixes) {
        return new PrefixedTerms(named(prefixes), Map.of());
    }

    /** Deletes unfinished outputs, see {@link AtomicFile#abandonAll}. */
    public static void abandonAll() throws IOException {
        AtomicFile.abandonAll();
    }
}
