package io.jellybridge.spark;

import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.text.NQuadsParser;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;

/**
 * The file format {@value #SHORT_NAME}: N-Triples and N-Quads files as rows of canonical terms. Writes {@code .nq}, or {@code
 * .nt} if there is no graph column. Columns: {@link StatementColumns#QUADS}; options: {@link FormatOptions#NQUADS}.
 *
 * <p>Files are split unless they are compressed. Unused columns are left out of the rows, but every line is read and checked.
 */
public final class NQuadsFileFormat extends RdfFileFormat {
    /** The name in {@code format(…)}. */
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
    OptionTable options() {
        return FormatOptions.NQUADS;
    }

    @Override
    FileInput input(OptionValues given, boolean ignoreCorruptFiles) {
        return new Input(given.get(FormatOptions.QUOTED_SUBJECTS), given.get(FormatOptions.MEND_TAGS),
                FormatOptions.badStatements(given));
    }

    @Override
    FileOutput output(OptionValues given, StructType schema) {
        boolean quotedSubjects = given.get(FormatOptions.QUOTED_SUBJECTS);
        int[] positions = StatementColumns.positionsToWrite(schema, columns(), SHORT_NAME, false);
        return new FileOutput(positions[StatementColumns.GRAPH] < 0 ? ".nt" : ".nq", given.get(FormatOptions.COMPRESSION),
                List.of(), (out, path, folder) -> new NQuadsRowWriter(new BufferedOutputStream(out, BUFFER_BYTES),
                        quotedSubjects, positions, folder));
    }

    record Input(boolean quotedSubjects, boolean mendTags, FormatOptions.BadFolder bad) implements FileInput {

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            NQuadsBatches batches =
                    new NQuadsBatches(part, new NQuadsParser(quotedSubjects, false, mendTags), rows, bad.open(part, hadoop));
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
