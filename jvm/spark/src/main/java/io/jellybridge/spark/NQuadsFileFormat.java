package io.jellybridge.spark;

import io.jellybridge.text.NQuadsParser;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;

/**
 * The file format {@value #SHORT_NAME}: N-Triples and N-Quads as rows of canonical terms; what is written is {@code .nq}, or
 * {@code .nt} where there is no graph column. Columns: {@link StatementColumns#QUADS}; options: {@link NQuadsOptions}.
 *
 * <p>Files are split unless they are compressed. Columns that a query does not use are left out of the rows, but every
 * line is read and checked.
 */
public final class NQuadsFileFormat extends RdfFileFormat {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "nquads";

    private static final long serialVersionUID = 1L;
    private static final int BUFFER_BYTES = 1 << 16;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    StructType columns() {
        return StatementColumns.QUADS;
    }

    @Override
    FileInput input(Map<String, String> options, boolean ignoreCorruptFiles) {
        return new Input(NQuadsOptions.of(options));
    }

    @Override
    FileOutput output(Map<String, String> options, StructType schema) {
        NQuadsOptions settings = NQuadsOptions.of(options);
        int[] positions = StatementColumns.positionsToWrite(schema, columns(), SHORT_NAME, false);
        return new FileOutput(positions[StatementColumns.GRAPH] < 0 ? ".nt" : ".nq", settings.compression(), List.of(),
                (out, path, folder) -> new NQuadsWriter(new BufferedOutputStream(out, BUFFER_BYTES), settings.rdfStar(),
                        positions, folder));
    }

    private record Input(NQuadsOptions options) implements FileInput {

        @Override
        public boolean splits() {
            return true;
        }

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            NQuadsBatches batches =
                    new NQuadsBatches(part, new NQuadsParser(options.rdfStar(), false, options.mendTags()), rows);
            try {
                batches.open(hadoop);
            } catch (IOException e) {
                batches.close();
                throw e;
            }
            return batches;
        }
    }
}
