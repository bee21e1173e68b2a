package io.jellybridge.convert;

import com.google.gson.stream.JsonWriter;
import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.RdfHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Statistics of a stream: rows by kind, patch, transaction and graph, and statements by graph. Of many patches or graphs only
 * the first are listed, and the rest is counted in total, so memory is bounded.
 */
final class StreamStatistics implements ChangeRowHandler<byte[]>, RdfHandler<byte[]> {
    private static final int LISTED = 1000;
    private static final String DEFAULT_GRAPH = "";

    private final long[] kinds = new long[Op.values().length];
    private final List<long[]> patches = new ArrayList<>();
    private long[] patch = new long[Op.values().length];
    private long patchCount;
    private final Map<String, long[]> graphs = new LinkedHashMap<>();
    private final long[] otherGraphs = new long[2];
    /** The graph of the row before and its counts, since consecutive rows often have the same graph. */
    private byte[] lastGraph;
    private long[] lastCounts;
    private final boolean ofPatches;
    private long largestTransaction;
    private long inTransaction;
    private long outside;
    private long statements;
    private long namespaces;
    private long graphStarts;
    private long metadata;

    /**
     * Creates empty statistics.
     *
     * @param ofPatches true for a stream of patches, false for statements
     */
    StreamStatistics(boolean ofPatches) {
        this.ofPatches = ofPatches;
    }

    // --- patches

    @Override
    public void row(long ofPatch, long tx, long row, Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph,
            byte[] name, byte[] value) {
        kinds[op.ordinal()]++;
        patch[op.ordinal()]++;
        switch (op) {
            case TX, TC, TA -> {
                largestTransaction = Math.max(largestTransaction, inTransaction);
                inTransaction = 0;
            }
            case PA, PD -> countRow(tx);
            case A, D -> {
                countRow(tx);
                countsOf(graph)[op == Op.A ? 0 : 1]++;
            }
            case H -> { /* is about the patch */ }
        }
    }

    private void countRow(long tx) {
        if (tx >= 0) {
            inTransaction++;
        } else {
            outside++;
        }
    }

    @Override
    public void endPatch() {
        patchCount++;
        if (patches.size() < LISTED) {
            patches.add(patch);
        }
        patch = new long[kinds.length];
    }

    // --- statements

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        statements++;
        countsOf(graph)[0]++;
    }

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        namespaces++;
    }

    @Override
    public void startGraph(byte[] graph) {
        graphStarts++;
    }

    @Override
    public void endFrame(Map<String, byte[]> ofFrame) {
        metadata += ofFrame.size();
    }

    private long[] countsOf(byte[] graph) {
        if (lastCounts != null && graph == lastGraph) {
            return lastCounts;
        }
        String name = graph == null ? DEFAULT_GRAPH : new String(graph, StandardCharsets.UTF_8);
        long[] counts = graphs.get(name);
        if (counts == null) {
            counts = graphs.size() < LISTED ? new long[2] : otherGraphs;
            if (counts != otherGraphs) {
                graphs.put(name, counts);
            }
        }
        lastGraph = graph;
        lastCounts = counts;
        return counts;
    }

    // --- result

    /** Writes its members of a JSON object. */
    void writeJson(JsonWriter json) throws IOException {
        if (!ofPatches) {
            json.name("statements").value(statements).name("namespaces").value(namespaces)
                    .name("graphStarts").value(graphStarts).name("metadataEntries").value(metadata);
        } else {
            json.name("rows").beginObject().name("total").value(Arrays.stream(kinds).sum());
            writeKinds(json, kinds);
            json.endObject();
            writeTransactions(json);
            json.name("patches").beginObject().name("total").value(patchCount).name("each").beginArray();
            for (long[] each : patches) {
                json.beginObject();
                writeKinds(json, each);
                json.endObject();
            }
            json.endArray().name("notListed").value(patchCount - patches.size()).endObject();
        }
        writeGraphs(json);
    }

    private static void writeKinds(JsonWriter json, long[] counts) throws IOException {
        for (Op op : Op.values()) {
            json.name(op.name()).value(counts[op.ordinal()]);
        }
    }

    private void writeTransactions(JsonWriter json) throws IOException {
        json.name("transactions").beginObject()
                .name("begun").value(kinds[Op.TX.ordinal()])
                .name("committed").value(kinds[Op.TC.ordinal()])
                .name("aborted").value(kinds[Op.TA.ordinal()])
                .name("largest").value(Math.max(largestTransaction, inTransaction))
                .name("rowsOutside").value(outside)
                .endObject();
    }

    /** Writes the graphs. The default graph, and no graph, is null. */
    private void writeGraphs(JsonWriter json) throws IOException {
        json.name("graphs").beginArray();
        for (Map.Entry<String, long[]> graph : graphs.entrySet()) {
            json.beginObject().name("graph").value(graph.getKey().equals(DEFAULT_GRAPH) ? null : graph.getKey());
            writeCounts(json, graph.getValue());
            json.endObject();
        }
        json.endArray().name("otherGraphs").beginObject();
        writeCounts(json, otherGraphs);
        json.endObject();
    }

    private void writeCounts(JsonWriter json, long[] counts) throws IOException {
        if (!ofPatches) {
            json.name("statements").value(counts[0]);
        } else {
            json.name("A").value(counts[0]).name("D").value(counts[1]);
        }
    }
}
