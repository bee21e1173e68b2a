package io.jellybridge.spark;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.FileBatches.BadPart;
import io.jellybridge.spark.FileRowReader.FileInput;
import io.jellybridge.spark.FileWriter.FileOutput;
import io.jellybridge.spark.FileWriter.OutputFolder;
import io.jellybridge.spark.FileWriter.RowWriter;
import io.jellybridge.text.NQuadsParser;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

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
    FileInput toInput(OptionValues given, boolean ignoreCorruptFiles, Supplier<Configuration> hadoop) {
        return new Input(given.get(FormatOptions.QUOTED_SUBJECTS), given.get(FormatOptions.MEND_TAGS),
                given.get(FormatOptions.MAX_FRAME_BYTES), FormatOptions.badStatements(given, ignoreCorruptFiles, hadoop));
    }

    @Override
    FileOutput toOutput(OptionValues given, StructType schema) {
        boolean quotedSubjects = given.get(FormatOptions.QUOTED_SUBJECTS);
        int[] positions = StatementColumns.positionsToWrite(schema, columns(), SHORT_NAME, false);
        return new FileOutput(positions[StatementColumns.GRAPH] < 0 ? ".nt" : ".nq", given.get(FormatOptions.COMPRESSION),
                List.of(), (out, path, folder) -> new NQuadsRowWriter(new BufferedOutputStream(out, BUFFER_BYTES),
                        quotedSubjects, positions, folder));
    }

    record Input(boolean quotedSubjects, boolean mendTags, int maxLineBytes, FormatOptions.BadFolder bad) implements FileInput {

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            NQuadsBatches batches = new NQuadsBatches(
                    part, new TextLines(maxLineBytes), new NQuadsParser(quotedSubjects, false, mendTags), rows, bad.open(part, hadoop));
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
                    throw refusalError(row, position, "null", "leave null for the default graph only");
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
                throw refusalError(row, position, e.found() + " at byte " + e.offset() + " of " + e.text(), e.advice());
            }
            line.append(parser.arrayOf(position), parser.offsetOf(position), parser.lengthOf(position));
            line.append(' ');
        }

        private FormatException refusalError(InternalRow row, int position, String what, String advice) {
            return FormatException.ofRow(NQuadsBatches.FORMAT, folder.placeOf(row, positions),
                    "column '" + StatementColumns.columnName(position) + "': " + what, advice);
        }

        @Override
        public void end() throws IOException {
            out.close();
        }
    }

    /**
     * The lines of a split of a text file, or of a whole compressed file, without a byte order mark. The lines of a split begin in
     * it or right behind it, except for its first one, which belongs to the split before. Not thread-safe.
     */
    private static final class TextLines implements Closeable {
        private static final String BYTE_ORDER_MARK = "\uFEFF";

        private final int maxLineBytes;
        private final Text text = new Text();
        private LineReader reader;
        private long start;
        private long nextStart;
        /** The end of the split. */
        private long end = Long.MAX_VALUE;

        TextLines(int maxLineBytes) {
            this.maxLineBytes = maxLineBytes;
        }

        void openLines(Path file, long first, long length, Configuration conf) throws IOException {
            if (HadoopFiles.isCompressed(file, conf)) {
                reader = new LineReader(HadoopFiles.openFile(file, conf), conf);
                return;
            }
            FSDataInputStream in = file.getFileSystem(conf).open(file);
            reader = new LineReader(in, conf);
            end = first + length;
            if (first > 0) {
                in.seek(first);
                nextStart = first + reader.readLine(new Text(), 0);
            }
        }

        /** Moves to the next line. Returns false after the last. Of a line that is too long, it reads only so much that one sees it. */
        boolean next() throws IOException {
            start = nextStart;
            if (start > end) {
                return false;
            }
            int count = reader.readLine(text, Integer.MAX_VALUE, (int) Math.min(maxLineBytes + 1L, Integer.MAX_VALUE));
            nextStart += count;
            if (start == 0 && text.find(BYTE_ORDER_MARK) == 0) {
                int mark = Text.utf8Length(BYTE_ORDER_MARK);
                text.set(text.copyBytes(), mark, text.getLength() - mark);
                start = mark;
            }
            return count > 0;
        }

        int maxLineBytes() {
            return maxLineBytes;
        }

        /** Returns the line without its end, valid until the next line. */
        Text text() {
            return text;
        }

        /** Returns the offset of the line in the uncompressed file. */
        long offset() {
            return start;
        }

        @Override
        public void close() throws IOException {
            if (reader != null) {
                reader.close();
            }
        }
    }

    /** The statements of an N-Quads file or a split, as batches. */
    private static final class NQuadsBatches extends FileBatches {
        static final String FORMAT = "N-Quads";
        private static final int HEAD_BYTES = 1 << 12;

        private final PartitionedFile part;
        private final TextLines lines;
        private final NQuadsParser parser;
        private final boolean knowsLines;
        private long line;
        private long statements;
        private Configuration hadoop;

        /**
         * @param parser not shared with other batches
         * @param bad    the file for bad lines; null to throw an error for the first one
         */
        NQuadsBatches(PartitionedFile part, TextLines lines, NQuadsParser parser, RowBatch rows, BadPart bad) {
            super(lines, part.toPath().toString(), rows, 0, bad);
            this.part = part;
            this.lines = lines;
            this.parser = parser;
            this.knowsLines = part.start() == 0;
        }

        void open(Configuration conf) throws IOException {
            hadoop = conf;
            lines.openLines(part.toPath(), part.start(), part.length(), conf);
        }

        @Override
        boolean readOn() throws IOException {
            if (!lines.next()) {
                endBad(statements);
                return false;
            }
            line++;
            Text text = lines.text();
            if (text.getLength() > lines.maxLineBytes()) {
                throw explainError(FormatException.inText(FORMAT, part.toPath().toString(), knowsLines ? line : 0, 1, lines.offset(),
                        "a line of more than " + lines.maxLineBytes() + " bytes", "if you trust the file, raise maxFrameBytes"));
            }
            boolean isStatement;
            try {
                isStatement = parser.parse(text.getBytes(), 0, text.getLength());
            } catch (TermSyntaxException e) {
                FormatException fault = withLocation(e, text);
                FormatException said = explainError(fault);
                if (bad() == null || said != fault) { // a file of another format has no good line
                    throw said;
                }
                bad().add(fault, text.toString());
                return true;
            }
            if (isStatement) {
                statements++;
                fillRow();
            }
            return true;
        }

        private void fillRow() {
            for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
                if (rows.isWanted(position)) {
                    rows.setText(position, UTF8String.fromBytes(parser.copyTerm(position)));
                }
            }
            rows.endRow();
        }

        /** Returns a better error for a file that looks like another format, else the given error. */
        private FormatException explainError(FormatException e) throws IOException {
            if (statements > 0 || !knowsLines) {
                return e;
            }
            try (InputStream in = HadoopFiles.openFile(part.toPath(), hadoop)) {
                byte[] head = in.readNBytes(HEAD_BYTES);
                return e.of(SniffedFormat.of(head, 0, head.length), SniffedFormat.NQUADS, FORMAT);
            }
        }

        private FormatException withLocation(TermSyntaxException e, Text text) {
            return FormatException.inText(FORMAT, part.toPath().toString(), knowsLines ? line : 0,
                    NQuadsParser.columnOf(text.getBytes(), 0, e.offset()), lines.offset() + e.offset(), e.found(), e.advice());
        }
    }
}
