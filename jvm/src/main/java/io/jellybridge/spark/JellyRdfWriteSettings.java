package io.jellybridge.spark;

import io.jellybridge.codec.LogicalType;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.WriteOptions;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * The options of {@code df.write.format("jelly")}.
 *
 * @param stream the options row of each file
 * @param cut    how each file is cut into frames
 */
record JellyRdfWriteSettings(RdfOptions stream, WriteOptions cut) implements Serializable {
    /** QUADS (default), TRIPLES or GRAPHS. */
    static final String PHYSICAL_TYPE = "physicalType";
    /**
     * A {@link LogicalType} by name, or any logical type by number; default the flat one of the physical type. A
     * grouped one makes a frame of each value of the column {@code frame}.
     */
    static final String LOGICAL_TYPE = "logicalType";
    /** A name for the stream; default none. */
    static final String STREAM_NAME = "streamName";
    /** Whether generalized statements may occur; default false. */
    static final String GENERALIZED_STATEMENTS = "generalizedStatements";
    /** Whether triple terms may occur; default false. */
    static final String RDF_STAR = "rdfStar";
    /** Entries of the name lookup, at least 8; default 4000. */
    static final String MAX_NAME_TABLE_SIZE = "maxNameTableSize";
    /** Entries of the prefix lookup; default 150. */
    static final String MAX_PREFIX_TABLE_SIZE = "maxPrefixTableSize";
    /** Entries of the datatype lookup; default 32. */
    static final String MAX_DATATYPE_TABLE_SIZE = "maxDatatypeTableSize";
    /** Rows of a frame of a flat stream, lookup entries included; default 1024. */
    static final String FRAME_ROWS = "frameRows";
    /** Each frame after its length (default true), or one bare frame. */
    static final String DELIMITED = "delimited";

    /** All of them. */
    static final Set<String> NAMES = Set.of(PHYSICAL_TYPE, LOGICAL_TYPE, STREAM_NAME, GENERALIZED_STATEMENTS,
            RDF_STAR, MAX_NAME_TABLE_SIZE, MAX_PREFIX_TABLE_SIZE, MAX_DATATYPE_TABLE_SIZE, FRAME_ROWS, DELIMITED);

    /**
     * @throws IllegalArgumentException an option is unknown, has a value that it can't have, or does not go with
     *                                  another; the message names it
     */
    static JellyRdfWriteSettings of(Map<String, String> options) {
        FileOptions given = new FileOptions(options, JellyRdfFileFormat.SHORT_NAME,
                FileOptions.union(PatchReadSettings.NAMES, NAMES));
        RdfOptions defaults = RdfOptions.DEFAULT;
        PhysicalType physical = given.oneOf(PHYSICAL_TYPE, PhysicalType.class, defaults.physicalType());
        RdfOptions stream = new RdfOptions(
                given.string(STREAM_NAME, defaults.streamName()),
                physical,
                logicalType(given, physical),
                given.bool(GENERALIZED_STATEMENTS, defaults.generalizedStatements()),
                given.bool(RDF_STAR, defaults.rdfStar()),
                given.integer(MAX_NAME_TABLE_SIZE, defaults.maxNameTableSize(), PatchOptions.MIN_NAME_TABLE_SIZE),
                given.integer(MAX_PREFIX_TABLE_SIZE, defaults.maxPrefixTableSize(), 0),
                given.integer(MAX_DATATYPE_TABLE_SIZE, defaults.maxDatatypeTableSize(), 0),
                defaults.version());
        WriteOptions cut = new WriteOptions(
                given.integer(FRAME_ROWS, WriteOptions.DEFAULT.frameRows(), 1),
                given.bool(DELIMITED, true),
                WriteOptions.DEFAULT.maxFrameBytes());
        if (given.has(FRAME_ROWS) && !cut.delimited()) {
            throw new IllegalArgumentException(FRAME_ROWS + " does not go with " + DELIMITED
                    + "=false: such a file is one frame, whatever its rows; leave one of the two out");
        }
        if (given.has(FRAME_ROWS) && stream.grouped()) {
            throw new IllegalArgumentException(FRAME_ROWS + " does not go with " + LOGICAL_TYPE + "="
                    + given.string(LOGICAL_TYPE, "") + ": each element is one frame, whatever its rows; "
                    + "leave one of the two out");
        }
        return new JellyRdfWriteSettings(stream, cut);
    }

    private static int logicalType(FileOptions given, PhysicalType physical) {
        String text = given.string(LOGICAL_TYPE, LogicalType.flat(physical).name()).trim();
        int number = Character.isDigit(text.isEmpty() ? ' ' : text.charAt(0))
                ? given.integer(LOGICAL_TYPE, 0, 0)
                : Arrays.stream(LogicalType.values())
                        .filter(type -> type.name().equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("option '" + LOGICAL_TYPE + "' of "
                                + JellyRdfFileFormat.SHORT_NAME + " is '" + text + "'; it takes one of "
                                + Arrays.toString(LogicalType.values()) + ", or a number"))
                        .number();
        if (!physical.goesWith(number)) {
            throw new IllegalArgumentException(LOGICAL_TYPE + "=" + text + " does not go with " + PHYSICAL_TYPE + "="
                    + physical + ": triples and graphs are of TRIPLES, quads and datasets of QUADS or GRAPHS (R-15)");
        }
        return number;
    }
}
