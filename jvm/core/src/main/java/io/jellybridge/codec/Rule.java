package io.jellybridge.codec;

/**
 * The rules that a stream can break, by their ids in the checklist of the two formats. Lookups, terms and options have the
 * same rules in both.
 */
enum Rule {
    // Frames and rows
    ONE_FRAME("P-02", "R-02"),
    FRAME_SIZE("P-04", "R-03"),
    ROW_KIND("P-07", "R-05"),
    WHOLE_BYTES("P-125", "R-92"),
    LIMIT("P-126", "R-30"),
    RESTART("restart", "restart"),

    // Options
    OPTIONS_FIRST("P-40", "R-20"),
    OPTIONS_IDENTICAL("P-43", "R-22"),
    VERSION_SET("P-55", "R-28"),
    VERSION_KNOWN("P-58", "R-28"),
    STREAM_TYPE_SET("P-11", "R-10"),
    STREAM_TYPE_KNOWN("P-12", "R-10"),
    STATEMENT_TYPE_SET("P-30", null),
    STATEMENT_TYPE_KNOWN("P-31", null),
    NAME_TABLE_MINIMUM("P-48", "R-25"),
    GENERALIZED_ANNOUNCED("P-44", "R-24"),
    STAR_ANNOUNCED("P-46", "R-24"),

    // Lookups
    NAME_TABLE_SIZE("P-49", "R-26"),
    PREFIX_TABLE_UNUSED("P-50", "R-27"),
    PREFIX_TABLE_SIZE("P-51", "R-26"),
    DATATYPE_TABLE_UNUSED("P-53", "R-27"),
    DATATYPE_TABLE_SIZE("P-54", "R-26"),
    ENTRY_DEFINED("P-62", "R-41"),
    DATATYPE_ID("P-63", "R-49"),
    ENTRIES_OF_A_ROW("P-64", "R-45"),

    // Terms
    TERM_SET("P-71", "R-60"),
    GRAPH_SET("P-72", "R-60"),
    GRAPH_NODE("P-36", "R-71"),
    QUOTED_TRIPLE_WHOLE("P-77", "R-62"),
    NESTING("P-126", "R-64"),
    LANGUAGE_TAG("P-120", "R-51"),
    RDF_TERM("term", "term"),

    // Prefixes
    NAMESPACE_SET("P-87", "R-80"),
    PREFIX_NAME("P-86", "R-82"),

    // Statements and graphs of Jelly-RDF
    ROW_OF_TRIPLES(null, "R-11"),
    ROW_OF_QUADS(null, "R-12"),
    ROW_OF_GRAPHS(null, "R-13"),
    LOGICAL_TYPE(null, "R-15"),
    NAMESPACES_ANNOUNCED(null, "R-29"),
    TRIPLE_IN_GRAPH(null, "R-65"),
    GRAPH_NOT_NESTED(null, "R-66"),
    GRAPH_BEGUN(null, "R-67"),
    GRAPH_START_SET(null, "R-70"),

    // Patches
    PREFIX_GRAPH_SET("P-90", null),
    FRAME_HAS_NO_MARK("P-14", null),
    FRAME_ENDS_TRANSACTION("P-15", null),
    FLAT_IS_ONE_PATCH("P-16", null),
    FLAT_HAS_NO_MARK("P-18", null),
    LAST_MARK("P-24", null),
    TRIPLES_NAME_NO_GRAPH("P-33", "R-11"),
    TRANSACTION_BEGUN("P-101", null),
    TRANSACTION_NOT_NESTED("P-102", null),
    PATCH_ENDS_TRANSACTION("P-104", null),
    STREAM_ENDS_TRANSACTION("P-105", null),
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
