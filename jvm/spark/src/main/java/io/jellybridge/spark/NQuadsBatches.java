package io.jellybridge.spark;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.text.NQuadsParser;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.LineReader;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.types.UTF8String;

/** The statements of an N-Quads file or a split, as batches. */
final class NQuadsBatches extends FileBatches {
    static final String FORMAT = "N-Quads";
    private static final int HEAD_BYTES = 1 << 12;

    private final PartitionedFile part;
    private final TextLines lines;
    private final NQuadsParser parser;
    private final boolean knowsLines;
    private long line;
    private long statements;
    private Configuration hadoop;

    /**
     * @param parser not shared with other batches
     * @param bad    the file for bad lines; null to throw an error for the first one
     */
    NQuadsBatches(PartitionedFile part, NQuadsParser parser, RowBatch rows, BadPart bad) {
        this(part, new TextLines(), parser, rows, bad);
    }

    private NQuadsBatches(PartitionedFile part, TextLines lines, NQuadsParser parser, RowBatch rows, BadPart bad) {
        super(lines, part.toPath().toString(), rows, bad);
        this.part = part;
        this.lines = lines;
        this.parser = parser;
        this.knowsLines = part.start() == 0;
    }

    void open(Configuration conf) throws IOException {
        hadoop = conf;
        lines.open(part.toPath(), part.start(), part.length(), conf);
    }

    @Override
    boolean readOn() throws IOException {
        if (!lines.next()) {
            endBad(statements);
            return false;
        }
        line++;
        Text text = lines.text();
        boolean isStatement;
        try {
            isStatement = parser.parse(text.getBytes(), 0, text.getLength());
        } catch (TermSyntaxException e) {
            FormatException fault = located(e, text);
            FormatException said = otherwise(fault);
            if (bad() == null || said != fault) { // a file of another format has no good line
                throw said;
            }
            bad().add(fault, text.toString());
            return true;
        }
        if (isStatement) {
            statements++;
            fillRow();
        }
        return true;
    }

    private void fillRow() {
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            if (rows.wants(position)) {
                rows.text(position, parser.isPresent(position) ? text(position) : null);
            }
        }
        rows.endRow();
    }

    /** Copies a term, since the parser reuses its bytes. */
    private UTF8String text(int position) {
        int start = parser.offset(position);
        return UTF8String.fromBytes(Arrays.copyOfRange(parser.array(position), start, start + parser.length(position)));
    }

    /** Returns a better error for a file that looks like another format, else the given error. */
    private FormatException otherwise(FormatException e) throws IOException {
        if (statements > 0 || !knowsLines) {
            return e;
        }
        try (InputStream in = HadoopFiles.open(part.toPath(), hadoop)) {
            byte[] head = in.readNBytes(HEAD_BYTES);
            return e.of(SniffedFormat.of(head, 0, head.length), SniffedFormat.NQUADS, FORMAT);
        }
    }

    private FormatException located(TermSyntaxException e, Text text) {
        long column = 1;
        for (int i = 0; i < e.offset(); i++) {
            boolean startsCharacter = (text.getBytes()[i] & 0xC0) != 0x80;
            column += startsCharacter ? 1 : 0;
        }
        long offset = lines.offset() + e.offset();
        return FormatException.inText(FORMAT, part.toPath().toString(), knowsLines ? line : 0, column, offset,
                e.found(), e.advice());
    }

    /**
     * The lines of a split of a text file, or of a whole compressed file, without a byte order mark. Hadoop finds the lines of a
     * split. Its decompression is not used, see {@link HadoopFiles#open}.
     */
    private static final class TextLines implements Closeable {
        private static final String BYTE_ORDER_MARK = "\uFEFF";

        private final LineRecordReader split = new LineRecordReader();
        private final Text ownText = new Text();
        /** The reader of a compressed file; null for a split. */
        private LineReader whole;
        private long start;
        private long nextStart;

        void open(Path file, long first, long length, Configuration conf) throws IOException {
            if (HadoopFiles.isCompressed(file, conf)) {
                whole = new LineReader(HadoopFiles.open(file, conf), conf);
            } else {
                JobConf own = new JobConf(conf);
                // With a limit, Hadoop would skip longer lines and only log it.
                own.setInt(LineRecordReader.MAX_LINE_LENGTH, Integer.MAX_VALUE);
                split.initialize(new FileSplit(file, first, length, new String[0]),
                        new TaskAttemptContextImpl(own, new TaskAttemptID()));
            }
        }

        /** Moves to the next line. Returns false after the last. */
        boolean next() throws IOException {
            if (whole == null) {
                return split.nextKeyValue();
            }
            start = nextStart;
            int count = whole.readLine(ownText);
            nextStart += count;
            if (start == 0 && ownText.find(BYTE_ORDER_MARK) == 0) {
                int mark = Text.utf8Length(BYTE_ORDER_MARK);
                ownText.set(ownText.copyBytes(), mark, ownText.getLength() - mark);
                start = mark;
            }
            return count > 0;
        }

        /** Returns the line without its end, valid until the next line. */
        Text text() {
            return whole == null ? split.getCurrentValue() : ownText;
        }

        /** Returns the offset of the line in the uncompressed file. */
        long offset() {
            return whole == null ? split.getCurrentKey().get() : start;
        }

        @Override
        public void close() throws IOException {
            if (whole != null) {
                whole.close();
            }
            split.close();
        }
    }
}
