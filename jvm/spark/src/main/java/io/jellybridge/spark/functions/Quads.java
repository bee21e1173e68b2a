package io.jellybridge.spark.functions;

import io.jellybridge.spark.functions.JellyFunction.FunctionBody;
import io.jellybridge.structure.BlankGraph;
import io.jellybridge.structure.BlankNodeMatching;
import io.jellybridge.structure.BlankTerms;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions of blank nodes, and the arrays of quads that are their arguments and results. */
final class Quads {
    private static final StructType QUAD = new StructType()
            .add("subject", DataTypes.StringType).add("predicate", DataTypes.StringType)
            .add("object", DataTypes.StringType).add("graph", DataTypes.StringType);
    static final DataType TYPE = DataTypes.createArrayType(QUAD);
    static final int TERMS = QUAD.size();
    /** The divisor for the part of the heap that a graph in one task may use. */
    private static final int HEAP_SHARE = 6;

    private Quads() {
    }

    /**
     * Returns the terms of a quad. A null graph stays null.
     *
     * @throws io.jellybridge.codec.FormatException the quad itself is null
     */
    static byte[][] toTerms(ArrayData quads, int i) {
        InternalRow quad = FunctionBody.getStruct("array of quads", quads, i, TERMS);
        byte[][] terms = new byte[TERMS][];
        for (int t = 0; t < TERMS; t++) {
            UTF8String term = quad.isNullAt(t) ? null : quad.getUTF8String(t);
            terms[t] = term == null ? null : term.getBytes();
        }
        return terms;
    }

    /** Returns a graph of quads that all have blank nodes, without duplicates. */
    static BlankGraph toGraph(ArrayData quads) {
        BlankGraph graph = new BlankGraph(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        for (int i = 0; i < quads.numElements(); i++) {
            byte[][] terms = toTerms(quads, i);
            graph.add(terms[0], terms[1], terms[2], terms[3]);
        }
        return graph;
    }

    /**
     * The function {@code rdf_rename_as_before(old, new, suffix)}. It renames the blank nodes of the new quads to their equals in
     * the old ones, see {@link BlankNodeMatching}. Blank nodes without an equal get the suffix.
     */
    static final class AsBefore extends FunctionBody<ArrayData> {
        private static final long serialVersionUID = 1L;

        AsBefore(String name, DataType[] types) {
            super(name, new DataType[] {Quads.TYPE, Quads.TYPE, DataTypes.StringType}, Quads.TYPE);
        }

        @Override
        ArrayData call(InternalRow arguments) {
            ArrayData next = arguments.getArray(1);
            byte[] suffix = arguments.getUTF8String(2).getBytes();
            BlankTerms names = BlankNodeMatching.of(Quads.toGraph(arguments.getArray(0)), Quads.toGraph(next))
                    .namesWith(label -> BlankNodeMatching.joinBytes(label, suffix));
            Object[] renamed = new Object[next.numElements()];
            for (int i = 0; i < renamed.length; i++) {
                renamed[i] = new GenericInternalRow(Arrays.stream(Quads.toTerms(next, i))
                        .map(term -> UTF8String.fromBytes(names.renameLabel(term))).toArray());
            }
            return new GenericArrayData(renamed);
        }
    }

    /** The function {@code rdf_blank_nodes(term)}. It returns a blank node itself, or those in a triple term. */
    static final class BlankNodesOf extends FunctionBody<ArrayData> {
        private static final long serialVersionUID = 1L;

        BlankNodesOf(String name, DataType[] types) {
            super(name, JellyFunctions.textTypes(1), DataTypes.createArrayType(DataTypes.StringType, false));
        }

        /** Parses the text only as far as it needs. */
        @Override
        ArrayData call(InternalRow arguments) {
            return new GenericArrayData(BlankTerms.of(arguments.getUTF8String(0).getBytes()).stream()
                    .map(UTF8String::fromBytes).toArray());
        }
    }

    /** The function {@code rdf_structure(quads)}. See {@link BlankNodeMatching#hashStructure}. */
    static final class StructureOf extends FunctionBody<Long> {
        private static final long serialVersionUID = 1L;

        StructureOf(String name, DataType[] types) {
            super(name, new DataType[] {Quads.TYPE}, DataTypes.LongType);
        }

        @Override
        Long call(InternalRow arguments) {
            return BlankNodeMatching.hashStructure(Quads.toGraph(arguments.getArray(0)));
        }
    }
}
