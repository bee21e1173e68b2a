package io.jellybridge.convert;

import io.jellybridge.codec.ChangeRowHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.RdfHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what a stream holds: rows by kind, patch, transaction and graph; statements by graph. Of very many patches or
 * graphs the first are listed, and the others counted together, so that the memory stays bounded.
 */
final class Census implements ChangeRowHandler<byte[]>, RdfHandler<byte[]> {
    private static final int LISTED = 1000;
    private static final String DEFAULT_GRAPH = "";

    private final long[] kinds = new long[Op.values().length];
    private final List<long[]> patches = new ArrayList<>();
    private long[] patch = new long[Op.values().length];
    private long patchCount;
    private final Map<String, long[]> graphs = new LinkedHashMap<>();
    private final long[] otherGraphs = new long[2];
    /** The graph of the row before, and its counts: neighbouring rows often have the same. */
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

    /** @param ofPatches whether the stream is one of patches; else one of statements */
    Census(boolean ofPatches) {
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
                counts(graph)[op == Op.A ? 0 : 1]++;
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
        counts(graph)[0]++;
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

    private long[] counts(byte[] graph) {
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

    /** Writes its members of an object. */
    void write(Json json) {
        if (!ofPatches) {
            json.name("statements").number(statements).name("namespaces").number(namespaces)
                    .name("graphStarts").number(graphStarts).name("metadataEntries").number(metadata);
        } else {
            json.name("rows").open('{').name("total").number(Arrays.stream(kinds).sum());
            writeKinds(json, kinds);
            json.close('}');
            writeTransactions(json);
            json.name("patches").open('{').name("total").number(patchCount).name("each").open('[');
            for (long[] each : patches) {
                json.open('{');
                writeKinds(json, each);
                json.close('}');
            }
            json.close(']').name("notListed").number(patchCount - patches.size()).close('}');
        }
        writeGraphs(json);
    }

    private static void writeKinds(Json json, long[] counts) {
        for (Op op : Op.values()) {
            json.name(op.name()).number(counts[op.ordinal()]);
        }
    }

    private void writeTransactions(Json json) {
        json.name("transactions").open('{')
                .name("begun").number(kinds[Op.TX.ordinal()])
                .name("committed").number(kinds[Op.TC.ordinal()])
                .name("aborted").number(kinds[Op.TA.ordinal()])
                .name("largest").number(Math.max(largestTransaction, inTransaction))
                .name("rowsOutside").number(outside)
                .close('}');
    }

    /** The default graph, and no graph, is null. */
    private void writeGraphs(Json json) {
        json.name("graphs").open('[');
        graphs.forEach((name, counts) -> {
            json.open('{').name("graph").string(name.equals(DEFAULT_GRAPH) ? null : name);
            writeCounts(json, counts);
            json.close('}');
        });
        json.close(']').name("otherGraphs").open('{');
        writeCounts(json, otherGraphs);
        json.close('}');
    }

    private void writeCounts(Json json, long[] counts) {
        if (!ofPatches) {
            json.name("statements").number(counts[0]);
        } else {
            json.name("A").number(counts[0]).name("D").number(counts[1]);
        }
    }
}
