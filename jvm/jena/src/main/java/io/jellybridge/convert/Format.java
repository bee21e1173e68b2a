package io.jellybridge.convert;

import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.files.Compression;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The file formats, with their names and suffixes. */
public enum Format {
    JELLY_PATCH("jelly-patch", true, ".jellyp"),
    RDF_PATCH("rdf-patch", true, ".rdfp", ".rdp"),
    /** RDF Patch in Jena's binary form. The suffix is Jena's own. */
    THRIFT("thrift", true, ".trp"),
    JELLY("jelly", false, ".jelly"),
    NQUADS("nquads", false, ".nq"),
    NTRIPLES("ntriples", false, ".nt"),
    /** Turtle. RIOT reads and writes this and the formats from here to TriX. It does not write N3. */
    TURTLE("turtle", false, ".ttl"),
    TRIG("trig", false, ".trig"),
    RDFXML("rdfxml", false, ".rdf", ".owl", ".xml"),
    JSONLD("jsonld", false, ".jsonld"),
    /** N3. RIOT reads only files that are also Turtle. */
    N3("n3", false, ".n3"),
    RDFJSON("rdfjson", false, ".rj"),
    TRIX("trix", false, ".trix"),
    /** Event lines, of patches or of statements. For writing only. */
    EVENTS("events", false, ".events");

    /**
     * The end of a file's name in Jena's file logs: a number, or the date or time of the file's start, depending on the policy.
     */
    private static final Pattern ROLLED =
            Pattern.compile("(?:\\.\\d+|-\\d{4}-\\d{2}-\\d{2}(?:_\\d{2}-\\d{2}-\\d{2}(?:\\.\\d+)?)?)$");

    private final String text;
    private final boolean patches;
    private final List<String> suffixes;

    Format(String text, boolean patches, String... suffixes) {
        this.text = text;
        this.patches = patches;
        this.suffixes = List.of(suffixes);
    }

    /** Returns true if files of this format hold patches rather than statements. Event lines hold either. */
    public boolean holdsPatches() {
        return patches;
    }

    /** Returns true if files of this format are triples of one graph, which they do not name. */
    boolean holdsOneGraph() {
        return switch (this) {
            case NTRIPLES, TURTLE, RDFXML, N3, RDFJSON -> true;
            default -> false;
        };
    }

    /** Returns true if files of this format can declare prefixes of their statements. */
    boolean holdsPrefixes() {
        return this == JELLY || isRiot() && this != RDFJSON && this != TRIX;
    }

    /** Returns true for a document that RIOT reads. */
    boolean isRiot() {
        return switch (this) {
            case TURTLE, TRIG, RDFXML, JSONLD, N3, RDFJSON, TRIX -> true;
            default -> false;
        };
    }

    /** Checks whether this format can be converted to the other. */
    boolean convertsTo(Format other) {
        return isReadable() && other.isWritable() && (other == EVENTS || patches == other.patches);
    }

    /**
     * Checks whether a file with this name has this format. {@code .gz} or {@code .zst} may follow the suffix. A number or a
     * time may follow the suffix of a text patch log, as Jena names the files of its logs.
     */
    boolean isSuffixOf(String file) {
        String stripped = Compression.ofFile(file).strip(file).toLowerCase(Locale.ROOT);
        String name = this == RDF_PATCH ? ROLLED.matcher(stripped).replaceFirst("") : stripped;
        return suffixes.stream().anyMatch(name::endsWith);
    }

    boolean isWritable() {
        return this != N3;
    }

    private boolean isReadable() {
        return this != EVENTS;
    }

    /** Returns the names of all formats in which statements are read, for messages. */
    static String namesOfStatements() {
        return Arrays.stream(values()).filter(format -> format.isReadable() && !format.patches).map(Format::toString)
                .collect(Collectors.joining(", "));
    }

    /** Returns the usual suffix of a file, with its dot. */
    public String suffix() {
        return suffixes.get(0);
    }

    /**
     * Returns the format with this name, or with this suffix without its dot.
     *
     * @throws IllegalArgumentException there is none; the message lists all names
     */
    public static Format byName(String name) {
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
        for (Format format : values()) {
            if (format.text.equals(lower) || format.suffixes.contains("." + lower)) {
                return format;
            }
        }
        throw new IllegalArgumentException("'" + name + "' is no format; these are: "
                + Arrays.stream(values()).map(format -> format.text).collect(Collectors.joining(", ")));
    }

    /**
     * Returns the format for a file's name. {@code .gz} or {@code .zst} may follow the suffix.
     *
     * @throws IllegalArgumentException the suffix is unknown
     */
    public static Format ofFile(String file) {
        return ofFile(file, format -> true, ".gz or .zst");
    }

    /** Returns the format for the name of an input. The error for an unknown suffix lists those that can be read. */
    static Format ofInput(String file) {
        return ofFile(file, Format::isReadable, ".gz, .zst or .bz2");
    }

    private static Format ofFile(String file, Predicate<Format> fits, String compressions) {
        for (Format format : values()) {
            if (format.isSuffixOf(file)) {
                return format;
            }
        }
        SniffedFormat sniffed = SniffedFormat.ofSuffix(file);
        if (sniffed != null) {
            throw new IllegalArgumentException(file + ": the suffix is of " + sniffed + ", which is not read; " + sniffed.advice());
        }
        throw new IllegalArgumentException(file + ": the suffix names no format; name it, or use one of "
                + Arrays.stream(values()).filter(fits).flatMap(format -> format.suffixes.stream())
                        .collect(Collectors.joining(", "))
                + ", with " + compressions + " after it or not");
    }

    @Override
    public String toString() {
        return text;
    }
}
