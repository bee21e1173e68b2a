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
 * The lines of a split of a text file, or of the whole of a compressed one; without a byte order mark. Hadoop finds which
 * lines belong to a split; its own way of decompressing is not taken, see {@link HadoopFiles#open}.
 */
final class TextLines implements Closeable {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final LineRecordReader split = new LineRecordReader();
    private final Text ownText = new Text();
    /** Of a compressed file; else null. */
    private LineReader whole;
    private long start;
    private long nextStart;

    void open(Path file, long first, long length, Configuration conf) throws IOException {
        if (HadoopFiles.isCompressed(file, conf)) {
            whole = new LineReader(HadoopFiles.open(file, conf), conf);
        } else {
            JobConf own = new JobConf(conf);
            // With a limit, Hadoop leaves out longer lines and says so in a log only.
            own.setInt(LineRecordReader.MAX_LINE_LENGTH, Integer.MAX_VALUE);
            split.initialize(new FileSplit(file, first, length, new String[0]),
                    new TaskAttemptContextImpl(own, new TaskAttemptID()));
        }
    }

    /** Goes to the next line; false after the last. */
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

    /** The line, without its end; until the next. */
    Text text() {
        return whole == null ? split.getCurrentValue() : ownText;
    }

    /** Where in the (uncompressed) file the line begins. */
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
