package io.jellybridge.spark;

import static io.jellybridge.options.Option.ofChoice;
import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofFolder;
import static io.jellybridge.options.Option.ofNumber;
import static io.jellybridge.options.Option.ofText;

import io.jellybridge.codec.LogicalType;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.Compression;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.options.ShareLimit;
import io.jellybridge.spark.ChangeFileFormat.JellyPatchFileFormat;
import io.jellybridge.spark.ChangeFileFormat.RdfPatchFileFormat;
import io.jellybridge.spark.FileBatches.BadPart;
import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchWriteOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/**
 * The option tables of our file formats and of the functions that read and write patches, with the conversion of their values.
 * A conversion throws {@link IllegalArgumentException} if an option has an invalid value or conflicts with another. The message
 * names the option.
 */
public final class FormatOptions {
    private static final ReadOptions READ = ReadOptions.DEFAULT;
    private static final PatchOptions PATCH = PatchOptions.DEFAULT;
    private static final WriteOptions CUT = WriteOptions.DEFAULT;

    static final Option<String> MODE = new Option<>("mode",
            "FAILFAST only; to go on past bad statements of nquads and rdf, set badStatements, and past files that can't be read, "
                    + "ignoreCorruptFiles=true",
            mode -> mode.trim().equalsIgnoreCase("FAILFAST") ? mode : null, "FAILFAST",
            "what to do with a file that can't be read");

    private static final Option<Boolean> STRICT = ofFlag("strict", READ.strict(),
            "refuse every broken MUST of the format, also those that other writers are known to break");
    static final Option<Integer> MAX_FRAME_BYTES =
            ofNumber("maxFrameBytes", READ.maxFrameBytes(), 1, "largest frame; of N-Quads and N-Triples, longest line");
    private static final Option<Integer> LARGEST_NAME_TABLE = ofNumber("maxNameTableSize", READ.maxNameTableSize(), 1,
            "largest name lookup that a file may ask for, in entries");
    private static final Option<Integer> LARGEST_PREFIX_TABLE =
            ofNumber("maxPrefixTableSize", READ.maxPrefixTableSize(), 0, "largest prefix lookup, likewise");
    private static final Option<Integer> LARGEST_DATATYPE_TABLE =
            ofNumber("maxDatatypeTableSize", READ.maxDatatypeTableSize(), 0, "largest datatype lookup, likewise");
    private static final Option<Integer> MAX_NESTING =
            ofNumber("maxNesting", READ.maxNesting(), 1, "how deep triple terms may be nested");

    private static final Option<Integer> MAX_TERM_BYTES = ofNumber("maxTermBytes", null, 1,
            "longest term, in bytes; without, 16 MiB, or less in a heap below 1 GiB");
    private static final Option<Integer> MAX_TABLE_BYTES = ofNumber("maxTableBytes", null, 1,
            "what the entries of a lookup may take, in bytes; without, likewise. All terms that lookups make may take four"
                    + " times that, or 256 times what was read");

    private static final Option<StreamType> STREAM_TYPE = ofChoice("streamType", StreamType.class, PATCH.streamType(),
            "how frames and patches relate; `FRAME`: a frame is a patch, `FLAT`: the file is one patch");
    private static final Option<StatementType> STATEMENT_TYPE = ofChoice("statementType", StatementType.class,
            PATCH.statementType(), "what statements are; `TRIPLES` has no place for graphs");
    private static final Option<PhysicalType> PHYSICAL_TYPE = ofChoice("physicalType", PhysicalType.class,
            RdfOptions.DEFAULT.physicalType(),
            "what statements are; `TRIPLES` has no place for graphs, `GRAPHS` is shortest where rows are sorted by graph");
    private static final Option<String> LOGICAL_TYPE = ofText("logicalType",
            "one of " + Arrays.toString(LogicalType.values()) + ", or a number", null,
            "what a frame means; without, the flat one of the `physicalType`. A grouped one makes a frame of each value of"
                    + " the column `frame`");
    private static final Option<String> STREAM_NAME =
            ofText("streamName", "a text", RdfOptions.DEFAULT.streamName(), "a name for the stream");
    private static final Option<Boolean> GENERALIZED_STATEMENTS = ofFlag("generalizedStatements",
            PATCH.generalizedStatements(), "whether literals may be subjects, and the like");
    private static final Option<Boolean> RELATIVE_IRIS =
            ofFlag("relativeIris", false, "whether relative IRIs may occur");
    private static final Option<Boolean> RDF_STAR =
            ofFlag("rdfStar", PATCH.rdfStar(), "whether triple terms may occur");
    private static final Option<Integer> MAX_NAME_TABLE_SIZE = ofNumber("maxNameTableSize", PATCH.maxNameTableSize(),
            PatchOptions.MIN_NAME_TABLE_SIZE, "entries of the name lookup");
    private static final Option<Integer> MAX_PREFIX_TABLE_SIZE = ofNumber("maxPrefixTableSize", PATCH.maxPrefixTableSize(), 0,
            "entries of the prefix lookup; 0 = none");
    private static final Option<Integer> MAX_DATATYPE_TABLE_SIZE = ofNumber("maxDatatypeTableSize",
            PATCH.maxDatatypeTableSize(), 0, "entries of the datatype lookup; 0 = none, so no typed literals");
    private static final Option<Integer> FRAME_ROWS = ofNumber("frameRows", CUT.frameRows(), 1,
            "rows of a frame, lookup entries included; not where each patch, graph or dataset is a frame, or with"
                    + " `delimited=false`");
    private static final Option<Boolean> DELIMITED =
            ofFlag("delimited", CUT.delimited(), "`false`: one bare frame; of `jelly-patch`, it holds one patch");
    private static final Option<Integer> RESTART_BYTES = ofNumber("restartBytes", CUT.restartBytes(), 0,
            "bytes between restart points, from which a file is read in parallel; 0 = none; not with `delimited=false`");

