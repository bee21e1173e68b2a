package io.jellybridge.spark.functions;

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
        add("from_jelly_patch", "(bytes[, options]) - The change rows of a Jelly-Patch stream, as an array of structs.",
                List.of(1, 2), FromJellyPatch::new);
        add("to_jelly_patch", "(rows[, options]) - The Jelly-Patch stream of an array of change rows.",
                List.of(1, 2), ToJellyPatch::bind);
        for (TermPart part : TermPart.values()) {
            add(part.functionName(), "(term) - " + part.description(),
                    List.of(1), (name, types) -> new TermPartFunction(name, part));
        }
        for (TermMaker maker : TermMaker.values()) {
            add(maker.functionName(), maker.parameters() + " - " + maker.description(),
                    List.of(maker.arity()), (name, types) -> new TermMakerFunction(name, maker));
        }
        add("rdf_blank_nodes", "(term) - The blank nodes of a term: itself, or those in a triple term.",
                List.of(1), BlankNodesOf::new);
        add("rdf_structure", "(quads) - A hash of quads that have blank nodes, whatever these are called.",
                List.of(1), StructureOf::new);
        add("rdf_rename_as_before", "(old, new, suffix) - The new quads, all with blank nodes, these called as in the old"
                + " ones; those that are not there get the suffix.", List.of(3), AsBefore::new);
        add("patch_order", "(patches) - The indexes of patches of several files in their order, by their chain of ids or by the"
                + " names of the files.", List.of(1), OrderOfPatches::new);
    }

    private JellyFunctions() {
    }

    private static void add(String name, String usage, List<Integer> arities, JellyFunction.Binding binding) {
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
    public static UnboundFunction unbound(String name) {
        return BY_NAME.get(name.toLowerCase(Locale.ROOT));
    }

    /** Returns {@code count} string types. */
    static DataType[] texts(int count) {
        DataType[] types = new DataType[count];
        Arrays.fill(types, DataTypes.StringType);
        return types;
    }
}
