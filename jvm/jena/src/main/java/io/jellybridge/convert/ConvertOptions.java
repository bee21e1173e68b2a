package io.jellybridge.convert;

import static io.jellybridge.options.Option.ofChoice;
import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofNumber;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.BadStatements;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** The options of {@code convert} and similar commands for reading and writing files. Missing options depend on the input. */
public final class ConvertOptions {
    private static final ReadOptions READ = ReadOptions.DEFAULT;
    private static final WriteOptions CUT = WriteOptions.DEFAULT;

    private static final Option<Boolean> STRICT = ofFlag("strict", READ.strict(),
            "refuse every broken MUST of a Jelly format, also those that other writers are known to break");
    private static final Option<RdfPatchDialect> DIALECT = ofChoice("dialect", RdfPatchDialect.class,
            RdfPatchReadOptions.DEFAULT.dialect(), "how RDF Patch text is written");
    private static final Option<Boolean> GENERALIZED_STATEMENTS = ofFlag("generalizedStatements", false,
            "let statements with literals as subjects, and the like, in and out");
    private static final Option<Boolean> RELATIVE_IRIS =
            ofFlag("relativeIris", false, "let relative IRIs in and out");
    private static final Option<Boolean> RDF_STAR = ofFlag("rdfStar", false,
            "let triple terms be subjects in N-Quads and N-Triples, and read `<< s p o >>` as one");
    private static final Option<Boolean> MEND_TAGS = ofFlag("mendTags", false,
            "read `_` in language tags of N-Quads, N-Triples and Jelly as `-`, such as `en_US` as `en-US`");
    private static final Option<String> BASE = new Option<>("base", "an absolute IRI", RdfFile::absoluteIri, null,
            "from where relative IRIs of Turtle, TriG, RDF/XML, JSON-LD, N3 and TriX go; without, from the file itself");
    private static final Option<Boolean> REMOTE_CONTEXTS = ofFlag("remoteContexts", false,
            "let JSON-LD load the contexts that it names, from the network and from files");
    private static final Option<Integer> MAX_FRAME_BYTES = ofNumber("maxFrameBytes", READ.maxFrameBytes(), 1,
            "largest frame of an input; of RDF Patch text, largest token, such as a literal, also of an output");
    private static final Option<Integer> MAX_TABLE_SIZE = ofNumber("maxTableSize", null, 1,
            "largest lookup table that an input may ask for, in entries; without, a limit for each, as in Spark");

    private static final Option<Integer> MAX_TERM_BYTES = ofNumber("maxTermBytes", null, 1,
            "longest term of a Jelly format or RDF Thrift, and of RDF Patch text without a largest frame, in bytes;"
                    + " without, 16 MiB, or less in a heap below 1 GiB");
    private static final Option<Integer> MAX_TABLE_BYTES = ofNumber("maxTableBytes", null, 1,
            "what the entries of a lookup table may take, in bytes; without, likewise");

    private static final Option<StreamType> STREAM_TYPE = ofChoice("streamType", StreamType.class, null,
            "how frames and patches relate in `jelly-patch`; `FLAT` is refused for more than one patch");
    private static final Option<PhysicalType> STATEMENT_TYPE = ofChoice("statementType", PhysicalType.class, null,
            "what statements are in a Jelly format; `TRIPLES` is refused where there is a named graph, `GRAPHS` is for"
                    + " `jelly` alone");
    private static final Option<Integer> NAME_TABLE_SIZE =
            ofNumber("nameTableSize", null, PatchOptions.MIN_NAME_TABLE_SIZE, "entries of the name table");
    private static final Option<Integer> PREFIX_TABLE_SIZE =
            ofNumber("prefixTableSize", null, 0, "entries of the prefix table");
    private static final Option<Integer> DATATYPE_TABLE_SIZE =
            ofNumber("datatypeTableSize", null, 0, "entries of the datatype table");
    private static final Option<Integer> FRAME_ROWS = ofNumber("frameRows", CUT.frameRows(), 1,
            "a frame ends when it has this many rows; without, the frames of a `jelly` input stay");
    private static final Option<Integer> RESTART_BYTES = ofNumber("restartBytes", CUT.restartBytes(), 0,
            "bytes between restart points of a Jelly format, from which Spark reads a file in parallel; 0 = none");
    private static final Option<Boolean> DELIMITED =
            ofFlag("delimited", CUT.delimited(), "each frame has its length before it; without, there is one bare frame");
    private static final Option<Boolean> MARKS = ofFlag("marks", true,
            "`Z .` between the patches of RDF Patch text; without, it holds one patch");

    static final OptionTable TABLE = new OptionTable("convert",
            List.of(STRICT, DIALECT, GENERALIZED_STATEMENTS, RELATIVE_IRIS, RDF_STAR, MEND_TAGS, BASE, REMOTE_CONTEXTS,
                    MAX_FRAME_BYTES, MAX_TABLE_SIZE, MAX_TERM_BYTES, MAX_TABLE_BYTES),
            List.of(GENERALIZED_STATEMENTS, RELATIVE_IRIS, RDF_STAR, MAX_FRAME_BYTES, STREAM_TYPE, STATEMENT_TYPE,
                    NAME_TABLE_SIZE, PREFIX_TABLE_SIZE, DATATYPE_TABLE_SIZE, FRAME_ROWS, RESTART_BYTES, DELIMITED, MARKS));

    private final OptionValues given;

    private ConvertOptions(OptionValues given) {
        this.given = given;
    }

