package io.jellybridge.codec;

/**
 * The rules that a stream can break, by their ids in the checklist of the two formats. Lookups, terms and options have the
 * same rules in both.
 *
 * <p>What is said of a rule here is what {@code docs/rules.md} says, which {@code make rules} writes: what it means, and
 * behind each § a section, in the specification of Jelly-Patch, then in that of Jelly-RDF.
 */
enum Rule {
    // Frames and rows
    /**
     * A stream that is not delimited is one frame: nothing in it says where another begins. § Delimited variant § Delimited
     * variant of Jelly
     */
    ONE_FRAME("P-02", "R-02"),
    /**
     * A frame is not larger than {@code maxFrameBytes}, so that it can be read within bounded memory. § Patch frames §
     * Stream frames
     */
    FRAME_SIZE("P-04", "R-03"),
    /** A row is of exactly one kind, and of one that the format has. § Patch rows § Stream rows */
    ROW_KIND("P-07", "R-05"),
    /**
     * The bytes are whole frames of sound messages, with strings in UTF-8 and every graph ended; cut or damaged ones are not
     * read in part without a word. § Format specification § Format specification
     */
    WHOLE_BYTES("P-125", "R-92"),
    /**
     * What a stream asks for, such as the sizes of its lookups and frames, stays below the reader's limits. It is checked
     * before memory is taken; who trusts the stream raises the limit. § Security considerations § Security considerations
     */
    LIMIT("P-126", "R-30"),
    /**
     * A restart point begins its frame, is of this file, and says the numbers that are due there. A rule of ours; see
     * restart-points.md.
     */
    RESTART("restart", "restart"),

    // Options
    /** The first row is the options; empty frames may come before it. § Patch stream options § Stream options */
    OPTIONS_FIRST("P-40", "R-20"),
    /** Options that come again are those of the beginning. § Patch stream options § Stream options */
    OPTIONS_IDENTICAL("P-43", "R-22"),
    /** The options say a version of the format, from 1. § Patch stream options § Stream options */
    VERSION_SET("P-55", "R-28"),
    /**
     * The version is one that the reader knows: 1 for Jelly-Patch, 1 or 2 for Jelly-RDF. § Patch stream options § Stream
     * options
     */
    VERSION_KNOWN("P-58", "R-28"),
    /** The options say the type of the stream. § Patch stream types */
    STREAM_TYPE_SET("P-11", null),
    /**
     * The type of the stream, in Jelly-RDF the physical one, is given, and one that the format has. § Patch stream options §
     * Stream types
     */
    STREAM_TYPE_KNOWN("P-12", "R-10"),
    /** The options say whether statements are triples or quads. § Statement types */
    STATEMENT_TYPE_SET("P-30", null),
    /** The type of the statements is one that the format has. § Patch stream options */
    STATEMENT_TYPE_KNOWN("P-31", null),
    /** The lookup of names has 8 entries or more. § Patch stream options § Stream options */
    NAME_TABLE_MINIMUM("P-48", "R-25"),
    /**
     * Statements with, say, a literal as subject occur only where the options say so. § Patch stream options § Stream
     * options
     */
    GENERALIZED_ANNOUNCED("P-44", "R-24"),
    /** Quoted triples occur only where the options say so. § Patch stream options § Stream options */
    STAR_ANNOUNCED("P-46", "R-24"),

    // Lookups
    /** No name has an id above the size of its lookup. § Patch stream options § Stream options */
    NAME_TABLE_SIZE("P-49", "R-26"),
    /** Where the lookup of prefixes has no entries, no row uses it. § Patch stream options § Stream options */
    PREFIX_TABLE_UNUSED("P-50", "R-27"),
    /** No prefix has an id above the size of its lookup. § Patch stream options § Stream options */
    PREFIX_TABLE_SIZE("P-51", "R-26"),
    /**
     * Where the lookup of datatypes has no entries, no literal has a datatype other than {@code xsd:string}. § Patch stream
     * options § Stream options
     */
    DATATYPE_TABLE_UNUSED("P-53", "R-27"),
    /** No datatype has an id above the size of its lookup. § Patch stream options § Stream options */
    DATATYPE_TABLE_SIZE("P-54", "R-26"),
    /**
     * What a row refers to has been put into its lookup before. § Prefix, name, and datatype lookup entries § Prefix, name,
     * and datatype lookups
     */
    ENTRY_DEFINED("P-62", "R-41"),
    /** A literal names its datatype by an id from 1; 0 has no meaning here. § RDF terms and graph nodes § Literals */
    DATATYPE_ID("P-63", "R-49"),
    /**
     * A row does not need more entries at once than their lookup holds. § Prefix, name, and datatype lookup entries §
     * Prefix, name, and datatype lookups
     */
    ENTRIES_OF_A_ROW("P-64", "R-45"),

