package io.jellybridge.spark;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Selection;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.immutable.Map;

/** Opens change rows. */
final class ChangeRowScan extends FileScan {
    private static final long serialVersionUID = 1L;

    private final int[] positions;
    private final ChangeSource source;
    private final PushedFilter filter;
    private final boolean ignoreCorruptFiles;

    /**
     * @param columns            those {@link ChangeColumn}s that are asked for
     * @param source             opens the file, in its format
     * @param filter             which rows are wanted; null for all
     * @param ignoreCorruptFiles whether Spark skips the rest of a file that breaks the format: then the rows of an
     *                           incomplete transaction are part of that rest, and files are not split
     */
    ChangeRowScan(StructType columns, StructType folderColumns, ChangeSource source, PushedFilter filter,
            boolean ignoreCorruptFiles, Map<String, String> options, Broadcast<SerializableConfiguration> hadoop) {
        super(columns, folderColumns, options, hadoop);
        this.positions = ChangeColumn.positions(columns);
        this.source = source;
        this.filter = filter;
        this.ignoreCorruptFiles = ignoreCorruptFiles;
    }

    @Override
    FileBatches open(PartitionedFile part, Configuration conf, RowBatch rows) throws IOException {
        Path path = part.toPath();
        if (ignoreCorruptFiles) {
            WholeTransactions sound = WholeTransactions.of(source, path, conf);
            return new ChangeRowBatches(source.open(path, conf, new SparkTerms(), Selection.all()), path.toString(),
                    positions, rows, filter, sound);
        }
        PatchSource<UTF8String> changes = source.open(path, conf, part.start(), part.start() + part.length(),
                new SparkTerms(), selection());
        return changes == null ? null
                : new ChangeRowBatches(changes, path.toString(), positions, rows, filter, WholeTransactions.UNCHECKED);
    }

    private Selection<UTF8String> selection() {
        return new Selection<>(wants(ChangeColumn.SUBJECT), wants(ChangeColumn.PREDICATE), wants(ChangeColumn.OBJECT),
                wants(ChangeColumn.GRAPH), filter);
    }

    private boolean wants(ChangeColumn column) {
        return positions[column.ordinal()] >= 0;
    }
}
