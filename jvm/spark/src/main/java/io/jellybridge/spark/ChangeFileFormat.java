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
 * A file format whose files are streams of patches: change rows. The columns are those of {@link ChangeColumn}; a subclass
 * says which format and which options.
 *
 * <p>What a row is depends on those before, so a file is split at its restart points only; one without, or compressed, is
 * read whole by one task. Columns that a query does not use, and rows that its filters on {@code op}, {@code predicate} and
 * {@code graph} leave out, are decoded only as far as the rows after them need it.
 */
abstract class ChangeFileFormat extends RdfFileFormat {
    /** A file holds whole patches. */
    static final List<String> ORDER = List.of(ChangeColumn.PATCH.columnName(), ChangeColumn.ROW.columnName());

    private static final long serialVersionUID = 1L;

    /** How to read; as {@link #input}. */
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
     * @param ignoreCorruptFiles whether Spark skips the rest of a file that breaks the format: then the rows of an
     *                           incomplete transaction are part of that rest, and files are not split
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
