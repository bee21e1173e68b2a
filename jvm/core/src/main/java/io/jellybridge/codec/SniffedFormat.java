package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A format that the first bytes of unreadable data suggest. It serves error messages only, since a file is often intact but has
 * a wrong name.
 */
public enum SniffedFormat {
    GZIP("gzip data", "decompress it, or end its name in .gz"),
    ZSTD("Zstandard data", "decompress it, or end its name in .zst"),
    BZIP2("bzip2 data", "decompress it, or end its name in .bz2"),
    XZ("xz data", "decompress it", ".xz", ".txz"),
    ZIP("a zip archive", "unpack it", ".zip"),
    PARQUET("Parquet", "read it by Spark's format parquet", ".parquet"),
    UTF16("text in UTF-16", "save it as UTF-8"),
    HTML("HTML", "it may be the page of a server that says why there is no file; get the file again"),
    XML("XML", "read it as RDF/XML, if it is that"),
    JSON("JSON", "read it as JSON-LD, if it is that"),
    OWL_FUNCTIONAL("OWL in functional syntax", SniffedFormat.CONVERT_OWL, ".ofn"),
    OWL_MANCHESTER("OWL in Manchester syntax", SniffedFormat.CONVERT_OWL, ".omn"),
    OWL_XML("OWL/XML", SniffedFormat.CONVERT_OWL, ".owx"),
    OBO("OBO", SniffedFormat.CONVERT_OWL, ".obo"),
    TURTLE("Turtle or TriG", "read it as that, by a name that ends in .ttl or .trig"),
    RDF_PATCH("RDF Patch text", "read it as rdf-patch, or end its name in .rdfp"),
    NQUADS("N-Quads or N-Triples", "read it as nquads, or end its name in .nq"),
    JELLY_PATCH("Jelly-Patch", "read it as jelly-patch, or end its name in .jellyp"),
    JELLY("Jelly-RDF", "read it as jelly, or end its name in .jelly");

    private static final String OR_NAME = ", or end its name in ";
    private static final int OF_TEXT = 2048;
    private static final int ROWS = 1;
    private static final int OPTIONS = 1;
    private static final int LOGICAL_TYPE = 14;
    private static final int FIRST_FIELD_1 = 0x0A;
    private static final Pattern PATCH_ROW = Pattern.compile("(TX|TC|TA|TB|Z)\\s*\\.?.{0,2}|(H|A|D|PA|PD)\\s+\\S.*");
    private static final Pattern OWL_ROW = Pattern.compile("(Prefix|Ontology)\\s*\\(.*|(Prefix|Ontology):\\s.*");
    private static final Pattern OWL_XML_ROOT = Pattern.compile("<(owl:)?Ontology\\s(?![^>]*rdf:about)(?s:[^>]*)ontologyIRI");
    private static final Pattern STATEMENT = Pattern.compile("(<[^<>\\s]*>|_:\\S+|<<.*)\\s*<.*");

    private static final String CONVERT_OWL = "convert it to RDF/XML or Turtle, by ROBOT or Protégé";

    private final String text;
    private final String advice;
    private final List<String> suffixes;

    /**
     * Creates a format.
     *
     * @param suffixes the suffixes of files that this project does not read
     */
    SniffedFormat(String text, String advice, String... suffixes) {
        this.text = text;
        this.advice = advice;
        this.suffixes = List.of(suffixes);
    }

    /**
     * Returns the format that a suffix suggests, for a file that this project does not read. Returns null for any other suffix.
     */
    public static SniffedFormat ofSuffix(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return Arrays.stream(values()).filter(format -> format.suffixes.stream().anyMatch(name::endsWith)).findFirst().orElse(null);
    }

    /** Returns a clause without a full stop that says what was found instead of the expected format. */
    public String describeFound(String due) {
        return "what looks like " + text + ", not " + due;
    }

    /** Returns a clause without a full stop that says what to do. */
    public String advice() {
        return advice;
    }

    /** Returns the advice for a file, without that to give it the name that it has. The file is null if it has no name. */
    public String adviceFor(String file) {
        int name = advice.indexOf(OR_NAME);
        boolean isNamed = name >= 0 && file != null
                && file.toLowerCase(Locale.ROOT).endsWith(advice.substring(name + OR_NAME.length()));
        return isNamed ? advice.substring(0, name) : advice;
    }

    /** Returns the name for messages. */
    @Override
    public String toString() {
        return text;
    }

    /**
     * Guesses the format from the first bytes of a stream.
     *
     * @param bytes the first bytes, from {@code from} to {@code to}; more bytes give a better guess
     * @return null if no known format begins in this way
     */
    public static SniffedFormat of(byte[] bytes, int from, int to) {
        SniffedFormat packed = sniffPacked(bytes, from, to);
        if (packed != null) {
            return packed;
        }
        SniffedFormat text = sniffText(bytes, from, to);
        return text != null ? text : sniffJelly(bytes, from, to);
    }

