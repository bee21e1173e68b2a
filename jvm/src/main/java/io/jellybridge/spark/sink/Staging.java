package io.jellybridge.spark.sink;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.jena.ApplyException;
import io.jellybridge.spark.HadoopConf;
import io.jellybridge.sync.PositionConflictException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** The folder in which the batches of one write wait to be applied; the driver's side. */
final class Staging {
    private final Path folder;
    private final int[] positions;
    private final SparkSession spark;
    private final Configuration hadoop;

    /**
     * @param parent    the folder's own
     * @param queryId   the folder's name comes from it
     * @param positions where the columns of change rows stand
     */
    Staging(String parent, String queryId, int[] positions) {
        this.folder = new Path(parent, "jellybridge-" + queryId);
        this.positions = positions;
        this.spark = SparkSession.active();
        this.hadoop = spark.sparkContext().hadoopConfiguration();
    }

    /** Starts a batch: removes what a run that was killed left, and makes what the task writes with. */
    StagedWriterFactory start() {
        remove();
        return new StagedWriterFactory(folder.toString(), positions, HadoopConf.broadcast(spark, hadoop));
    }

    /**
     * Has the dataset apply what the task staged, and removes it in any case.
     *
     * @throws BatchFailedException the dataset can't be reached or opened, or refused the batch
     */
    void commit(WriterCommitMessage[] messages, TargetStep step) {
        try {
            List<StagedPatch> staged = Arrays.stream(messages).filter(Objects::nonNull).map(StagedPatch.class::cast)
                    .filter(patch -> patch.rows() > 0).toList();
            if (staged.size() > 1) {
                throw new IllegalStateException("the rows came in " + staged.size()
                        + " partitions, so that their order is not known; report this");
            }
            if (!staged.isEmpty()) {
                step.take(new StagedBatch(new Path(staged.get(0).file()), hadoop));
            }
        } catch (IOException | IllegalStateException | ApplyException | PositionConflictException e) {
            throw new BatchFailedException(e);
        } finally {
            remove();
        }
    }

    /** Removes all that is staged. */
    void remove() {
        try {
            folder.getFileSystem(hadoop).delete(folder, true);
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove " + folder + ": " + e.getMessage(), e);
        }
    }

    /** The staged file, as what a dataset applies. */
    private record StagedBatch(Path file, Configuration hadoop) implements Patches {

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return new PatchReader<>(file.getFileSystem(hadoop).open(file), "the batch", terms, ReadOptions.DEFAULT);
        }
    }
}
