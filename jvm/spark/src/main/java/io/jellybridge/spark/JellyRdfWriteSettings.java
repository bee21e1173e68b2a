package io.jellybridge.spark;

import static io.jellybridge.spark.PatchWriteSettings.DELIMITED;
import static io.jellybridge.spark.PatchWriteSettings.FRAME_ROWS;
import static io.jellybridge.spark.PatchWriteSettings.GENERALIZED_STATEMENTS;
import static io.jellybridge.spark.PatchWriteSettings.MAX_DATATYPE_TABLE_SIZE;
import static io.jellybridge.spark.PatchWriteSettings.MAX_NAME_TABLE_SIZE;
import static io.jellybridge.spark.PatchWriteSettings.MAX_PREFIX_TABLE_SIZE;
import static io.jellybridge.spark.PatchWriteSettings.RDF_STAR;
import static io.jellybridge.spark.PatchWriteSettings.RELATIVE_IRIS;
import static io.jellybridge.spark.PatchWriteSettings.RESTART_BYTES;

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
 * @param stream      the options row of each file
 * @param cut         how each file is cut into frames, and which terms it takes
 * @param compression how each file is compressed
 */
record JellyRdfWriteSettings(RdfOptions stream, WriteOptions cut, Compression compression) implements Serializable {
    /** QUADS (default), TRIPLES or GRAPHS. */
    static final String PHYSICAL_TYPE = "physicalType";
    /**
     * A {@link LogicalType} by name, or any logical type by number; default the flat one of the physical type. A
     * grouped one makes a frame of each value of the column {@code frame}.
     */
    static final String LOGICAL_TYPE = "logicalType";
    /** A name for the stream; default none. */
    static final String STREAM_NAME = "streamName";

    /** All of them; those that are not above mean what they mean for {@code jelly-patch}. */
    static final Set<String> NAMES = Set.of(PHYSICAL_TYPE, LOGICAL_TYPE, STREAM_NAME, GENERALIZED_STATEMENTS,
            RELATIVE_IRIS, RDF_STAR, MAX_NAME_TABLE_SIZE, MAX_PREFIX_TABLE_SIZE, MAX_DATATYPE_TABLE_SIZE, FRAME_ROWS, RESTART_BYTES,
            DELIMITED, Compression.OPTION);

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
        String wholeFrames = LOGICAL_TYPE + "=" + given.string(LOGICAL_TYPE, "") + ": each element is one frame";
        return new JellyRdfWriteSettings(stream, PatchWriteSettings.cut(given, stream.grouped() ? wholeFrames : null),
                Compression.of(given));
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
