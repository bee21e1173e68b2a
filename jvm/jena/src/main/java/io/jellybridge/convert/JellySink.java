package io.jellybridge.convert;

import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/**
 * Writes a Jelly-RDF stream from events of a stream of any type. In a GRAPHS stream it starts and ends graphs as the statements
 * need it; in other streams it leaves them out. It keeps the frames if they have a meaning, or if no other size was requested.
 * Not thread-safe.
 */
final class JellySink implements RdfHandler<byte[]>, Closeable {
    private final RdfWriter<byte[]> writer;
    private final RdfOptions options;
    private final boolean keepsFrames;
    private boolean graphOpen;
    private byte[] graph;

    JellySink(RdfWriter<byte[]> writer, RdfOptions options, boolean keepsFrames) {
        this.writer = writer;
        this.options = options;
        this.keepsFrames = keepsFrames || options.grouped();
    }

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        if (options.namespaceDeclarations()) {
            writer.namespace(name, namespace);
        }
    }

    @Override
    public void startGraph(byte[] name) {
        if (options.physicalType() == PhysicalType.GRAPHS) {
            endOpenGraph();
            writer.startGraph(name);
            graphOpen = true;
            graph = name;
        }
    }

    @Override
    public void endGraph() {
        endOpenGraph();
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] inGraph) {
        if (options.physicalType() == PhysicalType.GRAPHS && (!graphOpen || !Arrays.equals(inGraph, graph))) {
            startGraph(inGraph);
        }
        writer.statement(subject, predicate, object, inGraph);
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        if (keepsFrames) {
            writer.endFrame(metadata);
        }
    }

    private void endOpenGraph() {
        if (graphOpen) {
            graphOpen = false;
            writer.endGraph();
        }
    }

    @Override
    public void close() throws IOException {
        try (writer) {
            endOpenGraph();
        }
    }
}
