package io.jellybridge.convert;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.files.BadStatements;
import java.io.IOException;

/** A source of the readable statements of a file, which writes the unreadable ones to {@link BadStatements}. */
final class TolerantSource implements StatementSource<byte[]> {
    private final StatementSource<byte[]> source;
    private final String file;
    private final BadStatements bad;
    /** Null if the source itself writes its bad statements there. */
    private final StatementCheck check;
    private long good;

    /**
     * Creates a source.
     *
     * @param source N-Quads, Jelly, or RIOT with the same {@code bad}
     * @param file   the name of the file in errors
     */
    TolerantSource(StatementSource<byte[]> source, String file, ConvertOptions options, BadStatements bad) {
        this.source = source;
        this.file = file;
        this.bad = bad;
        this.check = source instanceof JellySource ? new StatementCheck(source, options) : null;
        if (source instanceof NQuadsSource lines) {
            lines.onFault(fault -> bad.add(fault, lines.line()));
        }
    }

    @Override
    public boolean next(RdfHandler<byte[]> handler) throws IOException {
        boolean more = source.next(new Kept(handler));
        if (!more) {
            bad.endFile(file, good);
        }
        return more;
    }

    private final class Kept extends ForwardingRdfHandler<byte[]> {

        Kept(RdfHandler<byte[]> target) {
            super(target);
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            FormatException fault = check == null ? null : check.fault(subject, predicate, object, graph);
            if (fault != null) {
                bad.add(fault, BadStatements.text(subject, predicate, object, graph));
                return;
            }
            good++;
            super.statement(subject, predicate, object, graph);
        }
    }

    @Override
    public FormatException error(String rule, String found, String advice) {
        return source.error(rule, found, advice);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
