package io.jellybridge.text;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Look;
import io.jellybridge.codec.NumberedEvents;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.text.RdfPatchTokens.Kind;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads RDF Patch text, row by row, in memory that a token and a buffer take. In which ways it may be written,
 * {@link RdfPatchDialect} says.
 *
 * <p>Strict. Terms are those of N-Triples 1.2, with {@code <_:label>} beside {@code _:label}, and Turtle's numbers
 * and booleans. Triple terms stand as subjects and objects, as in RDF-star. Prefixed names, variables, relative
 * IRIs and generalized RDF are refused; the last two can be let in by {@link RdfPatchReadOptions}. Transactions
 * balance: {@code TX} in a transaction, {@code TC} and {@code TA} outside of one, and one that is open where a
 * patch or the text ends, are errors.
 *
 * <p>A {@code Z} ends a patch. Rows after the last {@code Z} are a patch too, so text without one is one patch;
 * text without rows is none. Text that is cut between two rows outside of a transaction can't be told from a whole
 * one.
 *
 * <p>Graphs: a row without a graph hands over null. Text has no other way to write the default graph, so triples
 * and quads of the default graph are the same in it; Jena's two names for it ({@code <urn:x-arq:DefaultGraph>},
 * {@code …Node}) are read as null too.
 *
 * <p>Errors are {@link FormatException}s. After one, the reader can only be closed. For one thread.
 *
 * @param <T> what a term is
 */
public final class RdfPatchReader<T> implements PatchSource<T> {
    private static final String ROWS = "write one of H, TX, TC, TA, PA, PD, A, D, Z, in capitals";

    private final InputStream in;
    private final String file;
    private final RdfPatchDialect dialect;
    private final RdfPatchTokens tokens;
    private final RdfPatchTermReader<T> terms;
    private final NumberedEvents<T> events =
            new NumberedEvents<>("text", (rule, found, advice) -> rowError(found, advice));

    private long rowLine = 1;
    private long rowColumn = 1;
    private long rowOffset;

    /**
     * @param in      the text, in UTF-8, with a byte order mark or without; closed by {@link #close()}
     * @param file    what errors call it; may be null
     * @param terms   makes the terms
     * @param options the dialect, what is let in, and the limits
     */
    public RdfPatchReader(InputStream in, String file, TermFactory<T> terms, RdfPatchReadOptions options) {
        this.in = in;
        this.file = file;
        this.dialect = options.dialect();
        this.tokens = new RdfPatchTokens(in, file, options.maxTokenBytes());
        this.terms = new RdfPatchTermReader<>(tokens, terms, options);
    }

    @Override
    public ChangeCounter numbers() {
        return events.numbers();
    }

    /** {@inheritDoc} Here they must in any case. */
    @Override
    public void requireBalance() {
        // see above
    }

    /** {@inheritDoc} The rule stands after what was found. */
    @Override
    public FormatException error(String rule, String found, String advice) {
        return rowError(found + " (" + rule + ")", advice);
    }

    private FormatException rowError(String found, String advice) {
        return FormatException.inText(RdfPatchTokens.FORMAT, file, rowLine, rowColumn, rowOffset, found, advice);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** @throws FormatException the text is not RDF Patch */
    @Override
    public boolean next(PatchHandler<T> handler) throws IOException {
        events.to(handler);
        if (events.numbers().row() >= 0) {
            return readNext();
        }
        try {
            return readNext();
        } catch (FormatException e) {
            throw e.of(tokens.look(), Look.RDF_PATCH, RdfPatchTokens.FORMAT);
        }
    }

    private boolean readNext() throws IOException {
        Kind first = tokens.next(false);
        rowLine = tokens.line();
        rowColumn = tokens.column();
        rowOffset = tokens.offset();
        if (first == Kind.END) {
            return events.endStream();
        }
        if (first != Kind.WORD) {
            throw unexpected("where a row should start", ROWS);
        }
        readRow();
        return true;
    }

    private void readRow() throws IOException {
        if (tokens.is("A")) {
            readStatement(Op.A);
        } else if (tokens.is("D")) {
            readStatement(Op.D);
        } else if (tokens.is("TX") || tokens.is("TB") && dialect.tb()) {
            readTransaction(Op.TX);
        } else if (tokens.is("TC")) {
            readTransaction(Op.TC);
        } else if (tokens.is("TA")) {
            readTransaction(Op.TA);
        } else if (tokens.is("H")) {
            readHeader();
        } else if (tokens.is("PA")) {
            readPrefixAdd();
        } else if (tokens.is("PD")) {
            readPrefixDelete();
        } else if (tokens.is("Z")) {
            readMark();
        } else if (tokens.is("TB")) {
            throw unexpected("where a row should start", "write TX, or read with the dialect rdf_delta, jena or auto");
        } else {
            throw unexpected("where a row should start", ROWS);
        }
    }

    private void readStatement(Op op) throws IOException {
        tokens.next(true);
        T subject = terms.term(TermPosition.SUBJECT);
        tokens.next(true);
        T predicate = terms.term(TermPosition.PREDICATE);
        tokens.next(true);
        T object = terms.term(TermPosition.OBJECT);
        tokens.next(false);
        T graph = graphAndEnd();
        events.statement(op, subject, predicate, object, graph);
    }

    private void readTransaction(Op op) throws IOException {
        tokens.next(false);
        requireEnd();
        events.transaction(op);
    }

    private void readHeader() throws IOException {
        tokens.next(false);
        byte[] key = terms.headerKey();
        tokens.next(true);
        T value = terms.term(TermPosition.HEADER_VALUE);
        tokens.next(false);
        requireEnd();
        events.header(key, value);
    }

    private void readPrefixAdd() throws IOException {
        tokens.next(false);
        byte[] name = terms.prefix();
        tokens.next(false);
        T namespace = terms.namespace();
        tokens.next(false);
        T graph = graphAndEnd();
        events.prefix(Op.PA, name, namespace, graph);
    }

    private void readPrefixDelete() throws IOException {
        tokens.next(false);
        boolean bare = terms.isBarePrefix();
        byte[] name = terms.prefix();
        tokens.next(false);
        T namespace = null;
        if (bare && tokens.kind() != Kind.DOT) {
            namespace = terms.namespace();
            tokens.next(false);
        }
        T graph = graphAndEnd();
        events.prefix(Op.PD, name, namespace, graph);
    }

    private void readMark() throws IOException {
        tokens.next(false);
        requireEnd();
        events.endPatch();
    }

    /** Reads the graph, if there is one, and the end of the row. */
    private T graphAndEnd() throws IOException {
        T graph = null;
        if (terms.startsTerm()) {
            graph = terms.term(TermPosition.GRAPH);
            tokens.next(false);
        }
        requireEnd();
        return graph;
    }

    private void requireEnd() {
        if (tokens.kind() != Kind.DOT) {
            throw unexpected("where the row should end", "end each row with ' .', after as many items as its kind has");
        }
    }

    private FormatException unexpected(String where, String advice) {
        return tokens.error(tokens.start(), terms.describe() + " " + where, advice);
    }
}
