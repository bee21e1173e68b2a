package io.jellybridge.spark;

import io.jellybridge.text.NQuadsParser;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/** Makes the writers of a job's files: {@code .nq}, or {@code .nt} where there is no graph column. */
final class NQuadsWriterFactory extends OutputWriterFactory {
    private static final long serialVersionUID = 1L;

    private static final int BUFFER_BYTES = 1 << 16;

    private final int[] ordinals;
    private final boolean rdfStar;
    private final Compression compression;

    /** @param ordinals where each position of a statement stands in the rows; -1 = not there */
    NQuadsWriterFactory(int[] ordinals, boolean rdfStar, Compression compression) {
        this.ordinals = ordinals;
        this.rdfStar = rdfStar;
        this.compression = compression;
    }

    @Override
    public String getFileExtension(TaskAttemptContext context) {
        return (ordinals[NQuadsParser.GRAPH] < 0 ? ".nt" : ".nq") + compression.suffix();
    }

    @Override
    public OutputWriter newInstance(String path, StructType dataSchema, TaskAttemptContext context) {
        try {
            Configuration hadoop = context.getConfiguration();
            OutputStream file = HadoopFiles.create(new Path(path), hadoop, compression);
            return new NQuadsWriter(path, OutputFolder.of(path, hadoop), new BufferedOutputStream(file, BUFFER_BYTES), rdfStar, ordinals);
        } catch (IOException e) {
            Platform.throwException(e);
            throw new AssertionError(e);
        }
    }
}
