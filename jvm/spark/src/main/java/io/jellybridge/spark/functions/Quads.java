package io.jellybridge.spark.functions;

import io.jellybridge.structure.BlankGraph;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** An array of quads, as functions take and give it. */
final class Quads {
    private static final StructType QUAD = new StructType()
            .add("subject", DataTypes.StringType).add("predicate", DataTypes.StringType)
            .add("object", DataTypes.StringType).add("graph", DataTypes.StringType);
    static final DataType TYPE = DataTypes.createArrayType(QUAD);
    static final int TERMS = QUAD.size();
    /** Of the heap, for a graph of one task. */
    private static final int HEAP_SHARE = 6;

    private Quads() {
    }

    /** The terms of a quad; a graph that is null stays so. */
    static byte[][] terms(ArrayData quads, int i) {
        InternalRow quad = quads.getStruct(i, TERMS);
        byte[][] terms = new byte[TERMS][];
        for (int t = 0; t < TERMS; t++) {
            UTF8String term = quad.isNullAt(t) ? null : quad.getUTF8String(t);
            terms[t] = term == null ? null : term.getBytes();
        }
        return terms;
    }

    /** A graph of quads that all have blank nodes, each of them once. */
    static BlankGraph graph(ArrayData quads) {
        BlankGraph graph = new BlankGraph(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        for (int i = 0; i < quads.numElements(); i++) {
            byte[][] terms = terms(quads, i);
            graph.add(terms[0], terms[1], terms[2], terms[3]);
        }
        return graph;
    }
}
