package io.jellybridge.spark;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import java.io.IOException;

/** The statements of one Jelly-RDF file. */
final class JellyRdfIterator extends FileRows implements RdfHandler<byte[]> {
    private final RdfReader<byte[]> reader;
    private final int subject;
    private final int predicate;
    private final int object;
    private final int graph;
    private final int frame;

    /**
     * @param positions where each {@link JellyRdfColumn} stands in the rows; -1 = left out
     * @param width     how many columns the rows have
     */
    JellyRdfIterator(RdfReader<byte[]> reader, String file, int[] positions, int width) {
        super(reader, file, width);
        this.reader = reader;
        this.subject = positions[JellyRdfColumn.SUBJECT.ordinal()];
        this.predicate = positions[JellyRdfColumn.PREDICATE.ordinal()];
        this.object = positions[JellyRdfColumn.OBJECT.ordinal()];
        this.graph = positions[JellyRdfColumn.GRAPH.ordinal()];
        this.frame = positions[JellyRdfColumn.FRAME.ordinal()];
    }

    @Override
    boolean readOn() throws IOException {
        return reader.next(this);
    }

    @Override
    public void statement(byte[] s, byte[] p, byte[] o, byte[] g) {
        startRow();
        writeText(subject, s);
        writeText(predicate, p);
        writeText(object, o);
        writeText(graph, g);
        writeNumber(frame, reader.frame());
    }
}
