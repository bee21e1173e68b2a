package io.jellybridge.convert;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import java.util.Arrays;
import java.util.Locale;

/**
 * How files are read and written, option by option; what is not set goes by the input. Names and values are text, so
 * that the command line hands them over as it got them.
 */
public final class Settings {
    private ReadOptions read = ReadOptions.DEFAULT;
    private RdfPatchReadOptions text = RdfPatchReadOptions.DEFAULT;
    private boolean generalized;
    private boolean relativeIris;
    private boolean rdfStar;
    private boolean mendTags;
    private StreamType streamType;
    private String statementType;
    private Integer names;
    private Integer prefixes;
    private Integer datatypes;
    private Integer frameRows;
    private int restartBytes = WriteOptions.DEFAULT.restartBytes();
    private boolean delimited = true;
    private boolean marks = true;

    /**
     * Sets an option.
     *
     * @param name  {@code strict}, {@code dialect}, {@code generalized}, {@code relativeIris}, {@code rdfStar},
     *              {@code mendTags}, {@code streamType}, {@code statementType}, {@code names}, {@code prefixes},
     *              {@code datatypes}, {@code frameRows}, {@code restartBytes}, {@code delimited}, {@code marks},
     *              {@code maxFrameBytes}, {@code maxTableSize}
     * @throws IllegalArgumentException there is no such option, or it can't have this value; the message says which
     */
    public void set(String name, String value) {
        switch (name) {
            case "strict" -> read = read.withStrict(flag(name, value));
            case "dialect" -> text = text.withDialect(choice(RdfPatchDialect.class, name, value));
            case "generalized" -> {
                generalized = flag(name, value);
                text = text.withGeneralized(generalized);
            }
            case "relativeIris" -> {
                relativeIris = flag(name, value);
                text = text.withRelativeIris(relativeIris);
            }
            case "rdfStar" -> rdfStar = flag(name, value);
            case "mendTags" -> mendTags = flag(name, value);
            case "streamType" -> streamType = choice(StreamType.class, name, value);
            case "statementType" -> statementType = choice(PhysicalType.class, name, value).name();
            case "names" -> names = number(name, value, PatchOptions.MIN_NAME_TABLE_SIZE);
            case "prefixes" -> prefixes = number(name, value, 0);
            case "datatypes" -> datatypes = number(name, value, 0);
            case "frameRows" -> frameRows = number(name, value, 1);
            case "restartBytes" -> restartBytes = number(name, value, 0);
            case "delimited" -> delimited = flag(name, value);
            case "marks" -> marks = flag(name, value);
            case "maxFrameBytes" -> {
                int limit = number(name, value, 1);
                read = new ReadOptions(read.strict(), limit, read.maxNameTableSize(), read.maxPrefixTableSize(),
                        read.maxDatatypeTableSize(), read.maxNesting());
                text = text.withMaxTokenBytes(limit);
            }
            case "maxTableSize" -> {
                int limit = number(name, value, 1);
                read = new ReadOptions(read.strict(), read.maxFrameBytes(), limit, limit, limit, read.maxNesting());
            }
            default -> throw new IllegalArgumentException("there is no option " + name);
        }
    }

    private static boolean flag(String name, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + "=" + value + ": must be true or false");
        };
    }

    private static int number(String name, String value, int min) {
        try {
            int number = Integer.parseInt(value);
            if (number >= min) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the message below says it
        }
        throw new IllegalArgumentException(name + "=" + value + ": must be a whole number, at least " + min);
    }

    private static <E extends Enum<E>> E choice(Class<E> type, String name, String value) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(value.toUpperCase(Locale.ROOT).replace('-', '_'))) {
                return constant;
            }
        }
        throw new IllegalArgumentException(name + "=" + value + ": must be one of "
                + String.join(", ", Arrays.stream(type.getEnumConstants()).map(Enum::name).toList()));
    }

    // --- reading

    ReadOptions read() {
        return read;
    }

    RdfPatchReadOptions text() {
        return text;
    }

    boolean generalized() {
        return generalized;
    }

    /** Whether N-Quads may have triple terms as subjects too, and {@code << s p o >>} for one. */
    boolean rdfStar() {
        return rdfStar;
    }

    /** Whether {@code _} in the language tags of N-Quads and of Jelly streams is read as {@code -}. */
    boolean mendTags() {
        return mendTags;
    }

    // --- writing

    boolean marks() {
        return marks;
    }

    /** Whether the input's frames are to be cut anew. */
    boolean cutsAnew() {
        return frameRows != null;
    }

    WriteOptions cut() {
        return new WriteOptions(frameRows == null ? WriteOptions.DEFAULT.frameRows() : frameRows, delimited,
                read.maxFrameBytes(), restartBytes, relativeIris ? TermRules.RELATIVE_IRIS : TermRules.RDF);
    }

    /** Whether statements are to be quads: as it was asked for, else as the input has them. */
    boolean quads(boolean ofInput) {
        return statementType == null ? ofInput : !statementType.equals(PhysicalType.TRIPLES.name());
    }

    /**
     * The options of a patch stream to write.
     *
     * @param of those of the input, or what stands for them where it has none
     */
    PatchOptions patch(PatchOptions of) {
        if ("GRAPHS".equals(statementType)) {
            throw new IllegalArgumentException("statementType=GRAPHS: patches have TRIPLES or QUADS");
        }
        return new PatchOptions(
                streamType == null ? of.streamType() : streamType,
                statementType == null ? of.statementType() : StatementType.valueOf(statementType),
                of.generalizedStatements() || generalized,
                of.rdfStar() || rdfStar,
                names == null ? of.maxNameTableSize() : names,
                prefixes == null ? of.maxPrefixTableSize() : prefixes,
                datatypes == null ? of.maxDatatypeTableSize() : datatypes);
    }

    /** The options of a Jelly-RDF stream to write; as {@link #patch}. */
    RdfOptions rdf(RdfOptions of) {
        PhysicalType physical = statementType == null ? of.physicalType() : PhysicalType.valueOf(statementType);
        return new RdfOptions(
                of.streamName(),
                physical,
                logicalType(of, physical),
                of.generalizedStatements() || generalized,
                of.rdfStar() || rdfStar,
                names == null ? of.maxNameTableSize() : names,
                prefixes == null ? of.maxPrefixTableSize() : prefixes,
                datatypes == null ? of.maxDatatypeTableSize() : datatypes,
                of.version());
    }

    /** A grouped stream stays grouped, a flat one flat, one that does not say stays so. */
    private static int logicalType(RdfOptions of, PhysicalType physical) {
        int base = of.logicalType() % 10;
        boolean ofTriples = base == 1 || base == 3;
        if (of.logicalType() == 0 || ofTriples == (physical == PhysicalType.TRIPLES)) {
            return of.logicalType();
        }
        int triples = of.grouped() ? 3 : 1;
        return physical == PhysicalType.TRIPLES ? triples : triples + 1;
    }
}
