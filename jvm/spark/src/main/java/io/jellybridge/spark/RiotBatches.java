package io.jellybridge.spark;

import static io.jellybridge.spark.StatementColumns.GRAPH;
import static io.jellybridge.spark.StatementColumns.OBJECT;
import static io.jellybridge.spark.StatementColumns.PREDICATE;
import static io.jellybridge.spark.StatementColumns.SUBJECT;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.jena.riot.RiotStatements;
import java.io.IOException;
import org.apache.spark.unsafe.types.UTF8String;

/** The statements of one file in a syntax that RIOT reads, as batches. */
final class RiotBatches extends FileBatches implements RdfHandler<byte[]> {
    private final RiotStatements statements;

    private long read;

    /**
     * @param bad the file for bad statements; null to throw an error for the first one
     */
    RiotBatches(RiotStatements statements, String file, RowBatch rows, BadPart bad) {
        super(statements, file, rows, bad);
        this.statements = statements;
    }

    @Override
    boolean readOn() throws IOException {
        boolean more = statements.next(this);
        if (!more) {
            endBad(read);
        }
        return more;
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        rows.text(SUBJECT, UTF8String.fromBytes(subject));
        rows.text(PREDICATE, UTF8String.fromBytes(predicate));
        rows.text(OBJECT, UTF8String.fromBytes(object));
        rows.text(GRAPH, graph == null ? null : UTF8String.fromBytes(graph));
        rows.endRow();
        read++;
    }
}
