package io.jellybridge.spark;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.LineReader;

/**
 * The lines of a split of a text file, or of a whole compressed file, without a byte order mark. Hadoop finds the lines of a
 * split. Its decompression is not used, see {@link HadoopFiles#open}.
 */
final class TextLines implements Closeable {
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