    private static final Option<RdfPatchDialect> DIALECT = ofChoice("dialect", RdfPatchDialect.class,
            RdfPatchReadOptions.DEFAULT.dialect(), "how the text is written");
    private static final Option<Integer> MAX_TOKEN_BYTES = ofNumber("maxTokenBytes",
            RdfPatchReadOptions.DEFAULT.maxTokenBytes(), 1, "largest token, such as a literal");
    private static final Option<Boolean> MARKS = ofFlag("marks", RdfPatchWriteOptions.DEFAULT.marks(),
            "`Z .` between patches; `false` for files of one patch");

    static final Option<Boolean> QUOTED_SUBJECTS =
            ofFlag("rdfStar", false, "also take triple terms as subjects, and `<< s p o >>`");
    static final Option<Boolean> MEND_TAGS =
            ofFlag("mendTags", false, "read `_` in language tags as `-`, as old data has it");

    static final Option<String> BAD_STATEMENTS = ofFolder("badStatements",
            "set statements aside there that can't be read, each with its place and what is wrong; without, the first is an error");
    static final Option<ShareLimit> MAX_BAD = new Option<>("maxBad", "a number, or a share such as 0.1%", ShareLimit::parse,
            ShareLimit.NONE, "how many statements of a part of a file may be bad");

    static final Option<String> SYNTAX = new Option<>("syntax",
            "a suffix, a name or a media type, such as ttl, Turtle or text/turtle",
            syntax -> RdfFile.isSyntax(syntax.trim()) ? syntax.trim() : null, null,
            "the syntax of all files; without, that of each one's suffix");
    static final Option<String> BASE = new Option<>("base", "an absolute IRI",
            RdfFile::absoluteIri, null,
            "from where relative IRIs go; without, from each file itself");
    static final Option<Boolean> REMOTE_CONTEXTS = ofFlag("remoteContexts", false,
            "let JSON-LD load the contexts that it names, from the network and from files");

    static final Option<Compression> COMPRESSION = ofChoice("compression", Compression.WRITTEN, Compression.NONE,
            "how the files are compressed, see [compression](formats.md#compression)");

    private static final List<Option<?>> READING_JELLY = List.of(STRICT, MAX_FRAME_BYTES, LARGEST_NAME_TABLE,
            LARGEST_PREFIX_TABLE, LARGEST_DATATYPE_TABLE, MAX_NESTING, MAX_TERM_BYTES, MAX_TABLE_BYTES);
    private static final List<Option<?>> WRITING_JELLY = List.of(GENERALIZED_STATEMENTS, RELATIVE_IRIS, RDF_STAR,
            MAX_NAME_TABLE_SIZE, MAX_PREFIX_TABLE_SIZE, MAX_DATATYPE_TABLE_SIZE, FRAME_ROWS, DELIMITED);
    private static final List<Option<?>> WRITING_PATCHES =
            OptionTable.join(List.of(STREAM_TYPE, STATEMENT_TYPE), WRITING_JELLY);
    private static final List<Option<?>> JELLY_FILES = List.of(RESTART_BYTES, COMPRESSION);
    private static final List<Option<?>> TERMS_OF_TEXT = List.of(GENERALIZED_STATEMENTS, RELATIVE_IRIS, MAX_TOKEN_BYTES);

