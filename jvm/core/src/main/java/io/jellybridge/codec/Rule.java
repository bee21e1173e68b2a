package io.jellybridge.codec;

/**
 * The rules that a stream can break, with their ids in the checklist of the two formats. Lookups, terms and options have the
 * same rules in both.
 *
 * <p>{@code make rules} writes {@code docs/rules.md} from the comments here: the meaning of a rule and, after each §, a section
 * of the specification, first of Jelly-Patch, then of Jelly-RDF.
 */
enum Rule {
    // Frames and rows
    /**
     * A stream that is not delimited is one frame, since nothing in it tells where another begins. § Delimited variant §
     * Delimited variant of Jelly
     */
    ONE_FRAME("P-02", "R-02"),
    /**
     * A frame is not larger than {@code maxFrameBytes}, so that it can be read with limited memory. § Patch frames § Stream
     * frames
     */
    FRAME_SIZE("P-04", "R-03"),
    /** A row has exactly one kind, and the format has that kind. § Patch rows § Stream rows */
    ROW_KIND("P-07", "R-05"),
    /**
     * The bytes are complete frames of valid messages, with strings in UTF-8, and every graph is ended. A reader never silently
     * returns a part of a truncated or damaged stream. § Format specification § Format specification
     */
    WHOLE_BYTES("P-125", "R-92"),
    /**
     * The sizes that a stream declares, such as those of its lookups and frames, stay below the reader's limits. They are
     * checked before memory is allocated. If you trust the stream, raise the limit. § Security considerations § Security
     * considerations
     */
    LIMIT("P-126", "R-30"),
    /**
     * A restart point begins its frame, belongs to this file, and has the right numbers for its position. A rule of ours; see
     * restart-points.md.
     */
    RESTART("restart", "restart"),
    /** A frame's bytes are those that its checksum was made of. A rule of ours; see checksums.md. */
    CHECKSUM("checksum", "checksum"),

    // Options
    /** The first row is the options. Only empty frames may come before it. § Patch stream options § Stream options */
    OPTIONS_FIRST("P-40", "R-20"),
    /** Repeated options equal the first. § Patch stream options § Stream options */
    OPTIONS_IDENTICAL("P-43", "R-22"),
    /** The options give a version of the format, from 1. § Patch stream options § Stream options */
    VERSION_SET("P-55", "R-28"),
    /** The reader supports the version: 1 for Jelly-Patch, 1 or 2 for Jelly-RDF. § Patch stream options § Stream options */
    VERSION_KNOWN("P-58", "R-28"),
    /** The options give the type of the stream. § Patch stream types */
    STREAM_TYPE_SET("P-11", null),
    /**
     * The type of the stream, in Jelly-RDF the physical type, is given and is a type of the format. § Patch stream options §
     * Stream types
     */
    STREAM_TYPE_KNOWN("P-12", "R-10"),
    /** The options tell whether statements are triples or quads. § Statement types */
    STATEMENT_TYPE_SET("P-30", null),
    /** The statement type is a type of the format. § Patch stream options */
    STATEMENT_TYPE_KNOWN("P-31", null),
    /** The name lookup has 8 entries or more. § Patch stream options § Stream options */
    NAME_TABLE_MINIMUM("P-48", "R-25"),
    /**
     * Generalized statements, such as one with a literal as subject, occur only if the options announce them. § Patch stream
     * options § Stream options
     */
    GENERALIZED_ANNOUNCED("P-44", "R-24"),
    /** Quoted triples occur only if the options announce them. § Patch stream options § Stream options */
    STAR_ANNOUNCED("P-46", "R-24"),

    // Lookups
    /** No name has an id above the size of the name lookup. § Patch stream options § Stream options */
    NAME_TABLE_SIZE("P-49", "R-26"),
    /** If the prefix lookup has no entries, no row uses it. § Patch stream options § Stream options */
    PREFIX_TABLE_UNUSED("P-50", "R-27"),
    /** No prefix has an id above the size of the prefix lookup. § Patch stream options § Stream options */
    PREFIX_TABLE_SIZE("P-51", "R-26"),
    /**
     * If the datatype lookup has no entries, no literal has a datatype other than {@code xsd:string}. § Patch stream options §
     * Stream options
     */
    DATATYPE_TABLE_UNUSED("P-53", "R-27"),
    /** No datatype has an id above the size of the datatype lookup. § Patch stream options § Stream options */
    DATATYPE_TABLE_SIZE("P-54", "R-26"),
    /**
     * A row refers only to entries that the stream has defined before. § Prefix, name, and datatype lookup entries § Prefix,
     * name, and datatype lookups
     */
    ENTRY_DEFINED("P-62", "R-41"),
    /** The datatype id of a literal is 1 or more; 0 has no meaning here. § RDF terms and graph nodes § Literals */
    DATATYPE_ID("P-63", "R-49"),
    /**
     * A row does not need more entries at once than the lookup holds. § Prefix, name, and datatype lookup entries § Prefix,
     * name, and datatype lookups
     */
    ENTRIES_OF_A_ROW("P-64", "R-45"),

