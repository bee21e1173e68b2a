package io.jellybridge.spark.staging;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What a task staged, as patches.
 *
 * @param rows how many it has
 */
public record StagedBatch(Path file, long rows, Configuration hadoop) implements Patches {

    @Override
    public <T> PatchReader<T> open(TermFactory<T> terms) throws IOException {
        return new PatchReader<>(file.getFileSystem(hadoop).open(file), "the batch", terms, ReadOptions.DEFAULT);
    }
}
