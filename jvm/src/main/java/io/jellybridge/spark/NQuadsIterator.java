package io.jellybridge.spark;

import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.text.NQuadsParser;
import io.jellybridge.text.TextFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.Platform;
import scala.collection.AbstractIterator;

/**
 * The statements of one file, or of one split of it. Reads in {@link #hasNext()}, where Spark adds the file's name to
 * an error. Terms go from the line into the row as UTF-8; the row is the same object each time, as in Spark's own
 * readers.
 */
final class NQuadsIterator extends AbstractIterator<InternalRow> {
    static final String FORMAT = "N-Quads";

    private final PartitionedFile part;
    private final LineRecordReader lines = new LineRecordReader();
    private final NQuadsParser parser;
    private final int[] ordinals;
    private final UnsafeRowWriter row;
    private final boolean knowsLines;
    private long line;
    private boolean hasRow;
    private boolean closed;

    /**
     * @param ordinals where each position of a statement stands in the rows; -1 = left out
     * @param width    how many columns the rows have
     */
    NQuadsIterator(PartitionedFile part, boolean rdfStar, int[] ordinals, int width) {
        this.part = part;
        this.parser = new NQuadsParser(rdfStar);
        this.ordinals = ordinals;
        this.row = new UnsafeRowWriter(width);
        this.knowsLines = part.start() == 0;
    }

    void open(Configuration conf) throws IOException {
        FileSplit split = new FileSplit(part.toPath(), part.start(), part.length(), new String[0]);
        lines.initialize(split, new TaskAttemptContextImpl(conf, new TaskAttemptID()));
    }

    @Override
    public boolean hasNext() {
        try {
            while (!hasRow && !closed) {
                if (lines.nextKeyValue()) {
                    line++;
                    readLine(lines.getCurrentValue());
                } else {
                    close();
                }
            }
        } catch (IOException e) {
            Platform.throwException(e);
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

    private void readLine(Text text) {
        try {
            hasRow = parser.parse(text.getBytes(), 0, text.getLength());
        } catch (TermSyntaxException e) {
            throw located(e, text);
        }
        if (hasRow) {
            fillRow();
        }
    }

    private void fillRow() {
        row.reset();
        row.zeroOutNullBytes();
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            int ordinal = ordinals[position];
            if (ordinal >= 0) {
                if (parser.isPresent(position)) {
                    row.write(ordinal, parser.array(position), parser.offset(position), parser.length(position));
                } else {
                    row.setNullAt(ordinal);
                }
            }
        }
    }

    private TextFormatException located(TermSyntaxException e, Text text) {
        long column = 1;
        for (int i = 0; i < e.offset(); i++) {
            boolean startsCharacter = (text.getBytes()[i] & 0xC0) != 0x80;
            column += startsCharacter ? 1 : 0;
        }
        long offset = lines.getCurrentKey().get() + e.offset();
        return new TextFormatException(FORMAT, part.toPath().toString(), knowsLines ? line : 0, column, offset,
                e.found(), e.advice());
    }

    void close() {
        if (!closed) {
            closed = true;
            try {
                lines.close();
            } catch (IOException e) {
                throw new UncheckedIOException("can't close " + part.toPath() + ": " + e.getMessage(), e);
            }
        }
    }
}