    static final OptionTable JELLY_PATCH = SparkOptions.tableOf(JellyPatchFileFormat.SHORT_NAME,
            OptionTable.join(List.of(MODE), READING_JELLY), OptionTable.join(WRITING_PATCHES, JELLY_FILES));
    static final OptionTable JELLY_RDF = SparkOptions.tableOf(JellyRdfFileFormat.SHORT_NAME,
            OptionTable.join(List.of(MODE), READING_JELLY),
            OptionTable.join(List.of(PHYSICAL_TYPE, LOGICAL_TYPE, STREAM_NAME), WRITING_JELLY, JELLY_FILES));
    static final OptionTable RDF_PATCH = SparkOptions.tableOf(RdfPatchFileFormat.SHORT_NAME,
            OptionTable.join(List.of(MODE, DIALECT, STRICT, MAX_NESTING), TERMS_OF_TEXT),
            OptionTable.join(TERMS_OF_TEXT, List.of(MARKS, COMPRESSION)));
    static final OptionTable NQUADS = SparkOptions.tableOf(NQuadsFileFormat.SHORT_NAME,
            List.of(MODE, MAX_FRAME_BYTES, QUOTED_SUBJECTS, MEND_TAGS, BAD_STATEMENTS, MAX_BAD), List.of(QUOTED_SUBJECTS, COMPRESSION));

    static final OptionTable RDF = SparkOptions.tableOf(RiotFileFormat.SHORT_NAME,
            List.of(MODE, MAX_FRAME_BYTES, SYNTAX, BASE, REMOTE_CONTEXTS, BAD_STATEMENTS, MAX_BAD), List.of());

    private FormatOptions() {
    }

    /**
     * Returns the folder for bad statements and their limit.
     *
     * @param ignoreCorruptFiles true if Spark skips the rest of a file that can't be read, so that no limit would be an error
     * @param hadoop the configuration of the read, which resolves a relative folder
     */
    static BadFolder badStatements(OptionValues given, boolean ignoreCorruptFiles, Supplier<Configuration> hadoop) {
        if (ignoreCorruptFiles && given.has(MAX_BAD)) {
            throw new IllegalArgumentException("the option '" + MAX_BAD.name() + "' does not go with ignoreCorruptFiles: Spark would "
                    + "leave out the rest of a file with more bad statements, without an error; set the option "
                    + "ignoreCorruptFiles=false for this read");
        }
        String folder = given.get(BAD_STATEMENTS);
        return new BadFolder(folder == null ? null
                : SparkCall.unchecked(() -> HadoopFiles.absoluteFolder(folder, hadoop.get())), given.get(MAX_BAD));
    }

    /**
     * A folder for bad statements.
     *
     * @param folder null to throw an error for the first bad statement
     */
    record BadFolder(String folder, ShareLimit limit) implements Serializable {
        /** Creates the file for a split; null if the first bad statement is an error. */
        BadPart open(PartitionedFile part, Configuration hadoop) throws IOException {
            return folder == null ? null : new BadPart(folder, part.toPath(), part.start(), limit, hadoop);
        }
    }

    /** Returns the options for reading Jelly. */
    static ReadOptions readingOptions(OptionValues given) {
        return new ReadOptions(given.get(STRICT), given.get(MAX_FRAME_BYTES), given.get(LARGEST_NAME_TABLE),
                given.get(LARGEST_PREFIX_TABLE), given.get(LARGEST_DATATYPE_TABLE), given.get(MAX_NESTING))
                .withMaxBytes(given.get(MAX_TERM_BYTES, READ.maxTermBytes()), given.get(MAX_TABLE_BYTES, READ.maxTableBytes()));
    }

    /** Returns the options for reading RDF Patch text. */
    static RdfPatchReadOptions readingText(OptionValues given) {
        return new RdfPatchReadOptions(given.get(DIALECT), given.get(STRICT), given.get(GENERALIZED_STATEMENTS),
                given.get(RELATIVE_IRIS), given.get(MAX_TOKEN_BYTES), given.get(MAX_NESTING));
    }

    /** Returns the options for writing RDF Patch text. */
    static RdfPatchWriteOptions writingText(OptionValues given) {
        return new RdfPatchWriteOptions(given.get(MARKS), given.get(GENERALIZED_STATEMENTS), given.get(RELATIVE_IRIS),
                given.get(MAX_TOKEN_BYTES));
    }

    /** Returns the options row of a Jelly-Patch file. */
    static PatchOptions patchStream(OptionValues given) {
        return new PatchOptions(given.get(STREAM_TYPE), given.get(STATEMENT_TYPE), given.get(GENERALIZED_STATEMENTS),
                given.get(RDF_STAR), given.get(MAX_NAME_TABLE_SIZE), given.get(MAX_PREFIX_TABLE_SIZE),
                given.get(MAX_DATATYPE_TABLE_SIZE));
    }

