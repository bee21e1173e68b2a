package io.jellybridge.text;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.NumberedEvents;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.TermPosition;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/**
 * Reads RDF Patch text row by row. It needs memory for one token and a buffer only. {@link RdfPatchDialect} lists the accepted
 * forms.
 *
 * <p>Terms are those of N-Triples 1.2, with {@code <_:label>} or {@code _:label} for blank nodes, and Turtle's numbers and
 * booleans. Triple terms are subjects or objects, as in RDF-star. Variables, relative IRIs and generalized RDF are errors;
 * {@link RdfPatchReadOptions} can allow the last two. Transactions must balance. {@code TX} within a transaction is an error,
 * and so are {@code TC} and {@code TA} outside of one. No transaction may be open at the end of a patch or of the text.
 *
 * <p>A {@code Z} ends a patch. So does a header {@code id} or {@code prev} after a transaction, as in the logs that Jena
 * writes. Rows after the last {@code Z} are a patch too, so text without {@code Z} is one patch. Text without rows is no patch.
 * Text that was cut between two rows outside of a transaction looks complete. If text ends within a transaction, the error
 * {@linkplain FormatException#wholeBytes() says} how many bytes are complete, since the text may still be being written.
 *
 * <p>The reader passes null as the graph of a row without a graph. Text has no other form for the default graph, so triples and
 * quads of the default graph are the same in it. Jena's two names for it ({@code <urn:x-arq:DefaultGraph>}, {@code …Node}) are
 * read as null too.
 *
 * <p>Errors are {@link FormatException}s. After an error, the reader can only be closed. Not thread-safe.
 *
 * @param <T> the type of a term
 */
public final class RdfPatchReader<T> implements PatchSource<T> {
    private static final String ROWS = "write one of H, TX, TC, TA, PA, PD, A, D, Z, in capitals";

    private final InputStream in;
    private final String file;
    private final RdfPatchDialect dialect;
    private final boolean strict;
    private final RdfPatchText text;
    private final RdfPatchTermReader<T> terms;
    private final NumberedEvents<T> events =
            NumberedEvents.ofUnmarked("text", (rule, found, advice) -> unbalancedError(found, advice));

    private Consumer<FormatException> tolerated = fault -> { };
    private long rowLine = 1;
    private long rowColumn = 1;
    private long rowOffset;
    /** The number of bytes up to which the text consists of complete transactions. */
    private long wholeBytes;
    /** True if only headers and a transaction follow these bytes. */
    private boolean transactionFollows = true;
    private boolean ended;

    /**
     * Creates a reader.
     *
     * @param in      the text, in UTF-8, with or without a byte order mark; closed by {@link #close()}
     * @param file    the name of the file in errors; may be null
     * @param terms   creates the terms
     * @param options the dialect, the allowed extensions and the limits
     */
    public RdfPatchReader(InputStream in, String file, TermFactory<T> terms, RdfPatchReadOptions options) {
        this.in = in;
        this.file = file;
        this.dialect = options.dialect();
        this.strict = options.strict();
        this.text = new RdfPatchText(in, file, options.maxTokenBytes(), dialect.turtleForms());
        this.terms = new RdfPatchTermReader<>(text, terms, options);
    }

    @Override
    public ChangeCounter numbers() {
        return events.numbers();
    }

    /** {@inheritDoc} In text they must balance in any case. */
    @Override
    public void requireBalance() {
        // transactions always balance in text
    }

    /** {@inheritDoc} The message has the rule after the finding. */
    @Override
    public FormatException newError(String rule, String found, String advice) {
        return rowError(found + " (" + rule + ")", advice);
    }

    private FormatException rowError(String found, String advice) {
        return FormatException.inText(RdfPatchText.FORMAT, file, rowLine, rowColumn, rowOffset, found, advice);
    }

    /** Sets a listener for tolerated faults. Strict reading throws them instead. */
    public void onWarning(Consumer<FormatException> listener) {
        tolerated = listener;
    }

    private void tolerate(FormatException fault) {
        if (strict) {
            throw fault;
        }
        tolerated.accept(fault);
    }

