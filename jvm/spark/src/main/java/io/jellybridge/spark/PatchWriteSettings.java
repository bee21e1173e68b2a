package io.jellybridge.spark;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.WriteOptions;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The options of {@code df.write.format("jelly-patch")}.
 *
 * @param stream      the options row of each file
 * @param cut         how each file is cut into frames, and which terms it takes
 * @param compression how each file is compressed
 */
public record PatchWriteSettings(PatchOptions stream, WriteOptions cut, Compression compression) implements Serializable {
    /** PUNCTUATED (default), FRAME or FLAT. */
    static final String STREAM_TYPE = "streamType";
    /** QUADS (default) or TRIPLES. */
    static final String STATEMENT_TYPE = "statementType";
    /** Whether generalized statements may occur; default false. */
    static final String GENERALIZED_STATEMENTS = "generalizedStatements";
    /** Whether relative IRIs may occur; default false. */
    static final String RELATIVE_IRIS = "relativeIris";
    /** Whether quoted triples may occur; default false. */
    static final String RDF_STAR = "rdfStar";
    /** Entries of the name lookup, at least 8; default 4000. */
    static final String MAX_NAME_TABLE_SIZE = "maxNameTableSize";
    /** Entries of the prefix lookup; default 150. */
    static final String MAX_PREFIX_TABLE_SIZE = "maxPrefixTableSize";
    /** Entries of the datatype lookup; default 32. */
    static final String MAX_DATATYPE_TABLE_SIZE = "maxDatatypeTableSize";
    /** Rows of a frame, lookup entries included; default 1024. */
    static final String FRAME_ROWS = "frameRows";
    /**
     * Bytes between two restart points, from which a file is read in parallel; 0 = none, so that one task reads it; default
     * 4194304.
     */
    static final String RESTART_BYTES = "restartBytes";
    /** Each frame after its length (default true), or one bare frame, which holds one patch. */
    static final String DELIMITED = "delimited";

    /** All of them. */
    static final Set<String> NAMES = Set.of(STREAM_TYPE, STATEMENT_TYPE, GENERALIZED_STATEMENTS, RELATIVE_IRIS, RDF_STAR,
            MAX_NAME_TABLE_SIZE, MAX_PREFIX_TABLE_SIZE, MAX_DATATYPE_TABLE_SIZE, FRAME_ROWS, RESTART_BYTES,
            DELIMITED, Compression.OPTION);

    /**
     * @throws IllegalArgumentException an option is unknown, has a value that it can't have, or does not go with another;
     *                                  the message names it
     */
    static PatchWriteSettings of(Map<String, String> options) {
        FileOptions given = new FileOptions(options, JellyPatchFileFormat.SHORT_NAME,
                FileOptions.union(PatchReadSettings.NAMES, NAMES));
        return of(given);
    }

    /**
     * The options of a function that writes patches: those of files, but for {@value #RESTART_BYTES}, since what a function
     * makes is read whole and has no restart points, and for compression.
     *
     * @param function the function's name, for messages
     * @throws IllegalArgumentException as {@link #of(Map)}
     */
    public static PatchWriteSettings ofFunction(Map<String, String> options, String function) {
        Set<String> names = new HashSet<>(NAMES);
        names.removeAll(Set.of(RESTART_BYTES, Compression.OPTION));
        PatchWriteSettings files = of(FileOptions.withoutFiles(options, function, names));
        return new PatchWriteSettings(files.stream, files.cut.withRestartBytes(0), files.compression);
    }

    private static PatchWriteSettings of(FileOptions given) {
        PatchOptions defaults = PatchOptions.DEFAULT;
        PatchOptions stream = new PatchOptions(
                given.oneOf(STREAM_TYPE, StreamType.class, defaults.streamType()),
                given.oneOf(STATEMENT_TYPE, StatementType.class, defaults.statementType()),
                given.bool(GENERALIZED_STATEMENTS, defaults.generalizedStatements()),
                given.bool(RDF_STAR, defaults.rdfStar()),
                given.integer(MAX_NAME_TABLE_SIZE, defaults.maxNameTableSize(), PatchOptions.MIN_NAME_TABLE_SIZE),
                given.integer(MAX_PREFIX_TABLE_SIZE, defaults.maxPrefixTableSize(), 0),
                given.integer(MAX_DATATYPE_TABLE_SIZE, defaults.maxDatatypeTableSize(), 0));
        return new PatchWriteSettings(stream, cut(given,
                stream.streamType() == StreamType.FRAME ? STREAM_TYPE + "=FRAME: each patch is one frame" : null),
                Compression.of(given));
    }

    /**
     * How files are cut into frames, and which terms they take.
     *
     * @param wholeFrames the option by which each element of the stream is one frame, and that it is; null where frames may
     *                    end anywhere
     */
    static WriteOptions cut(FileOptions given, String wholeFrames) {
        WriteOptions cut = new WriteOptions(
                given.integer(FRAME_ROWS, WriteOptions.DEFAULT.frameRows(), 1),
                given.bool(DELIMITED, true),
                WriteOptions.DEFAULT.maxFrameBytes(),
                given.integer(RESTART_BYTES, WriteOptions.DEFAULT.restartBytes(), 0),
                given.bool(RELATIVE_IRIS, false) ? TermRules.RELATIVE_IRIS : TermRules.RDF);
        String conflict = cut.delimited() ? wholeFrames : DELIMITED + "=false: such a file is one frame";
        if (given.has(FRAME_ROWS) && conflict != null) {
            throw new IllegalArgumentException(
                    FRAME_ROWS + " does not go with " + conflict + ", whatever its rows; leave one of the two out");
        }
        if (given.has(RESTART_BYTES) && !cut.delimited()) {
            throw new IllegalArgumentException(RESTART_BYTES + " does not go with " + DELIMITED
                    + "=false: such a file is one frame, and a restart point is the start of one; leave one of the two out");
        }
        return cut;
    }
}
