package io.jellybridge.spark.sink;

import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.spark.sink.JenaSinkOptions.TargetLocation;
import io.jellybridge.spark.staging.StagedBatch;
import io.jellybridge.spark.staging.StagingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process that commits a staged batch, number 0 of {@value #WRITER}, to a dataset. */
final class BatchCommitter {
    static final String WRITER = "app";

    private BatchCommitter() {
    }

    /** @param arguments the dataset, the staged file and how many rows it has */
    public static void main(String[] arguments) throws IOException {
        commit(arguments[0], arguments[1], Long.parseLong(arguments[2]));
    }

    static void commit(String target, String staged, long rows) throws IOException {
        JenaSinkOptions options = new JenaSinkOptions(new TargetLocation(target, Map.of()),
                new StagingOptions(null, false, WRITER, 0), false, true);
        Patches patches = new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return new PatchReader<>(Files.newInputStream(Path.of(staged)), "staged", terms, ReadOptions.DEFAULT);
            }
        };
        ExactlyOnceStep.ofBatch(options).take(new StagedBatch(JoinedPatches.of(List.of(patches)), 1, rows));
    }
}
