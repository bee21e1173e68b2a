package io.jellybridge.spark;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import scala.collection.AbstractIterator;

/**
 * The statements of one file. Decodes in {@link #hasNext()}, where Spark adds the file's name to an error. Terms go
 * from the frame's bytes into the row as UTF-8; the row is the same object each time, as in Spark's own readers.
 */
final class JellyRdfIterator extends AbstractIterator<InternalRow> implements RdfHandler<byte[]> {
    private final RdfReader<byte[]> reader;
    private final String file;
    private final UnsafeRowWriter row;
    private final int subject;
    private final int predicate;
    private final int object;
    private final int graph;
    private final int frame;

    private boolean hasRow;
    private boolean ended;

    JellyRdfIterator(InputStream in, String file, ReadOptions options, int[] positions, int width) {
        this.reader = new RdfReader<>(in, file, new Utf8Terms(), options);
        this.file = file;
        this.row = new UnsafeRowWriter(width);
        this.subject = positions[JellyRdfColumn.SUBJECT.ordinal()];
        this.predicate = positions[JellyRdfColumn.PREDICATE.ordinal()];
        this.object = positions[JellyRdfColumn.OBJECT.ordinal()];
        this.graph = positions[JellyRdfColumn.GRAPH.ordinal()];
        this.frame = positions[JellyRdfColumn.FRAME.ordinal()];
    }

    @Override
    public boolean hasNext() {
        try {
            while (!hasRow && !ended) {
                if (!reader.next(this)) {
                    ended = true;
                    close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + file + ": " + e.getMessage(), e);
        }
        return hasRow;
    }

    @Override
    public InternalRow next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        hasRow = false;
        return row.getRow();
    }

    void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw new UncheckedIOException("can't close " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void statement(byte[] s, byte[] p, byte[] o, byte[] g) {
        hasRow = true;
        row.reset();
        row.zeroOutNullBytes();
        writeText(subject, s);
        writeText(predicate, p);
        writeText(object, o);
        writeText(graph, g);
        if (frame >= 0) {
            row.write(frame, reader.frame());
        }
    }

    private void writeText(int position, byte[] text) {
        if (position >= 0) {
            if (text != null) {
                row.write(position, text);
            } else {
                row.setNullAt(position);
            }
        }
    }

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        // makes no row
    }

    @Override
    public void startGraph(byte[] g) {
        // comes with each statement
    }

    @Override
    public void endGraph() {
        // comes with each statement
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        // shows in the number of the next row's frame
    }
}
