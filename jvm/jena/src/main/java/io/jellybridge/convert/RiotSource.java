package io.jellybridge.convert;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.jena.riot.RiotStatements;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** A source of statements from a document in a syntax that RIOT reads. */
final class RiotSource implements StatementSource<byte[]> {
    private final RdfFile file;
    private final RiotStatements statements;

    /** Creates a source. The parameters are those of {@link RiotStatements#RiotStatements}. */
    RiotSource(InputStream in, RdfFile file, String place, TermFactory<byte[]> terms) {
        this.file = file;
        this.statements = new RiotStatements(in, file, place, terms);
    }

    /** Sets a listener as {@link RiotStatements#onWarning} does. */
    void onWarning(Consumer<FormatException> listener) {
        statements.onWarning(listener);
    }

    @Override
    public boolean next(RdfHandler<byte[]> handler) throws IOException {
        return statements.next(handler);
    }

    /** Creates an error without a position, since the parser is ahead of the caller. */
    @Override
    public FormatException error(String rule, String found, String advice) {
        return FormatException.inText(rule, file.name(), 0, 0, -1, found, advice);
    }

    @Override
    public void close() throws IOException {
        statements.close();
    }
}
