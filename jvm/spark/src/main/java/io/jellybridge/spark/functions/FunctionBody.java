package io.jellybridge.spark.functions;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/**
 * The implementation of a function. Two are equal if they compute the same, so that Spark can merge equal calls. Not
 * thread-safe.
 *
 * @param <R> Spark's class for the results
 */
abstract class FunctionBody<R> implements Serializable {
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
     * @throws io.jellybridge.codec.FormatException the input is bad
     */
    abstract R call(InternalRow arguments);

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
