package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;

/**
 * A function as Spark calls it, for each row. All functions share this class, since Spark looks for {@code produceResult} in a
 * function's own class only.
 *
 * @param body  the function for arguments that are not null
 * @param tries true to return null for bad input
 */
record BoundJellyFunction<R>(FunctionBody<R> body, boolean tries) implements ScalarFunction<R> {

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
            if (tries) {
                return null;
            }
            throw e;
        }
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
