package io.jellybridge.spark.functions;

import io.jellybridge.structure.BlankGraph;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Converts arrays of quads, which are arguments and results of functions. */
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

    /** Returns the terms of a quad. A null graph stays null. */
    static byte[][] terms(ArrayData quads, int i) {
        InternalRow quad = quads.getStruct(i, TERMS);
        byte[][] terms = new byte[TERMS][];
        for (int t = 0; t < TERMS; t++) {
            UTF8String term = quad.isNullAt(t) ? null : quad.getUTF8String(t);
            terms[t] = term == null ? null : term.getBytes();
        }
        return terms;
    }

    /** Returns a graph of quads that all have blank nodes, without duplicates. */
    static BlankGraph graph(ArrayData quads) {
        BlankGraph graph = new BlankGraph(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        for (int i = 0; i < quads.numElements(); i++) {
            byte[][] terms = terms(quads, i);
            graph.add(terms[0], terms[1], terms[2], terms[3]);
        }
        return graph;
    }
}
