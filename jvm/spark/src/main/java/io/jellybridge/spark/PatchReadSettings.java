package io.jellybridge.spark;

import io.jellybridge.codec.ReadOptions;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The options of {@code spark.read.format("jelly-patch")}, and of {@code jelly}: the formats share their limits. */
public final class PatchReadSettings {
    /** Refuse every broken MUST of the format; default false. */
    static final String STRICT = "strict";
    /** What to do with a file that breaks the format: FAILFAST, the default and the only one for files. */
    static final String MODE = "mode";
    /** Largest frame in bytes; default 16777216. */
    static final String MAX_FRAME_BYTES = "maxFrameBytes";
    /** Largest name lookup that a file may ask for; default 4096. */
    static final String MAX_NAME_TABLE_SIZE = "maxNameTableSize";
    /** Largest prefix lookup; default 1024. */
    static final String MAX_PREFIX_TABLE_SIZE = "maxPrefixTableSize";
    /** Largest datatype lookup; default 256. */
    static final String MAX_DATATYPE_TABLE_SIZE = "maxDatatypeTableSize";
    /** How deep triple terms may be nested; default 64. */
    static final String MAX_NESTING = "maxNesting";

    /** All of them. */
    static final Set<String> NAMES = Set.of(STRICT, MODE, MAX_FRAME_BYTES, MAX_NAME_TABLE_SIZE,
            MAX_PREFIX_TABLE_SIZE, MAX_DATATYPE_TABLE_SIZE, MAX_NESTING);

    private PatchReadSettings() {
    }

    /** As {@link #of(Map, String, Set)}, of {@code jelly-patch}. */
    static ReadOptions of(Map<String, String> options) {
        return of(options, JellyPatchFileFormat.SHORT_NAME, PatchWriteSettings.NAMES);
    }

    /**
     * @param format    the format's short name, for messages
     * @param ofWriting the options of writing that format
     * @throws IllegalArgumentException an option is unknown or has a value that it can't have; the message names it
     */
    static ReadOptions of(Map<String, String> options, String format, Set<String> ofWriting) {
        FileOptions given = new FileOptions(options, format, FileOptions.union(NAMES, ofWriting));
        given.requireFailFast(MODE);
        return of(given);
    }

    /**
     * The options of a function that reads patches: those of files, but for {@value #MODE}, since a function has a variant
     * that tries.
     *
     * @param function the function's name, for messages
     * @throws IllegalArgumentException as {@link #of(Map, String, Set)}
     */
    public static ReadOptions ofFunction(Map<String, String> options, String function) {
        Set<String> names = new HashSet<>(NAMES);
        names.remove(MODE);
        return of(FileOptions.withoutFiles(options, function, names));
    }

    private static ReadOptions of(FileOptions given) {
        ReadOptions defaults = ReadOptions.DEFAULT;
        return new ReadOptions(
                given.bool(STRICT, defaults.strict()),
                given.integer(MAX_FRAME_BYTES, defaults.maxFrameBytes(), 1),
                given.integer(MAX_NAME_TABLE_SIZE, defaults.maxNameTableSize(), 1),
                given.integer(MAX_PREFIX_TABLE_SIZE, defaults.maxPrefixTableSize(), 0),
                given.integer(MAX_DATATYPE_TABLE_SIZE, defaults.maxDatatypeTableSize(), 0),
                given.integer(MAX_NESTING, defaults.maxNesting(), 1));
    }
}
