package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.TermSyntaxException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
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

    /**
     * A function as Spark calls it, for each row. All functions share this class, since Spark looks for {@code produceResult} in a
     * function's own class only.
     *
     * @param body  the function for arguments that are not null
     * @param tries true to return null for bad input
     */
    private record BoundJellyFunction<R>(FunctionBody<R> body, boolean tries) implements ScalarFunction<R> {

        @Override
        public R produceResult(InternalRow arguments) {
            for (int i = 0; i < arguments.numFields(); i++) {
                if (arguments.isNullAt(i)) {
                    return null;
                }
            }
            try {
                return body.call(arguments);
            } catch (FormatException e) {
                return nullOr(e);
            } catch (TermSyntaxException e) {
                return nullOr(FormatException.inText("N-Triples", "the term " + e.text(), 0, 0, e.offset(), e.found(), e.advice()));
            }
        }

        private R nullOr(FormatException fault) {
            if (tries) {
                return null;
            }
            throw fault;
        }

        @Override
        public String name() {
            return body.name();
        }

        @Override
        public String canonicalName() {
            return "io.jellybridge." + name();
        }

        @Override
        public DataType[] inputTypes() {
            return body.inputTypes();
        }

        @Override
        public DataType resultType() {
            return body.resultType();
        }
    }

    /**
     * The implementation of a function. Two are equal if they compute the same, so that Spark can merge equal calls. Not
     * thread-safe.
     *
     * @param <R> Spark's class for the results
     */
    static abstract class FunctionBody<R> implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String name;
        private final DataType[] inputTypes;
        private final DataType resultType;

        FunctionBody(String name, DataType[] inputTypes, DataType resultType) {
            this.name = name;
            this.inputTypes = inputTypes;
            this.resultType = resultType;
        }

        /**
         * Returns the result for arguments that are not null.
         *
         * @throws FormatException     the input is bad
         * @throws TermSyntaxException a text in it is not a term
         */
        abstract R call(InternalRow arguments);

        /**
         * Returns a struct of an array.
         *
         * @param rule the rule of the error, see {@link FormatException#ofRow}
         * @throws FormatException it is null
         */
        static InternalRow getStruct(String rule, ArrayData array, int i, int width) {
            if (array.isNullAt(i)) {
                throw FormatException.ofRow(rule, placeOf(i), "the struct is null", "leave it out of the array");
            }
            return array.getStruct(i, width);
        }

        static String placeOf(int i) {
            return "row " + i + " of the array";
        }

        final String name() {
            return name;
        }

        final DataType[] inputTypes() {
            return inputTypes.clone();
        }

        final DataType resultType() {
            return resultType;
        }

        @Override
        public final boolean equals(Object other) {
            return other instanceof FunctionBody<?> that && name.equals(that.name)
                    && Arrays.equals(inputTypes, that.inputTypes);
        }

        @Override
        public final int hashCode() {
            return name.hashCode() * 31 + Arrays.hashCode(inputTypes);
        }
    }
}
