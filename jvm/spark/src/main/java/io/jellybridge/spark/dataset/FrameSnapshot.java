package io.jellybridge.spark.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.spark.StatementColumns;
import io.jellybridge.text.NQuadsParser;
import java.util.Iterator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The quads of a DataFrame as a snapshot. The driver fetches one partition at a time. */
public final class FrameSnapshot implements Snapshot {
    private final Dataset<Row> quads;
    private final int[] columns;
    private final NQuadsParser parser = new NQuadsParser(true);

    /**
     * @throws IllegalArgumentException a column of quads is missing or of a wrong type
     */
    public FrameSnapshot(Dataset<Row> quads) {
        this.quads = quads;
        this.columns = StatementColumns.positionsToWrite(quads.schema(), StatementColumns.QUADS, "snapshot", false);
    }

    @Override
    public String name() {
        return "DataFrame";
    }

    @Override
    public void read(RdfHandler<byte[]> handler) {
        for (Iterator<Row> it = quads.toLocalIterator(); it.hasNext(); ) {
            Row row = it.next();
            byte[][] terms = new byte[NQuadsParser.POSITIONS][];
            for (int position = 0; position < terms.length; position++) {
                terms[position] = getTerm(row, position);
            }
            handler.statement(terms[0], terms[1], terms[2], terms[3]);
        }
    }

    /** Returns a term of a row in canonical form; null for the default graph. */
    private byte[] getTerm(Row row, int position) {
        int column = columns[position];
        if (column < 0 || row.isNullAt(column)) {
            if (position == NQuadsParser.GRAPH) {
                return null;
            }
            throw refusalError(position, "null", "leave null for the default graph only", null);
        }
        try {
            parser.parseTerm(position, row.getString(column).getBytes(UTF_8));
        } catch (TermSyntaxException e) {
            throw refusalError(position, e.found() + " at byte " + e.offset() + " of " + e.text(), e.advice(), e);
        }
        return parser.copyTerm(position);
    }

    private IllegalArgumentException refusalError(int position, String what, String advice, Exception cause) {
        String column = StatementColumns.QUADS.fieldNames()[position];
        return new IllegalArgumentException("DataFrame: a row has in column " + column + ": " + what + "; " + advice, cause);
    }
}
