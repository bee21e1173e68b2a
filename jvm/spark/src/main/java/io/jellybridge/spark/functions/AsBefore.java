package io.jellybridge.spark.functions;

import io.jellybridge.structure.BlankNodeMatching;
import io.jellybridge.structure.BlankTerms;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The function {@code rdf_rename_as_before(old, new, suffix)}. It renames the blank nodes of the new quads to their equals in
 * the old ones, see {@link BlankNodeMatching}. Blank nodes without an equal get the suffix.
 */
final class AsBefore extends FunctionBody<ArrayData> {
    private static final long serialVersionUID = 1L;

    AsBefore(String name, DataType[] types) {
        super(name, new DataType[] {Quads.TYPE, Quads.TYPE, DataTypes.StringType}, Quads.TYPE);
    }

    @Override
    ArrayData call(InternalRow arguments) {
        ArrayData next = arguments.getArray(1);
        byte[] suffix = arguments.getUTF8String(2).getBytes();
        BlankTerms names = BlankNodeMatching.of(Quads.graph(arguments.getArray(0)), Quads.graph(next))
                .names(label -> BlankNodeMatching.joined(label, suffix));
        Object[] renamed = new Object[next.numElements()];
        for (int i = 0; i < renamed.length; i++) {
            renamed[i] = new GenericInternalRow(Arrays.stream(Quads.terms(next, i))
                    .map(term -> UTF8String.fromBytes(names.rename(term))).toArray());
        }
        return new GenericArrayData(renamed);
    }
}