    /** Creates the error for rows that do not balance. At the end of the text, the rest may still be being written. */
    private FormatException unbalancedError(String found, String advice) {
        transactionFollows &= ended;
        return rowError(found, advice);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /**
     * {@inheritDoc}
     *
     * @throws FormatException the text is not RDF Patch
     */
    @Override
    public boolean next(PatchHandler<T> handler) throws IOException {
        events.setTarget(handler);
        boolean first = events.numbers().row() < 0;
        try {
            return events.passOnHeader() || readNext();
        } catch (FormatException e) {
            if (transactionFollows && (wholeBytes > 0 || events.numbers().transactionOpen()) && text.endsInThisLine()) {
                e.wholeUpTo(wholeBytes);
            }
            throw first ? e.of(text.sniffFormat(), SniffedFormat.RDF_PATCH, RdfPatchText.FORMAT) : e;
        } catch (RdfPatchText.ReadFailure e) {
            throw e.getCause();
        }
    }

    private boolean readNext() {
        text.skipBlank();
        rowLine = text.line();
        rowColumn = text.columnOf();
        rowOffset = text.offset();
        if (text.atEnd()) {
            ended = true;
            return events.endStream();
        }
        if (!text.takeWord()) {
            transactionFollows = false;
            throw unexpectedError("where a row should start", ROWS);
        }
        readRow();
        return true;
    }

    private void readRow() {
        if (text.is("A")) {
            readStatement(Op.A);
        } else if (text.is("D")) {
            readStatement(Op.D);
        } else if (text.is("TX") || text.is("TB") && dialect.tb()) {
            readTransaction(Op.TX);
        } else if (text.is("TC")) {
            readTransaction(Op.TC);
        } else if (text.is("TA")) {
            readTransaction(Op.TA);
        } else if (text.is("H")) {
            readHeader();
        } else if (text.is("PA")) {
            readPrefixAdd();
        } else if (text.is("PD")) {
            readPrefixDelete();
        } else if (text.is("Z")) {
            readMark();
        } else if (text.is("TB")) {
            transactionFollows = false;
            throw unexpectedError("where a row should start", "write TX, or read with the dialect rdf_delta, jena or auto");
        } else {
            transactionFollows &= text.is("T") || text.is("P"); // the start of the last row
            throw unexpectedError("where a row should start", ROWS);
        }
    }

    private void readStatement(Op op) {
        markChange();
        T subject = terms.readTerm(TermPosition.SUBJECT);
        T predicate = terms.readTerm(TermPosition.PREDICATE);
        T object = terms.readTerm(TermPosition.OBJECT);
        T graph = graphAndEnd();
        events.statement(op, subject, predicate, object, graph);
    }

    private void readTransaction(Op op) {
        requireEnd();
        events.transaction(op);
        if (op != Op.TX) {
            markWhole();
        }
    }

    private void readHeader() {
        byte[] key = terms.headerKey();
        T value = terms.readTerm(TermPosition.HEADER_VALUE);
        long line = text.line();
        text.skipBlank();
        if (text.line() > line && text.peek() != '.' && dialect.bareHeaders()) {
            tolerate(rowError("a header row without its dot, as RDFLib writes it", "end the row with ' .'"));
        } else {
            requireEnd();
        }
        events.header(key, value);
    }

    private void readPrefixAdd() {
        markChange();
        text.skipBlank();
        byte[] name = terms.prefix();
        T namespace = terms.namespace();
        text.declarePrefix(name, terms.lastNamespace());
        T graph = graphAndEnd();
        events.prefix(Op.PA, name, namespace, graph);
    }

    private void readPrefixDelete() {
        markChange();
        text.skipBlank();
        boolean bare = text.startsBarePrefix();
        byte[] name = terms.prefix();
        text.skipBlank();
        T namespace = bare && text.peek() != '.' ? terms.namespace() : null;
        T graph = graphAndEnd();
        text.declarePrefix(name, null);
        events.prefix(Op.PD, name, namespace, graph);
    }

    private void readMark() {
        requireEnd();
        events.endPatch();
        markWhole();
    }

    private void markWhole() {
        wholeBytes = text.endOffset();
        transactionFollows = true;
    }

    /** Notes a change. Outside of transactions, further changes may have been cut off without a trace. */
    private void markChange() {
        transactionFollows &= events.numbers().transactionOpen();
    }

    /** Reads the graph, if there is one, and the end of the row. */
    private T graphAndEnd() {
        text.skipBlank();
        T graph = text.startsTerm() || text.startsPrefixedName() ? terms.readTerm(TermPosition.GRAPH) : null;
        requireEnd();
        return graph;
    }

    private void requireEnd() {
        text.skipBlank();
        if (!text.take(".")) {
            throw unexpectedError("where the row should end", "end each row with ' .', after as many items as its kind has");
        }
    }

    private FormatException unexpectedError(String where, String advice) {
        return text.newError(text.start(), text.describe() + " " + where, advice);
    }
}
