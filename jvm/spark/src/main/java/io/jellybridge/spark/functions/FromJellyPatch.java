package io.jellybridge.spark.functions;

import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.FormatOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The function {@code from_jelly_patch(bytes[, options])}. It returns all change rows of a stream, or throws an error. */
final class FromJellyPatch extends FunctionBody<ArrayData> {
    private static final long serialVersionUID = 1L;
    private static final DataType RESULT = DataTypes.createArrayType(ChangeColumn.SCHEMA, false);
    private static final UTF8String[] OPS =
            Arrays.stream(Op.values()).map(op -> UTF8String.fromString(op.name())).toArray(UTF8String[]::new);

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
                    rows.add(new GenericInternalRow(new Object[] {patch, tx < 0 ? null : tx, row, OPS[op.ordinal()],
                        UTF8String.fromBytes(subject), UTF8String.fromBytes(predicate), UTF8String.fromBytes(object),
                        UTF8String.fromBytes(graph), UTF8String.fromBytes(name), UTF8String.fromBytes(value)}))));
            return new GenericArrayData(rows.toArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
