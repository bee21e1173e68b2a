package io.jellybridge.spark.functions;

import io.jellybridge.spark.functions.PatchFunctions.FromJellyPatch;
import io.jellybridge.spark.functions.PatchFunctions.ToJellyPatch;
import io.jellybridge.spark.functions.Quads.AsBefore;
import io.jellybridge.spark.functions.Quads.BlankNodesOf;
import io.jellybridge.spark.functions.Quads.StructureOf;
import io.jellybridge.spark.functions.TermMaker.TermMakerFunction;
import io.jellybridge.spark.functions.TermPart.TermPartFunction;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The list of all functions. Each exists twice: under its name, where bad input is an error, and as {@code try_…}, where bad
 * input gives null. A null argument gives null.
 */
public final class JellyFunctions {
    private static final String TRY = "try_";

    private static final Map<String, JellyFunction> BY_NAME = new TreeMap<>();

    static {
        addFunction("from_jelly_patch", "(bytes[, options]) - The change rows of a Jelly-Patch stream, as an array of structs.",
                List.of(1, 2), FromJellyPatch::new);
        addFunction("to_jelly_patch", "(rows[, options]) - The Jelly-Patch stream of an array of change rows.",
                List.of(1, 2), ToJellyPatch::bind);
        for (TermPart part : TermPart.values()) {
            addFunction(part.functionName(), "(term) - " + part.description(),
                    List.of(1), (name, types) -> new TermPartFunction(name, part));
        }
        for (TermMaker maker : TermMaker.values()) {
            addFunction(maker.functionName(), maker.parameters() + " - " + maker.description(),
                    List.of(maker.arity()), (name, types) -> new TermMakerFunction(name, maker));
        }
        addFunction("rdf_blank_nodes", "(term) - The blank nodes of a term: itself, or those in a triple term.",
                List.of(1), BlankNodesOf::new);
        addFunction("rdf_structure", "(quads) - A hash of quads that have blank nodes, whatever these are called.",
                List.of(1), StructureOf::new);
        addFunction("rdf_rename_as_before", "(old, new, suffix) - The new quads, all with blank nodes, these called as in the old"
                + " ones; those that are not there get the suffix.", List.of(3), AsBefore::new);
        addFunction("patch_order", "(patches) - The indexes of patches of several files in their order, by their chain of ids or by the"
                + " names of the files.", List.of(1), OrderOfPatches::new);
    }

    private JellyFunctions() {
    }

    private static void addFunction(String name, String usage, List<Integer> arities, JellyFunction.Binding binding) {
        String tryName = TRY + name;
        BY_NAME.put(name, new JellyFunction(name, name + usage, Examples.of(name, name), arities, false, binding));
        BY_NAME.put(tryName, new JellyFunction(
                tryName, tryName + usage + " Null where " + name + " fails.", Examples.of(tryName, name), arities, true, binding));
    }

    static Collection<JellyFunction> all() {
        return BY_NAME.values();
    }

    /** Returns the names of all functions. */
    public static Set<String> names() {
        return Collections.unmodifiableSet(BY_NAME.keySet());
    }

    /** Returns the function with a name in any case; null if there is none. */
    public static UnboundFunction unboundFunction(String name) {
        return BY_NAME.get(name.toLowerCase(Locale.ROOT));
    }

    /** Returns {@code count} string types. */
    static DataType[] textTypes(int count) {
        DataType[] types = new DataType[count];
        Arrays.fill(types, DataTypes.StringType);
        return types;
    }

    /** The examples that {@code DESCRIBE FUNCTION EXTENDED} shows. Tests run them. */
    private static final class Examples {
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
                toExample("from_jelly_patch", "size(_FUNC_(to_jelly_patch(" + ROW + ")))", "1"),
                toExample("to_jelly_patch", "length(_FUNC_(" + ROW + ")) > 0", "true"),
                toExample("rdf_kind", "_FUNC_('<urn:s>')", "iri"),
                toExample("rdf_value", "_FUNC_('\"chat\"@fr')", "chat"),
                toExample("rdf_lang", "_FUNC_('\"chat\"@fr')", "fr"),
                toExample("rdf_direction", "_FUNC_('\"salam\"@ar--rtl')", "rtl"),
                toExample("rdf_datatype", "_FUNC_('\"1\"^^<urn:t>')", "urn:t"),
                toExample("rdf_namespace", "_FUNC_('<http://example.org/a#b>')", "http://example.org/a#"),
                toExample("rdf_local_name", "_FUNC_('<http://example.org/a#b>')", "b"),
                toExample("rdf_subject", "_FUNC_(" + TRIPLE + ")", "<urn:s>"),
                toExample("rdf_predicate", "_FUNC_(" + TRIPLE + ")", "<urn:p>"),
                toExample("rdf_object", "_FUNC_(" + TRIPLE + ")", "\"1\""),
                toExample("rdf_canonical", "_FUNC_('\"a\"@EN')", "\"a\"@en"),
                toExample("rdf_mend_tags", "_FUNC_('\"colour\"@en_GB')", "\"colour\"@en-gb"),
                toExample("rdf_iri", "_FUNC_('urn:s')", "<urn:s>"),
                toExample("rdf_blank", "_FUNC_('b0')", "_:b0"),
                toExample("rdf_literal", "_FUNC_('a \"b\"')", "\"a \\\"b\\\"\""),
                toExample("rdf_lang_literal", "_FUNC_('chat', 'fr')", "\"chat\"@fr"),
                toExample("rdf_typed_literal", "_FUNC_('1', 'urn:t')", "\"1\"^^<urn:t>"),
                toExample("rdf_blank_nodes", "_FUNC_('<<( _:a <urn:p> _:b )>>')", "[_:a, _:b]"),
                toExample("rdf_structure", "_FUNC_(" + QUADS.formatted("a") + ") = _FUNC_(" + QUADS.formatted("b") + ")", "true"),
                toExample("rdf_rename_as_before",
                        "_FUNC_(" + QUADS.formatted("a") + ", " + QUADS.formatted("b") + ", '1')[0].subject", "_:a"),
                toExample("patch_order", "_FUNC_(array(" + PATCH.formatted("2", 0) + ", " + PATCH.formatted("1", 0) + "))", "[1, 0]"));

        private Examples() {
        }

        private static Map.Entry<String, Example> toExample(String name, String call, String result) {
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
}
