package io.jellybridge.spark.functions;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A function, before it is known what it is called with.
 *
 * @param name        what SQL calls it
 * @param description how it is called, and what it gives
 * @param arities     how many arguments it takes
 * @param tries       whether it gives null for bad input
 * @param binding     makes it for some arguments, as one that fails on bad input
 */
record JellyFunction(String name, String description, List<Integer> arities, boolean tries, Binding binding)
        implements UnboundFunction {

    /** Makes a function for arguments of some types; of how many there are, it can be sure. */
    @FunctionalInterface
    interface Binding extends Serializable {

        /**
         * @param name  of the function, for messages
         * @param types of the arguments; Spark casts to what the function then says it takes
         * @throws IllegalArgumentException there is no function for these; the message says why
         */
        FunctionBody<?> bind(String name, DataType[] types);
    }

    /** @throws UnsupportedOperationException there is no such function for these arguments, as Spark's interface has it */
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
