package io.jellybridge.spark;

import io.jellybridge.codec.CanonicalBuffer;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A writer of rows as canonical N-Quads, one line each. It rejects a row with an invalid term, or a term at a wrong position,
 * and writes nothing of it.
 */
final class NQuadsRowWriter implements RowWriter {
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
