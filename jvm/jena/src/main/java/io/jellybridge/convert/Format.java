package io.jellybridge.convert;

import io.jellybridge.codec.Look;
import io.jellybridge.files.Compression;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The formats, by their names and by the suffixes of their files. */
public enum Format {
    /** Jelly-Patch. */
    JELLY_PATCH("jelly-patch", true, ".jellyp"),
    /** RDF Patch text. */
    RDF_PATCH("rdf-patch", true, ".rdfp", ".rdp"),
    /** RDF Patch in Jena's binary form. The suffix is Jena's own. */
    THRIFT("thrift", true, ".trp"),
    /** Jelly-RDF. */
    JELLY("jelly", false, ".jelly"),
    /** N-Quads. */
    NQUADS("nquads", false, ".nq"),
    /** N-Triples. */
    NTRIPLES("ntriples", false, ".nt"),
    /** Turtle. This and the others of RIOT's are for reading only. */
    TURTLE("turtle", false, ".ttl"),
    /** TriG. */
    TRIG("trig", false, ".trig"),
    /** RDF/XML. */
    RDFXML("rdfxml", false, ".rdf", ".owl", ".xml"),
    /** JSON-LD. */
    JSONLD("jsonld", false, ".jsonld"),
    /** N3, of which RIOT reads what is also Turtle. */
    N3("n3", false, ".n3"),
    /** RDF/JSON. */
    RDFJSON("rdfjson", false, ".rj"),
    /** TriX. */
    TRIX("trix", false, ".trix"),
    /** Event lines, of patches and of statements. For writing only. */
    EVENTS("events", false, ".events");

    /** What Jena's file logs have behind their name, by the policy: a number, or the date or time of the file's beginning. */
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

    /** Whether files of this format hold patches, not statements. Event lines hold either. */
    public boolean holdsPatches() {
        return patches;
    }

    /** Whether it is read by RIOT; such a one is not written. */
    boolean isRiot() {
        return switch (this) {
            case TURTLE, TRIG, RDFXML, JSONLD, N3, RDFJSON, TRIX -> true;
            default -> false;
        };
    }

    /** Whether a conversion from this format to the other makes sense. */
    boolean convertsTo(Format other) {
        return isReadable() && !other.isRiot() && (other == EVENTS || patches == other.patches);
    }

    /**
     * Whether a file of this name is in this format, {@code .gz} or {@code .zst} after the suffix or not. A patch log that is
     * text may have a number or a time behind the suffix, as Jena names the files of its logs.
     */
    boolean isSuffixOf(String file) {
        String stripped = Compression.ofFile(file).strip(file).toLowerCase(Locale.ROOT);
        String name = this == RDF_PATCH ? ROLLED.matcher(stripped).replaceFirst("") : stripped;
        return suffixes.stream().anyMatch(name::endsWith);
    }

    private boolean isReadable() {
        return this != EVENTS;
    }

    /** The names of the formats that statements are read in, for messages. */
    static String namesOfStatements() {
        return Arrays.stream(values()).filter(format -> format.isReadable() && !format.patches).map(Format::toString)
                .collect(Collectors.joining(", "));
    }

    /** The usual suffix of a file, with its dot. */
    public String suffix() {
        return suffixes.get(0);
    }

    /**
     * The format with this name, or with this suffix, without its dot.
     *
     * @throws IllegalArgumentException there is none; the message names those that there are
     */
    public static Format named(String name) {
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
     * The format of a file by its name, {@code .gz} or {@code .zst} after the suffix or not.
     *
     * @throws IllegalArgumentException the suffix is of none
     */
    public static Format ofFile(String file) {
        return ofFile(file, format -> true, ".gz or .zst");
    }

    /** Likewise, of a file that is to be read: the error names the suffixes of what can be. */
    static Format ofInput(String file) {
        return ofFile(file, Format::isReadable, ".gz, .zst or .bz2");
    }

    private static Format ofFile(String file, Predicate<Format> fits, String compressions) {
        for (Format format : values()) {
            if (format.isSuffixOf(file)) {
                return format;
            }
        }
        Look look = Look.ofSuffix(file);
        if (look != null) {
            throw new IllegalArgumentException(file + ": the suffix is of " + look + ", which is not read; " + look.advice());
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
