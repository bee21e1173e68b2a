package io.jellybridge.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.Causes;
import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PrefixNames;
import io.jellybridge.codec.TermPosition;
import io.jellybridge.codec.TermSource;
import io.jellybridge.codec.TransactionGrammar;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Writes RDF Patch text in the canonical form, which every dialect reads: one row a line, {@code PA "p" <iri> .},
 * {@code <_:label>} for blank nodes, {@code TX .}, {@code <<( s p o )>>}, datatypes written out but for {@code
 * xsd:string}. Language tags stay as they come. What {@code <…>} can't hold is escaped as {@code \}{@code uXXXX},
 * in labels too; our reader and Jena's undo it.
 *
 * <p>Two things the text has no place for. The namespace of a {@code PD} row is left out: after a quoted prefix,
 * readers take what follows for the graph. And the default graph is no graph at all, so quads in it read back as
 * triples.
 *
 * <p>Patches: with {@linkplain RdfPatchWriteOptions#marks() marks}, {@code Z .} stands between them, so that all of them
 * come back; behind the last one it stands where that is empty, and nowhere else, so that the text of one patch is read by
 * those who know no marks, such as RDFLib. {@link #close()} ends the patch whose rows were not ended yet. Without marks, the
 * text is one patch, and a second one is refused, never merged; if that one is empty, so is the text. A header {@code id} or
 * {@code prev} behind a transaction of its patch is refused, since readers take it for the beginning of the next patch.
 *
 * <p>A call with what RDF Patch has no place for is refused with a {@link FormatException}, whose line is the
 * one that the row would have become, and the stream is then as if it had not been made: the next call may go on.
 * After an I/O error (an {@link UncheckedIOException}) nothing more is written. For one thread.
 *
 * @param <T> what a term is
 */
public final class RdfPatchWriter<T> implements PatchHandler<T>, Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte[] MARK = "Z .\n".getBytes(US_ASCII);

    private final OutputStream target;
    /** What goes to the target, collected. */
    private final OutputStream out;
    private final String file;
    private final RdfPatchWriteOptions options;
    private final RdfPatchRow<T> row;

    private final ChangeCounter numbers = new ChangeCounter();
    private final TransactionGrammar transactions =
            TransactionGrammar.ofWriter(numbers, "text", (rule, found, advice) -> refuse(found, advice));
    private long lines;
    /** Whether a patch has ended whose mark is not written yet, */
    private boolean markDue;
    /** and whether it has no rows, so that nothing else shows it. */
    private boolean markNeeded;
    private boolean broken;
    private boolean closed;

    /**
     * @param out     where to; closed by {@link #close()}
     * @param file    what errors call it; may be null
     * @param terms   takes the terms apart
     * @param options whether patches have marks, and what is let out
     */
    public RdfPatchWriter(OutputStream out, String file, TermSource<T> terms, RdfPatchWriteOptions options) {
        this.target = out;
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
        this.file = file;
        this.options = options;
        this.row = new RdfPatchRow<>(terms, options, this::refuse);
    }

    /** How many patches were ended so far. */
    public long patches() {
        return numbers.patches();
    }

    /** How many change rows were written so far. */
    public long rows() {
        return numbers.row() + 1;
    }

    @Override
    public void header(byte[] key, T value) {
        begin("H");
        transactions.checkHeader(key);
        row.key(key);
        row.term(TermPosition.HEADER_VALUE, value);
        end(Op.H);
    }

    @Override
    public void transaction(Op op) {
        begin(op.name());
        transactions.check(op);
        end(op);
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        begin(op.name());
        if (op == Op.PD && namespace != null) {
            row.term(TermPosition.NAMESPACE, namespace);
            row.begin(op.name()); // checked, as for every writer, but left out
        }
        int fault = PrefixNames.firstFault(name);
        if (fault >= 0) {
            throw refuse(PrefixNames.describeFault(name, fault), PrefixNames.ADVICE);
        }
        row.string(name);
        if (op == Op.PA) {
            row.term(TermPosition.NAMESPACE, namespace);
        }
        row.graph(graph);
        end(op);
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        begin(op.name());
        row.term(TermPosition.SUBJECT, subject);
        row.term(TermPosition.PREDICATE, predicate);
        row.term(TermPosition.OBJECT, object);
        row.graph(graph);
        end(op);
    }

    @Override
    public void endPatch() {
        checkUsable();
        transactions.checkPatchEnd();
        checkNotFull();
        try {
            writeMark();
        } catch (IOException e) {
            throw failed(e);
        }
        markDue = options.marks();
        markNeeded = !numbers.patchHasRows();
        numbers.countPatchEnd();
    }

    /** Writes the mark of the patch that has ended, before what follows it. */
    private void writeMark() throws IOException {
        if (markDue) {
            markDue = false;
            out.write(MARK);
            lines++;
        }
    }

    /**
     * Ends the patch whose rows were not ended yet, writes what is left and closes the stream. Closes it on every
     * path.
     *
     * @throws FormatException a transaction is open: what was written is not a whole text
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
            throw Causes.unwrapped(e);
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
            throw Causes.cannotWrite(file, e);
        }
    }

    private void begin(String code) {
        checkUsable();
        checkNotFull();
        row.begin(code);
    }

    private void end(Op op) {
        write();
        numbers.count(op);
    }

    private void write() {
        try {
            writeMark();
            row.writeTo(out);
        } catch (IOException e) {
            throw failed(e);
        }
        lines++;
    }

    private UncheckedIOException failed(IOException e) {
        broken = true;
        return Causes.cannotWrite(file, e);
    }

    private void checkUsable() {
        if (closed || broken) {
            throw new IllegalStateException(closed ? "the writer is closed" : "the writer is broken by an I/O error");
        }
    }

    private void checkNotFull() {
        if (!options.marks() && numbers.patches() > 0) {
            throw refuse("a second patch for a text without marks, which is one patch", "write with marks");
        }
    }

    private FormatException refuse(String found, String advice) {
        return FormatException.inText(RdfPatchText.FORMAT, file, lines + (markDue ? 2 : 1), 0, -1, found, advice);
    }
}