    /**
     * Parses the options of a user.
     *
     * @param given the options by the names of the table
     * @throws IllegalArgumentException an option is unknown or its value invalid; the message says which
     */
    public static ConvertOptions of(Map<String, String> given) {
        return new ConvertOptions(TABLE.parseValues(given));
    }

    /** Returns the default options, strict or not. */
    public static ConvertOptions strict(boolean on) {
        return of(Map.of(STRICT.name(), Boolean.toString(on)));
    }

    // --- reading

    ReadOptions read() {
        return new ReadOptions(given.get(STRICT), given.get(MAX_FRAME_BYTES),
                given.get(MAX_TABLE_SIZE, READ.maxNameTableSize()), given.get(MAX_TABLE_SIZE, READ.maxPrefixTableSize()),
                given.get(MAX_TABLE_SIZE, READ.maxDatatypeTableSize()), READ.maxNesting())
                .withMaxBytes(given.get(MAX_TERM_BYTES, READ.maxTermBytes()), given.get(MAX_TABLE_BYTES, READ.maxTableBytes()));
    }

    RdfPatchReadOptions text() {
        int maxTokenBytes = given.has(MAX_FRAME_BYTES) ? given.get(MAX_FRAME_BYTES) : given.get(MAX_TERM_BYTES, READ.maxTermBytes());
        return new RdfPatchReadOptions(given.get(DIALECT), given.get(STRICT), given.get(GENERALIZED_STATEMENTS),
                given.get(RELATIVE_IRIS), maxTokenBytes, RdfPatchReadOptions.DEFAULT.maxNesting());
    }

    /** Returns true if N-Quads may have triple terms as subjects too, and {@code << s p o >>} as a triple term. */
    boolean rdfStar() {
        return given.get(RDF_STAR);
    }

    /** Returns true if {@code _} in the language tags of N-Quads and Jelly streams is read as {@code -}. */
    boolean mendTags() {
        return given.get(MEND_TAGS);
    }

    /** Returns the base of relative IRIs; null to use the URL of the file. */
    String base() {
        return given.get(BASE);
    }

    /**
     * Creates a file that is read with these options, see {@link RdfFile}.
     *
     * @param place the base if these options have none; may be null
     */
    public RdfFile file(String path, String name, String place, String syntax, BadStatements bad, LongConsumer relative) {
        return new RdfFile(path, name, base() == null ? place : base(), syntax, given.get(REMOTE_CONTEXTS), bad, relative, read(), null);
    }

    // --- writing

    boolean marks() {
        return given.get(MARKS);
    }

    /** Returns true if the frames of the input are cut anew. */
    boolean cutsAnew() {
        return given.has(FRAME_ROWS);
    }

    WriteOptions cut() {
        return new WriteOptions(given.get(FRAME_ROWS), given.get(DELIMITED), given.get(MAX_FRAME_BYTES),
                given.get(RESTART_BYTES), given.get(RELATIVE_IRIS) ? TermRules.RELATIVE_IRIS : TermRules.RDF);
    }

    /** Returns true if statements are written as quads: by the option or, without it, if the input has quads. */
    boolean writesQuads(boolean ofInput) {
        return given.has(STATEMENT_TYPE) ? given.get(STATEMENT_TYPE) != PhysicalType.TRIPLES : ofInput;
    }

    /**
     * Returns the options of a patch stream to write.
     *
     * @param of the options of the input, or defaults if it has none
     */
    PatchOptions patchOptions(PatchOptions of) {
        PhysicalType statements = given.get(STATEMENT_TYPE);
        if (statements == PhysicalType.GRAPHS) {
            throw new IllegalArgumentException("statementType=GRAPHS: patches have TRIPLES or QUADS");
        }
        return new PatchOptions(
                given.get(STREAM_TYPE, of.streamType()),
                statements == null ? of.statementType() : StatementType.valueOf(statements.name()),
                of.generalizedStatements() || given.get(GENERALIZED_STATEMENTS),
                of.rdfStar() || given.get(RDF_STAR),
                given.get(NAME_TABLE_SIZE, of.maxNameTableSize()),
                given.get(PREFIX_TABLE_SIZE, of.maxPrefixTableSize()),
                given.get(DATATYPE_TABLE_SIZE, of.maxDatatypeTableSize()));
    }

    /** Returns the options of a Jelly-RDF stream to write. The parameter is that of {@link #patchOptions}. */
    RdfOptions rdfOptions(RdfOptions of) {
        PhysicalType physical = given.get(STATEMENT_TYPE, of.physicalType());
        return termOptions(of).withTypes(physical, logicalType(of, physical)).withTableSizes(
                given.get(NAME_TABLE_SIZE, of.maxNameTableSize()),
                given.get(PREFIX_TABLE_SIZE, of.maxPrefixTableSize()),
                given.get(DATATYPE_TABLE_SIZE, of.maxDatatypeTableSize()));
    }

    /** Returns options of a Jelly-RDF stream that also allow the terms that these options allow. */
    RdfOptions termOptions(RdfOptions of) {
        return of.withGeneralizedStatements(of.generalizedStatements() || given.get(GENERALIZED_STATEMENTS))
                .withRdfStar(of.rdfStar() || given.get(RDF_STAR));
    }

    /** Returns the default options for writing, with the terms and the sizes that these options allow. */
    WriteOptions termLimits() {
        return new WriteOptions(CUT.frameRows(), CUT.delimited(), given.get(MAX_FRAME_BYTES), CUT.restartBytes(), cut().terms());
    }

    /**
     * Returns the logical type. A grouped stream stays grouped, a flat one stays flat, and an unspecified one stays
     * unspecified.
     */
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
