package io.jellybridge.spark;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.FileScan.FileInput;
import io.jellybridge.spark.FileWriter.FileOutput;
import io.jellybridge.spark.FileWriter.OutputFolder;
import io.jellybridge.spark.FileWriter.RowWriter;
import io.jellybridge.text.NQuadsParser;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;
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

    /** Creates the format. */
    public NQuadsFileFormat() {
        super(SHORT_NAME, StatementColumns.QUADS, SHORT_NAME + " rows");
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

    /**
     * A writer of rows as canonical N-Quads, one line each. It rejects a row with an invalid term, or a term at a wrong position,
     * and writes nothing of it.
     */
    private static final class NQuadsRowWriter implements RowWriter {
        private final OutputFolder folder;
        private final OutputStream out;
        private final int[] positions;
        private final NQuadsParser parser;
        private final CanonicalBuffer line = new CanonicalBuffer();

        /**
         * @param positions the position of each of {@link StatementColumns} in the rows; -1 if it is missing
         */
        NQuadsRowWriter(OutputStream out, boolean rdfStar, int[] positions, OutputFolder folder) {
            this.folder = folder;
            this.out = out;
            this.positions = positions;
            this.parser = new NQuadsParser(rdfStar);
        }

        @Override
        public void write(InternalRow row) throws IOException {
            line.clear();
            for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
                int ordinal = positions[position];
                if (ordinal >= 0 && !row.isNullAt(ordinal)) {
                    appendTerm(row, position, row.getUTF8String(ordinal).getBytes());
                } else if (position != NQuadsParser.GRAPH) {
                    throw refused(row, position, "null", "leave null for the default graph only");
                }
            }
            line.append('.');
            line.append('\n');
            out.write(line.array(), 0, line.size());
        }

        private void appendTerm(InternalRow row, int position, byte[] term) {
            try {
                parser.parseTerm(position, term);
            } catch (TermSyntaxException e) {
                throw refused(row, position, e.found() + " at byte " + e.offset() + " of " + e.text(), e.advice());
            }
            line.append(parser.array(position), parser.offset(position), parser.length(position));
            line.append(' ');
        }

        private FormatException refused(InternalRow row, int position, String what, String advice) {
            return FormatException.ofRow(NQuadsBatches.FORMAT, folder.placeOf(row, positions),
                    "column '" + StatementColumns.name(position) + "': " + what, advice);
        }

        @Override
        public void end() throws IOException {
            out.close();
        }
    }
}