    // Terms
    /**
     * A term is left out only to repeat the one of the statement before; the first statement has none to repeat. § Repeated
     * terms § Repeated terms
     */
    TERM_SET("P-71", "R-60"),
    /** The graph of a quad is left out only to repeat the one before. § Repeated terms § Repeated terms */
    GRAPH_SET("P-72", "R-60"),
    /**
     * A graph's name is an IRI, a blank node or the default graph; a literal only in generalized statements. § Statement
     * types § RDF graph nodes
     */
    GRAPH_NODE("P-36", "R-71"),
    /** A quoted triple has all its three terms: within it, nothing is repeated. § Repeated terms § Repeated terms */
    QUOTED_TRIPLE_WHOLE("P-77", "R-62"),
    /** Quoted triples are not nested deeper than the reader's limit. § Security considerations § Security considerations */
    NESTING("P-126", "R-64"),
    /** A literal with a language names one: its tag is not empty. § RDF terms and graph nodes § Literals */
    LANGUAGE_TAG("P-120", "R-51"),
    /** A term is one that RDF has and that the target can hold. A rule of ours. */
    RDF_TERM("term", "term"),

    // Prefixes
    /** What binds a prefix says the namespace, which is an IRI. § Namespaces § Namespace declarations */
    NAMESPACE_SET("P-87", "R-80"),
    /** A prefix is one that Turtle could write, without its colon. § Namespaces § Namespace declarations */
    PREFIX_NAME("P-86", "R-82"),

    // Statements and graphs of Jelly-RDF
    /** A stream of TRIPLES has no quads and no starts or ends of graphs. § Stream types */
    ROW_OF_TRIPLES(null, "R-11"),
    /** A stream of QUADS has no triples and no starts or ends of graphs. § Stream types */
    ROW_OF_QUADS(null, "R-12"),
    /** A stream of GRAPHS has no quads. § Stream types */
    ROW_OF_GRAPHS(null, "R-13"),
    /** The logical type goes with the physical one, as graphs go with TRIPLES. § Stream types */
    LOGICAL_TYPE(null, "R-15"),
    /** Namespaces are declared only in a stream of version 2. § Versioning */
    NAMESPACES_ANNOUNCED(null, "R-29"),
    /** In a stream of GRAPHS, a triple stands between the start and the end of its graph. § RDF statements and graphs */
    TRIPLE_IN_GRAPH(null, "R-65"),
    /** A graph does not start within another. § RDF statements and graphs */
    GRAPH_NOT_NESTED(null, "R-66"),
    /** Only a graph that has started ends, and it ends before the stream does. § RDF statements and graphs */
    GRAPH_BEGUN(null, "R-67"),
    /** The start of a graph names it. § RDF statements and graphs */
    GRAPH_START_SET(null, "R-70"),

    // Patches
    /** In a stream of quads, a prefix says its graph, or repeats the one before. § Namespaces */
    PREFIX_GRAPH_SET("P-90", null),
    /** A FRAME stream has no punctuation marks: the frame is the patch. § Patch stream types */
    FRAME_HAS_NO_MARK("P-14", null),
    /** In a FRAME stream a transaction ends in the frame that it starts in. § Patch stream types */
    FRAME_ENDS_TRANSACTION("P-15", null),
    /** A FLAT stream is one patch. § Patch stream types */
    FLAT_IS_ONE_PATCH("P-16", null),
    /** A FLAT stream has no punctuation marks. § Patch stream types */
    FLAT_HAS_NO_MARK("P-18", null),
    /**
     * A PUNCTUATED stream ends with a mark. The specification leaves open what to do without: we read on to the end where
     * the last row ends a transaction, since such a patch is whole, and refuse others always. § Patch stream types
     */
    LAST_MARK("P-24", null),
    /** A stream of triples names no graphs. § Statement types § Stream types */
    TRIPLES_NAME_NO_GRAPH("P-33", "R-11"),
    /** Only a transaction that has begun is committed or aborted, and once. § Transactions */
    TRANSACTION_BEGUN("P-101", null),
    /** A transaction does not begin within another. § Transactions */
    TRANSACTION_NOT_NESTED("P-102", null),
    /** A transaction ends in the patch that it begins in. § Transactions */
    PATCH_ENDS_TRANSACTION("P-104", null),
    /**
     * A transaction ends before the stream does. The specification leaves this open; we take such a stream for one that was
     * cut off. § Transactions
     */
    STREAM_ENDS_TRANSACTION("P-105", null),
    /** A header has a value, written in full each time. § Headers */
    HEADER_VALUE_SET("P-111", null);

    private final String inPatch;
    private final String inRdf;

    Rule(String inPatch, String inRdf) {
        this.inPatch = inPatch;
        this.inRdf = inRdf;
    }

    /** The rule's id for Jelly-Patch; null where it is one of Jelly-RDF only. */
    String inPatch() {
        return inPatch;
    }

    /** The rule's id for Jelly-RDF; null where it is one of Jelly-Patch only. */
    String inRdf() {
        return inRdf;
    }
}
