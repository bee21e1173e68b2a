package io.jellybridge.spark;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import java.io.IOException;
import org.apache.spark.unsafe.types.UTF8String;

/** The statements of one Jelly-RDF file, or of a part of it. */
final class JellyRdfBatches extends FileBatches implements RdfHandler<UTF8String> {
    private final RdfReader<UTF8String> reader;
    private final int subject;
    private final int predicate;
    private final int object;
    private final int graph;
    private final int frame;

    /** @param positions where each {@link JellyRdfColumn} stands in the rows; -1 = left out */
    JellyRdfBatches(RdfReader<UTF8String> reader, String file, int[] positions, RowBatch rows) {
        super(reader, file, rows);
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
    public void statement(UTF8String s, UTF8String p, UTF8String o, UTF8String g) {
        rows.text(subject, s);
        rows.text(predicate, p);
        rows.text(object, o);
        rows.text(graph, g);
        rows.number(frame, reader.frame());
        rows.endRow();
    }
}
