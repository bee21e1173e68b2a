package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.structure.BlankTerms;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The function {@code rdf_blank_nodes(term)}. It returns a blank node itself, or those in a triple term. */
final class BlankNodesOf extends FunctionBody<ArrayData> {
    private static final long serialVersionUID = 1L;

    BlankNodesOf(String name, DataType[] types) {
        super(name, JellyFunctions.texts(1), DataTypes.createArrayType(DataTypes.StringType, false));
    }

    /**
     * @throws FormatException the text is not a term, as far as this function parses it
     */
    @Override
    ArrayData call(InternalRow arguments) {
        try {
            return new GenericArrayData(BlankTerms.of(arguments.getUTF8String(0).getBytes()).stream()
                    .map(UTF8String::fromBytes).toArray());
        } catch (TermSyntaxException e) {
            throw FormatException.inText("N-Triples", "the term " + e.text(), 0, 0, e.offset(), e.found(), e.advice());
        }
    }
}
