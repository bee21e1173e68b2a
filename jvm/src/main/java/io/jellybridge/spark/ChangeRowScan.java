package io.jellybridge.spark;

import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Opens one file's change rows, on an executor. */
final class ChangeRowScan extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int[] positions;
    private final int width;
    private final ChangeSource source;
    private final boolean ignoreCorruptFiles;
    private final Broadcast<SerializableConfiguration> hadoop;

    /**
     * @param positions          where each {@link ChangeColumn} stands in the rows; -1 = left out
     * @param width              how many columns the rows have
     * @param source             opens the file, in its format
     * @param ignoreCorruptFiles whether Spark skips the rest of a file that breaks the format: then the rows of an
     *                           incomplete transaction are part of that rest
     */
    ChangeRowScan(int[] positions, int width, ChangeSource source, boolean ignoreCorruptFiles,
            Broadcast<SerializableConfiguration> hadoop) {
        this.positions = positions;
        this.width = width;
        this.source = source;
        this.ignoreCorruptFiles = ignoreCorruptFiles;
        this.hadoop = hadoop;
    }

    @Override
    public Iterator<InternalRow> apply(PartitionedFile part) {
        Path path = part.toPath();
        Configuration conf = hadoop.value().value();
        try {
            WholeTransactions sound = ignoreCorruptFiles
                    ? WholeTransactions.of(source, source.open(path, conf), path.toString())
                    : WholeTransactions.UNCHECKED;
            return new ChangeRowIterator(
                    source.read(source.open(path, conf), path.toString(), new Utf8Terms()), path.toString(),
                    positions, width, sound);
        } catch (IOException e) {
            // As it is: Spark looks for FileNotFoundException under ignoreMissingFiles.
            Platform.throwException(e);
            throw new AssertionError(e);
        }
    }
}