    /** Returns the framing and the accepted terms of a Jelly-Patch file. */
    static WriteOptions cut(OptionValues given, PatchOptions stream) {
        return frameOptions(given, stream.streamType() != StreamType.FRAME ? null
                : STREAM_TYPE.name() + "=" + StreamType.FRAME + ": each patch is one frame");
    }

    /** Returns the options row of a Jelly-RDF file. */
    static RdfOptions rdfStream(OptionValues given) {
        PhysicalType physical = given.get(PHYSICAL_TYPE);
        return new RdfOptions(given.get(STREAM_NAME), physical, logicalType(given, physical),
                given.get(GENERALIZED_STATEMENTS), given.get(RDF_STAR), given.get(MAX_NAME_TABLE_SIZE),
                given.get(MAX_PREFIX_TABLE_SIZE), given.get(MAX_DATATYPE_TABLE_SIZE), RdfOptions.DEFAULT.version());
    }

    /** Returns the framing and the accepted terms of a Jelly-RDF file. */
    static WriteOptions cut(OptionValues given, RdfOptions stream) {
        return frameOptions(given, !stream.grouped() ? null
                : LOGICAL_TYPE.name() + "=" + given.get(LOGICAL_TYPE) + ": each element is one frame");
    }

    private static int logicalType(OptionValues given, PhysicalType physical) {
        String text = given.has(LOGICAL_TYPE) ? given.get(LOGICAL_TYPE).trim() : LogicalType.toFlat(physical).name();
        int number = Character.isDigit(text.isEmpty() ? ' ' : text.charAt(0))
                ? given.get(ofNumber(LOGICAL_TYPE.name(), 0, 0, LOGICAL_TYPE.meaning()))
                : Arrays.stream(LogicalType.values())
                        .filter(type -> type.name().equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> LOGICAL_TYPE.refusalError(text, given.of()))
                        .number();
        if (!physical.goesWith(number)) {
            throw new IllegalArgumentException(LOGICAL_TYPE.name() + "=" + text + " does not go with " + PHYSICAL_TYPE.name()
                    + "=" + physical + ": triples and graphs are of TRIPLES, quads and datasets of QUADS or GRAPHS (R-15)");
        }
        return number;
    }

    /**
     * @param wholeFrames the option that makes each element of the stream one frame, for messages; null if frames may end
     *     anywhere
     */
    private static WriteOptions frameOptions(OptionValues given, String wholeFrames) {
        boolean delimited = given.get(DELIMITED);
        String bare = DELIMITED.name() + "=false: such a file is one frame";
        String conflict = delimited ? wholeFrames : bare;
        if (given.has(FRAME_ROWS) && conflict != null) {
            throw new IllegalArgumentException(FRAME_ROWS.name() + " does not go with " + conflict
                    + ", whatever its rows; leave one of the two out");
        }
        if (given.has(RESTART_BYTES) && !delimited) {
            throw new IllegalArgumentException(RESTART_BYTES.name() + " does not go with " + bare
                    + ", and a restart point is the start of one; leave one of the two out");
        }
        return new WriteOptions(given.get(FRAME_ROWS), delimited, CUT.maxFrameBytes(), given.get(RESTART_BYTES),
                given.get(RELATIVE_IRIS) ? TermRules.RELATIVE_IRIS : TermRules.RDF);
    }

    /**
     * Returns the reading options of a function. They are those of files without {@code mode}, since functions have {@code
     * try_…} variants.
     *
     * @param function the function's name, for messages
     * @throws IllegalArgumentException an option is unknown or has an invalid value; the message names it
     */
    public static ReadOptions readingIn(String function, Map<String, String> options) {
        return readingOptions(new OptionTable(function, READING_JELLY, List.of()).parseValues(options));
    }

    /**
     * Returns the writer of a function. Its options are those of files without restart points and compression, since the result
     * of a function is read as a whole.
     *
     * @param function the function's name, for messages
     * @return creates the writer of a stream
     * @throws IllegalArgumentException as {@link #readingIn}, and if options conflict
     */
    public static Function<OutputStream, PatchWriter<byte[]>> writingIn(String function, Map<String, String> options) {
        OptionValues given = new OptionTable(function, List.of(), WRITING_PATCHES).parseValues(options);
        PatchOptions stream = patchStream(given);
        WriteOptions cut = cut(given, stream).withRestartBytes(0);
        return out -> new PatchWriter<>(out, null, new Utf8Terms(), stream, cut);
    }
}
