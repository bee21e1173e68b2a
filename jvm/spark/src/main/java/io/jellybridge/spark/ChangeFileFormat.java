package io.jellybridge.spark;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A file format whose files are streams of patches, as change rows. The columns are those of {@link ChangeColumn}. A subclass
 * defines the format and its options.
 *
 * <p>Decoding a row needs the rows before it. So a file is split at its restart points only. A file without restart points, and
 * a compressed file, is read by one task. Columns that a query does not use are decoded only as far as later rows need them.
 * The same applies to rows that its filters on {@code op}, {@code predicate} and {@code graph} exclude.
 */
abstract class ChangeFileFormat extends RdfFileFormat {
    /** The sort order of rows to write. A patch is never split over files. */
    static final List<String> ORDER = List.of(ChangeColumn.PATCH.columnName(), ChangeColumn.ROW.columnName());

    private static final long serialVersionUID = 1L;

    /** Creates the reader of the format from the options, like {@link #input}. */
    abstract ChangeSource changes(OptionValues given);

    @Override
    final StructType columns() {
        return ChangeColumn.SCHEMA;
    }

    @Override
    final String rows() {
        return ChangeColumn.ROWS;
    }

    @Override
    final FileInput input(OptionValues given, boolean ignoreCorruptFiles) {
        return new Input(changes(given), ignoreCorruptFiles);
    }

    /**
     * @param ignoreCorruptFiles true if Spark skips the rest of a corrupt file; the file is not split then, and the rows of an
     *     incomplete transaction are skipped too
     */
    private record Input(ChangeSource files, boolean ignoreCorruptFiles) implements FileInput {

        @Override
        public boolean splits(Path file) {
            return files.splits() && !ignoreCorruptFiles;
        }

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            Path path = part.toPath();
            if (ignoreCorruptFiles) {
                WholeTransactions sound = WholeTransactions.of(files, path, hadoop);
                return new ChangeRowBatches(files.open(path, hadoop, new SparkTerms()), path.toString(), rows, filter, false,
                        sound);
            }
            PatchSource<UTF8String> changes = files.open(path, hadoop, part.start(), part.start() + part.length(),
                    new SparkTerms());
            if (changes == null) {
                return null;
            }
            boolean selected = changes.select(rows.selection(ChangeColumn.SUBJECT.ordinal(), filter));
            return new ChangeRowBatches(changes, path.toString(), rows, filter, selected, WholeTransactions.UNCHECKED);
        }
    }
}