    private static SniffedFormat sniffPacked(byte[] bytes, int from, int to) {
        return startsWith(bytes, from, to, 0x1F, 0x8B) ? GZIP
                : startsWith(bytes, from, to, 0x28, 0xB5, 0x2F, 0xFD) ? ZSTD
                : startsWith(bytes, from, to, 'B', 'Z', 'h') ? BZIP2
                : startsWith(bytes, from, to, 0xFD, '7', 'z', 'X', 'Z') ? XZ
                : startsWith(bytes, from, to, 'P', 'K', 3, 4) ? ZIP
                : startsWith(bytes, from, to, 'P', 'A', 'R', '1') ? PARQUET
                : startsWith(bytes, from, to, 0xFF, 0xFE) || startsWith(bytes, from, to, 0xFE, 0xFF) ? UTF16 : null;
    }

    private static boolean startsWith(byte[] bytes, int from, int to, int... with) {
        boolean begins = to - from >= with.length;
        for (int i = 0; begins && i < with.length; i++) {
            begins = (bytes[from + i] & 0xFF) == with[i];
        }
        return begins;
    }

    private static SniffedFormat sniffText(byte[] bytes, int from, int to) {
        int end = Math.min(to, from + OF_TEXT);
        for (int i = from; i < end; i++) {
            if (bytes[i] >= 0 && bytes[i] < ' ' && bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\t') {
                return null;
            }
        }
        String text = new String(bytes, from, end - from, UTF_8);
        for (String line : text.split("[\r\n]+")) {
            String row = line.replace("\uFEFF", "").strip();
            if (!row.isEmpty() && row.charAt(0) != '#') {
                SniffedFormat sniffed = sniffLine(row, row.toLowerCase(Locale.ROOT));
                return sniffed == XML && OWL_XML_ROOT.matcher(text).find() ? OWL_XML : sniffed;
            }
        }
        return null;
    }

    private static SniffedFormat sniffLine(String row, String lower) {
        if (lower.startsWith("<!doctype html") || lower.startsWith("<html")) {
            return HTML;
        }
        if (lower.startsWith("<?xml") || lower.startsWith("<rdf:rdf")) {
            return XML;
        }
        if (row.charAt(0) == '{' || row.charAt(0) == '[') {
            return JSON;
        }
        if (lower.startsWith("@prefix ") || lower.startsWith("@base ") || lower.startsWith("prefix ")
                || lower.startsWith("base ")) {
            return TURTLE;
        }
        if (lower.startsWith("format-version:")) {
            return OBO;
        }
        if (OWL_ROW.matcher(row).matches()) {
            return row.contains("(") ? OWL_FUNCTIONAL : OWL_MANCHESTER;
        }
        return PATCH_ROW.matcher(row).matches() ? RDF_PATCH : STATEMENT.matcher(row).matches() ? NQUADS : null;
    }

    /** Distinguishes the two formats. Both begin with a row of options, whose fields 1 and 14 differ. */
    private static SniffedFormat sniffJelly(byte[] bytes, int from, int to) {
        try {
            WireReader wire = new WireReader();
            wire.reset(bytes, from, to);
            boolean isBare = startsWith(bytes, from, to, FIRST_FIELD_1)
                    && (!startsWith(bytes, from, to, FIRST_FIELD_1, FIRST_FIELD_1)
                        || startsWith(bytes, from, to, FIRST_FIELD_1, FIRST_FIELD_1, FIRST_FIELD_1));
            long frame = isBare ? 1 : 0;
            while (frame == 0) {
                frame = wire.uint32(); // empty frames may precede the options
            }
            int tag = wire.tag();
            while (tag != (ROWS << 3 | WireReader.LENGTH_DELIMITED)) {
                wire.skip(tag);
                tag = wire.tag();
            }
            enterMessage(wire);
            return wire.tag() == (OPTIONS << 3 | WireReader.LENGTH_DELIMITED) ? ofOptions(wire) : null;
        } catch (WireException e) {
            return null;
        }
    }

    private static void enterMessage(WireReader wire) {
        int length = wire.length();
        wire.setWindow(wire.position(), wire.position() + length);
    }

    private static SniffedFormat ofOptions(WireReader wire) {
        enterMessage(wire);
        boolean hasVersion = false;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == (1 << 3 | WireReader.VARINT)) {
                return JELLY_PATCH;
            }
            if (tag == (1 << 3 | WireReader.LENGTH_DELIMITED) || tag == (LOGICAL_TYPE << 3 | WireReader.VARINT)) {
                return JELLY;
            }
            hasVersion |= tag == (15 << 3 | WireReader.VARINT);
            wire.skip(tag);
        }
        return hasVersion ? JELLY : null;
    }
}
