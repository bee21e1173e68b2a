package io.jellybridge.spark.functions;

import java.util.Map;

/** The examples that {@code DESCRIBE FUNCTION EXTENDED} shows. Tests run them. */
final class Examples {
    private static final String FUNCTION = "_FUNC_";
    private static final String ROW = "array(named_struct('op', 'A', 'subject', '<urn:s>', 'predicate', '<urn:p>', 'object', '\"1\"'))";
    private static final String TRIPLE = "'<<( <urn:s> <urn:p> \"1\" )>>'";
    private static final String QUADS =
            "array(named_struct('subject', '_:%s', 'predicate', '<urn:p>', 'object', '\"1\"', 'graph', CAST(NULL AS STRING)))";
    private static final String PATCH =
            "named_struct('file', '%s.jellyp', 'patch', %dL, 'id', CAST(NULL AS STRING), 'prev', CAST(NULL AS STRING))";

    private record Example(String call, String result) {
    }

    private static final Map<String, Example> BY_NAME = Map.ofEntries(
            example("from_jelly_patch", "size(_FUNC_(to_jelly_patch(" + ROW + ")))", "1"),
            example("to_jelly_patch", "length(_FUNC_(" + ROW + ")) > 0", "true"),
            example("rdf_kind", "_FUNC_('<urn:s>')", "iri"),
            example("rdf_value", "_FUNC_('\"chat\"@fr')", "chat"),
            example("rdf_lang", "_FUNC_('\"chat\"@fr')", "fr"),
            example("rdf_direction", "_FUNC_('\"salam\"@ar--rtl')", "rtl"),
            example("rdf_datatype", "_FUNC_('\"1\"^^<urn:t>')", "urn:t"),
            example("rdf_namespace", "_FUNC_('<http://example.org/a#b>')", "http://example.org/a#"),
            example("rdf_local_name", "_FUNC_('<http://example.org/a#b>')", "b"),
            example("rdf_subject", "_FUNC_(" + TRIPLE + ")", "<urn:s>"),
            example("rdf_predicate", "_FUNC_(" + TRIPLE + ")", "<urn:p>"),
            example("rdf_object", "_FUNC_(" + TRIPLE + ")", "\"1\""),
            example("rdf_canonical", "_FUNC_('\"a\"@EN')", "\"a\"@en"),
            example("rdf_mend_tags", "_FUNC_('\"colour\"@en_GB')", "\"colour\"@en-gb"),
            example("rdf_iri", "_FUNC_('urn:s')", "<urn:s>"),
            example("rdf_blank", "_FUNC_('b0')", "_:b0"),
            example("rdf_literal", "_FUNC_('a \"b\"')", "\"a \\\"b\\\"\""),
            example("rdf_lang_literal", "_FUNC_('chat', 'fr')", "\"chat\"@fr"),
            example("rdf_typed_literal", "_FUNC_('1', 'urn:t')", "\"1\"^^<urn:t>"),
            example("rdf_blank_nodes", "_FUNC_('<<( _:a <urn:p> _:b )>>')", "[_:a, _:b]"),
            example("rdf_structure", "_FUNC_(" + QUADS.formatted("a") + ") = _FUNC_(" + QUADS.formatted("b") + ")", "true"),
            example("rdf_rename_as_before", "_FUNC_(" + QUADS.formatted("a") + ", " + QUADS.formatted("b") + ", '1')[0].subject", "_:a"),
            example("patch_order", "_FUNC_(array(" + PATCH.formatted("2", 0) + ", " + PATCH.formatted("1", 0) + "))", "[1, 0]"));

    private Examples() {
    }

    private static Map.Entry<String, Example> example(String name, String call, String result) {
        return Map.entry(name, new Example(call, result));
    }

    /**
     * Returns the section of examples, as Spark's own functions have it.
     *
     * @param name    the name of the function
     * @param without the same name without {@code try_}
     */
    static String of(String name, String without) {
        Example example = BY_NAME.get(without);
        return "\n    Examples:\n      > SELECT " + example.call().replace(FUNCTION, name) + ";\n       " + example.result() + "\n  ";
    }
}
