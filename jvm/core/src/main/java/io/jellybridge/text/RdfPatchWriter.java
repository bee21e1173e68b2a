package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermSource;
import io.jellybridge.codec.TransactionGrammar;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Writes RDF Patch text in the canonical form, which every dialect reads. It has one row a line, {@code PA "p" <iri> .}, {@code
 * <_:label>} for blank nodes, {@code TX .}, {@code <<( s p o )>>}, and all datatypes except {@code xsd:string}. Language tags
 * are unchanged. Characters that {@code <…>} can't hold are escaped as {@code \}{@code uXXXX}, in labels too. Our reader and
 * Jena's undo that.
 *
 * <p>The text can't express two things. A {@code PD} row has no namespace, since readers take the item after a quoted prefix
 * for the graph. The default graph is written as no graph, so its quads are read as triples.
 *
 * <p>With {@linkplain RdfPatchWriteOptions#marks() marks}, {@code Z .} stands between patches, so that a reader gets the same
 * patches. It stands after the last patch only if that patch is empty. Programs without support for marks, such as RDFLib, can
 * therefore read the text of one patch. {@link #close()} ends a patch that has rows but was not ended. Without marks, the text
 * is one patch, and a second patch is an error. If the one patch is empty, so is the text. A header {@code id} or {@code prev}
 * after a transaction of its patch is an error, since readers take it for the start of the next patch.
 *
 * <p>A call with something that RDF Patch can't express throws a {@link FormatException} with the line that the row would have
 * had. The stream stays as it was before the call, so writing can continue. After an I/O error (an {@link
 * UncheckedIOException}) nothing more is written. Not thread-safe.
 *
 * @param <T> the type of a term
 */
public final class RdfPatchWriter<T> implements PatchHandler<T>, Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte[] MARK = "Z .\n".getBytes(US_ASCII);

    private final OutputStream target;
    /** The buffered target. */
    private final OutputStream out;
    private final String file;
    private final RdfPatchWriteOptions options;
    private final RdfPatchRow<T> row;

    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions =
            TransactionGrammar.ofWriter(numbers, "text", (rule, found, advice) -> refuseRow(found, advice));
    private long lines;
    /** True if a patch has ended whose mark is not written yet. */
    private boolean markDue;
    /** True if that patch has no rows, so that only a mark can show it. */
    private boolean markNeeded;
    private boolean broken;
    private boolean closed;

    /**
     * Creates a writer.
     *
     * @param out     the target; closed by {@link #close()}
     * @param file    the name of the file in errors; may be null
     * @param terms   takes the terms apart
     * @param options the marks, the allowed extensions and the limit
     */
    public RdfPatchWriter(OutputStream out, String file, TermSource<T> terms, RdfPatchWriteOptions options) {
        this.target = out;
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
        this.file = file;
        this.options = options;
        this.row = new RdfPatchRow<>(terms, options, this::refuseRow);
    }

    /** Returns the number of patches that were ended so far. */
    public long patches() {
        return numbers.patches();
    }

    /** Returns the number of change rows that were written so far. */
    public long rows() {
        return numbers.row() + 1;
    }

    @Override
    public void header(byte[] key, T value) {
        beginRow("H");
        transactions.checkHeader(key);
        row.writeKey(key);
        row.writeTerm(TermPosition.HEADER_VALUE, value);
        endTransaction(Op.H);
    }

    @Override
    public void transaction(Op op) {
        beginRow(op.name());
        transactions.check(op);
        endTransaction(op);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        beginRow(op.name());
        if (op == Op.PD && namespace != null) {
            row.writeTerm(TermPosition.NAMESPACE, namespace);
            row.begin(op.name()); // checked, as in every writer, but not written
        }
        RdfTerms.Fault fault = RdfTerms.prefixFault(name);
        if (fault != null) {
            throw refuseRow(fault.found(), fault.advice());
        }
        row.writeString(name);
        if (op == Op.PA) {
            row.writeTerm(TermPosition.NAMESPACE, namespace);
        }
        row.writeGraph(graph);
        endTransaction(op);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        beginRow(op.name());
        row.writeTerm(TermPosition.SUBJECT, subject);
        row.writeTerm(TermPosition.PREDICATE, predicate);
        row.writeTerm(TermPosition.OBJECT, object);
        row.writeGraph(graph);
        endTransaction(op);
    }

    @Override
    public void endPatch() {
        checkUsable();
        transactions.checkPatchEnd();
        checkNotFull();
        try {
            writeMark();
        } catch (IOException e) {
            throw toFailure(e);
        }
        markDue = options.marks();
        markNeeded = !numbers.patchHasRows();
        numbers.countPatchEnd();
    }

    /** Writes the mark of the ended patch, before anything follows it. */
    private void writeMark() throws IOException {
        if (markDue) {
            markDue = false;
            out.write(MARK);
            lines++;
        }
    }

    /**
     * Ends a patch that was not ended, writes the rest, and closes the stream. The stream is closed in any case.
     *
     * @throws FormatException a transaction is open, so the text is not complete
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        try (target) {
            if (!broken) {
                finish();
            }
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        } finally {
            closed = true;
        }
    }

    private void finish() {
        transactions.checkStreamEnd();
        if (numbers.patchHasRows()) {
            endPatch();
        }
        try {
            if (markNeeded) {
                writeMark();
            }
            out.flush();
        } catch (IOException e) {
            throw ExceptionMessages.cannotWriteError(file, e);
        }
    }

    private void beginRow(String code) {
        checkUsable();
        checkNotFull();
        row.begin(code);
    }

    private void endTransaction(Op op) {
        write();
        numbers.count(op);
    }

    private void write() {
        try {
            writeMark();
            row.writeTo(out);
        } catch (IOException e) {
            throw toFailure(e);
        }
        lines++;
    }

    private UncheckedIOException toFailure(IOException e) {
        broken = true;
        return ExceptionMessages.cannotWriteError(file, e);
    }

    private void checkUsable() {
        if (closed || broken) {
            throw new IllegalStateException(closed ? "the writer is closed" : "the writer is broken by an I/O error");
        }
    }

    private void checkNotFull() {
        if (!options.marks() && numbers.patches() > 0) {
            throw refuseRow("a second patch for a text without marks, which is one patch", "write with marks");
        }
    }

    private FormatException refuseRow(String found, String advice) {
        return FormatException.inText(RdfPatchText.FORMAT, file, lines + (markDue ? 2 : 1), 0, -1, found, advice);
    }
}
