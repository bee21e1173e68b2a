package io.jellybridge.spark.functions;

import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.ChangeRowFeed;
import io.jellybridge.spark.FormatOptions;
import io.jellybridge.spark.functions.JellyFunction.FunctionBody;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions {@code from_jelly_patch} and {@code to_jelly_patch}, and the options that both take. */
final class PatchFunctions {
    private PatchFunctions() {
    }

    /** The function {@code from_jelly_patch(bytes[, options])}. It returns all change rows of a stream, or throws an error. */
    static final class FromJellyPatch extends FunctionBody<ArrayData> {
        private static final long serialVersionUID = 1L;
        private static final DataType RESULT = DataTypes.createArrayType(ChangeColumn.SCHEMA, false);

        private transient OptionsArgument<ReadOptions> options;

        FromJellyPatch(String name, DataType[] types) {
            super(name, types.length == 1
                    ? new DataType[] {DataTypes.BinaryType}
                    : new DataType[] {DataTypes.BinaryType, OptionsArgument.TYPE}, RESULT);
        }

        /** @throws io.jellybridge.codec.FormatException the bytes break the format */
        @Override
        ArrayData call(InternalRow arguments) {
            if (options == null) {
                options = new OptionsArgument<>(inputTypes().length > 1,
                        given -> FormatOptions.readingIn(name(), given));
            }
            ByteArrayInputStream bytes = new ByteArrayInputStream(arguments.getBinary(0));
            try (PatchReader<byte[]> reader = new PatchReader<>(bytes, null, new Utf8Terms(), options.of(arguments))) {
                List<InternalRow> rows = new ArrayList<>();
                reader.readAll(new ChangeRows<>(reader, (patch, tx, row, op, subject, predicate, object, graph, name, value) ->
                        rows.add(new GenericInternalRow(new Object[] {patch, tx < 0 ? null : tx, row, ChangeColumn.toText(op),
                            UTF8String.fromBytes(subject), UTF8String.fromBytes(predicate), UTF8String.fromBytes(object),
                            UTF8String.fromBytes(graph), UTF8String.fromBytes(name), UTF8String.fromBytes(value)}))));
                return new GenericArrayData(rows.toArray());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * The function {@code to_jelly_patch(rows[, options])}. It encodes the rows as a stream, in the order of the array. The structs
     * need only the columns that their ops need. Column names are case-insensitive.
     */
    static final class ToJellyPatch extends FunctionBody<byte[]> {
        private static final long serialVersionUID = 1L;

        private final int[] positions;
        private final int width;
        private transient OptionsArgument<Function<OutputStream, PatchWriter<byte[]>>> options;

        private ToJellyPatch(String name, DataType[] inputTypes, StructType rows) {
            super(name, inputTypes, DataTypes.BinaryType);
            this.positions = ChangeColumn.positionsOf(rows);
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
            InternalRow row = getStruct(ChangeRowFeed.RULE, rows, i, width);
            try {
                feed.write(row);
            } catch (FormatException e) {
                throw e.at(placeOf(i));
            } catch (IllegalArgumentException e) {
                throw ChangeRowFeed.refusalError(placeOf(i), e);
            }
        }
    }

    /**
     * The optional second argument of a function, a map of options. It is parsed again only if it differs from that of the last
     * row. Not thread-safe.
     *
     * @param <S> the parsed form of the options
     */
    private static final class OptionsArgument<S> {
        static final DataType TYPE = DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType, true);

        private final boolean given;
        private final Function<Map<String, String>, S> reader;
        private Map<String, String> last = Map.of();
        private S made;

        /**
         * @param given  true if there is a second argument
         * @param reader parses the options, or throws an error
         */
        OptionsArgument(boolean given, Function<Map<String, String>, S> reader) {
            this.given = given;
            this.reader = reader;
        }

        S of(InternalRow arguments) {
            Map<String, String> options = given ? map(arguments.getMap(1)) : last;
            if (made == null || !options.equals(last)) {
                made = reader.apply(options);
                last = options;
            }
            return made;
        }

        private static Map<String, String> map(MapData data) {
            ArrayData names = data.keyArray();
            ArrayData values = data.valueArray();
            Map<String, String> options = new HashMap<>();
            for (int i = 0; i < data.numElements(); i++) {
                String name = names.getUTF8String(i).toString();
                if (values.isNullAt(i)) {
                    throw new IllegalArgumentException("option '" + name + "' is null; leave it out");
                }
                options.put(name, values.getUTF8String(i).toString());
            }
            return options;
        }
    }
}
