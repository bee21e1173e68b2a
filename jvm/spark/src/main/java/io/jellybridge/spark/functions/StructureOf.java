package io.jellybridge.spark.functions;

import io.jellybridge.structure.BlankNodeMatching;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The function {@code rdf_structure(quads)}. See {@link BlankNodeMatching#structure}. */
final class StructureOf extends FunctionBody<Long> {
    private static final long serialVersionUID = 1L;

    StructureOf(String name, DataType[] types) {
        super(name, new DataType[] {Quads.TYPE}, DataTypes.LongType);
    }

    @Override
    Long call(InternalRow arguments) {
        return BlankNodeMatching.structure(Quads.graph(arguments.getArray(0)));
    }
}