    // Terms
    /**
     * A missing term repeats the term of the statement before. The first statement has none to repeat. § Repeated terms §
     * Repeated terms
     */
    TERM_SET("P-71", "R-60"),
    /**
     * A missing graph of a quad repeats the graph before. The first quad has none to repeat. § Repeated terms § Repeated terms
     */
    GRAPH_SET("P-72", "R-60"),
    /**
     * The name of a graph is an IRI, a blank node or the default graph. It is a literal only in generalized statements. §
     * Statement types § RDF graph nodes
     */
    GRAPH_NODE("P-36", "R-71"),
    /** A quoted triple has all three terms; nothing within it is repeated. § Repeated terms § Repeated terms */
    QUOTED_TRIPLE_WHOLE("P-77", "R-62"),
    /** Quoted triples are not nested deeper than the reader's limit. § Security considerations § Security considerations */
    NESTING("P-126", "R-64"),
    /** The language tag of a literal is not empty. § RDF terms and graph nodes § Literals */
    LANGUAGE_TAG("P-120", "R-51"),
    /** A term is valid in RDF, and the target can store it. A rule of ours. */
    RDF_TERM("term", "term"),

    // Prefixes
    /** A row that binds a prefix has a namespace, which is an IRI. § Namespaces § Namespace declarations */
    NAMESPACE_SET("P-87", "R-80"),
    /** A prefix is one that Turtle could write, without its colon. § Namespaces § Namespace declarations */
    PREFIX_NAME("P-86", "R-82"),

    // Statements and graphs of Jelly-RDF
    /** A stream of TRIPLES has no quads, and no starts or ends of graphs. § Stream types */
    ROW_OF_TRIPLES(null, "R-11"),
    /** A stream of QUADS has no triples, and no starts or ends of graphs. § Stream types */
    ROW_OF_QUADS(null, "R-12"),
    /** A stream of GRAPHS has no quads. § Stream types */
    ROW_OF_GRAPHS(null, "R-13"),
    /** The logical type fits the physical type, as graphs fit TRIPLES. § Stream types */
    LOGICAL_TYPE(null, "R-15"),
    /** Namespaces are declared only in a stream of version 2. § Versioning */
    NAMESPACES_ANNOUNCED(null, "R-29"),
    /** In a stream of GRAPHS, a triple stands between the start and the end of its graph. § RDF statements and graphs */
    TRIPLE_IN_GRAPH(null, "R-65"),
    /** A graph does not start within another. § RDF statements and graphs */
    GRAPH_NOT_NESTED(null, "R-66"),
    /** The end of a graph follows its start, and comes before the end of the stream. § RDF statements and graphs */
    GRAPH_BEGUN(null, "R-67"),
    /** The start of a graph names the graph. § RDF statements and graphs */
    GRAPH_START_SET(null, "R-70"),

    // Patches
    /** In a stream of quads, a prefix names its graph or repeats the graph before. § Namespaces */
    PREFIX_GRAPH_SET("P-90", null),
    /** A FRAME stream has no punctuation marks, since each frame is a patch. § Patch stream types */
    FRAME_HAS_NO_MARK("P-14", null),
    /** In a FRAME stream, a transaction ends in the frame in which it begins. § Patch stream types */
    FRAME_ENDS_TRANSACTION("P-15", null),
    /** A FLAT stream is one patch. § Patch stream types */
    FLAT_IS_ONE_PATCH("P-16", null),
    /** A FLAT stream has no punctuation marks. § Patch stream types */
    FLAT_HAS_NO_MARK("P-18", null),
    /**
     * A PUNCTUATED stream ends with a mark. The specification does not define a stream without it. We read such a stream if its
     * last row ends a transaction, since the patch is then complete, and always reject others. § Patch stream types
     */
    LAST_MARK("P-24", null),
    /** A stream of triples has no graphs. § Statement types § Stream types */
    TRIPLES_NAME_NO_GRAPH("P-33", "R-11"),
    /** A transaction is committed or aborted once, after it has begun. § Transactions */
    TRANSACTION_BEGUN("P-101", null),
    /** A transaction does not begin within another. § Transactions */
    TRANSACTION_NOT_NESTED("P-102", null),
    /** A transaction ends in the patch in which it begins. § Transactions */
    PATCH_ENDS_TRANSACTION("P-104", null),
    /**
     * A transaction ends before the stream does. The specification leaves this open; we treat such a stream as truncated. §
     * Transactions
     */
    STREAM_ENDS_TRANSACTION("P-105", null),
    /** A header has a value, which is written in full each time. § Headers */
    HEADER_VALUE_SET("P-111", null);

    private final String inPatch;
    private final String inRdf;

    Rule(String inPatch, String inRdf) {
        this.inPatch = inPatch;
        this.inRdf = inRdf;
    }

    /** Returns the rule's id for Jelly-Patch; null if only Jelly-RDF has the rule. */
    String inPatch() {
        return inPatch;
    }

    /** Returns the rule's id for Jelly-RDF; null if only Jelly-Patch has the rule. */
    String inRdf() {
        return inRdf;
    }
}
