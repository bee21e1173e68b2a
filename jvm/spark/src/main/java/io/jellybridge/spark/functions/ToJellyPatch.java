package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.ChangeRowFeed;
import io.jellybridge.spark.FormatOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The function {@code to_jelly_patch(rows[, options])}. It encodes the rows as a stream, in the order of the array. The structs
 * need only the columns that their ops need. Column names are case-insensitive.
 */
final class ToJellyPatch extends FunctionBody<byte[]> {
    private static final long serialVersionUID = 1L;

    private final int[] positions;
    private final int width;
    private transient OptionsArgument<Function<OutputStream, PatchWriter<byte[]>>> options;

    private ToJellyPatch(String name, DataType[] inputTypes, StructType rows) {
        super(name, inputTypes, DataTypes.BinaryType);
        this.positions = ChangeRowFeed.positions(rows);
        this.width = rows.size();
    }

    /**
     * @throws IllegalArgumentException the first argument is not an array of change rows; the message says why
     */
    static ToJellyPatch bind(String name, DataType[] types) {
        DataType rows = types[0].sameType(DataTypes.NullType)
                ? DataTypes.createArrayType(ChangeColumn.SCHEMA)
                : types[0];
        if (!(rows instanceof ArrayType array) || !(array.elementType() instanceof StructType columns)) {
            throw new IllegalArgumentException(
                    "it takes an array of structs with the columns of change rows; this is " + types[0].simpleString());
        }
        return new ToJellyPatch(name,
                types.length == 1 ? new DataType[] {rows} : new DataType[] {rows, OptionsArgument.TYPE}, columns);
    }

    /**
     * @throws FormatException a row is invalid, out of order, or not allowed at its place by the format
     */
    @Override
    byte[] call(InternalRow arguments) {
        if (options == null) {
            options = new OptionsArgument<>(inputTypes().length > 1,
                    given -> FormatOptions.writingIn(name(), given));
        }
        ArrayData rows = arguments.getArray(0);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = options.of(arguments).apply(out)) {
            ChangeRowFeed feed = new ChangeRowFeed(positions, writer, false);
            for (int i = 0; i < rows.numElements(); i++) {
                write(rows, i, feed);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private void write(ArrayData rows, int i, ChangeRowFeed feed) {
        if (rows.isNullAt(i)) {
            throw ChangeRowFeed.refused(place(i), "the struct is null", "leave it out of the array");
        }
        try {
            feed.write(rows.getStruct(i, width));
        } catch (FormatException e) {
            throw e.at(place(i));
        } catch (IllegalArgumentException e) {
            throw ChangeRowFeed.refused(place(i), e);
        }
    }

    private static String place(int i) {
        return "row " + i + " of the array";
    }
}
