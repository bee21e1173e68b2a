package io.jellybridge.spark.functions;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A function before its argument types are known.
 *
 * @param name        the name in SQL
 * @param description the signature and the result
 * @param examples    the section of examples in the function's description
 * @param arities     the allowed numbers of arguments
 * @param tries       true to return null for bad input
 * @param binding     creates the implementation for some argument types, which fails for bad input
 */
record JellyFunction(String name, String description, String examples, List<Integer> arities, boolean tries, Binding binding)
        implements UnboundFunction {

    /** Creates a function for given argument types. Their number is one of the allowed ones. */
    @FunctionalInterface
    interface Binding extends Serializable {

        /**
         * @param name  the function's name, for messages
         * @param types the argument types; Spark casts arguments to the types that the function then declares
         * @throws IllegalArgumentException there is no function for these types; the message says why
         */
        FunctionBody<?> bind(String name, DataType[] types);
    }

    /**
     * @throws UnsupportedOperationException there is no function for these arguments; Spark's interface requires this exception
     */
    @Override
    public BoundFunction bind(StructType arguments) {
        StructField[] fields = arguments.fields();
        if (!arities.contains(fields.length)) {
            throw new UnsupportedOperationException(
                    name + " got " + fields.length + " arguments; call it as " + description);
        }
        DataType[] types = new DataType[fields.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = fields[i].dataType();
        }
        try {
            return new BoundJellyFunction<>(binding.bind(name, types), tries);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedOperationException(name + ": " + e.getMessage(), e);
        }
    }
}
