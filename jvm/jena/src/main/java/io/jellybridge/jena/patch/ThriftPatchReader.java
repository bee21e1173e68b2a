package io.jellybridge.jena.patch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.NumberedEvents;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.SniffedFormat;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.nodes.Utf8Thrift;
import java.io.IOException;
import java.io.InputStream;
import java.util.IllegalFormatException;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.rdfpatch.binary.RDFPatchReaderBinary;
import org.apache.jena.riot.thrift.wire.Patch_Data_Add;
import org.apache.jena.riot.thrift.wire.Patch_Data_Del;
import org.apache.jena.riot.thrift.wire.Patch_Prefix_Add;
import org.apache.jena.riot.thrift.wire.Patch_Prefix_Del;
import org.apache.jena.riot.thrift.wire.RDF_Patch_Row;
import org.apache.jena.riot.thrift.wire.RDF_Term;
import org.apache.jena.riot.thrift.wire.RDF_Triple;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sys.JenaSystem;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Reads RDF Patch in Jena's binary form, RDF Thrift, row by row. Jena creates the terms, and normalizes the case of language
 * tags.
 *
 * <p>The format has no start, no end, no lengths and no checksum, and Jena accepts an end anywhere. Here these are errors: the
 * end within a row (P-125) or within a transaction (P-105), a row of no kind (P-07), the end of a patch within a transaction
 * (P-104), {@code TX} in a transaction (P-102), {@code TC} or {@code TA} outside of one (P-101). Two faults can't be detected:
 * a stream that was cut between two rows outside of a transaction, and a changed string that is still UTF-8.
 * <p>A {@code Segment} ends a patch. Rows after the last one are a patch too, so a stream without one is one patch; a stream
 * without rows has no patch. Both of Jena's names for the default graph, and no graph, are passed on unchanged.
 *
 * <p>Errors are {@link FormatException}s with the rules of Jelly-Patch. Their row counts from the start of the stream,
 * including segments, and their frame is 0. After an error, the reader can only be closed. Not thread-safe.
 */
public final class ThriftPatchReader implements PatchSource<Node> {
    private static final String FORMAT = "RDF Thrift";
    private static final String DAMAGED = "the file is damaged or was cut off; get it again from where it was written";
    private static final String CORRECT_IT = "correct it where the patch is written";

    static {
        JenaSystem.init();
    }

    private final ThriftInput in;
    private final TProtocol protocol;
    private final String file;
    private final ReadOptions limits;
    private final RDF_Patch_Row row = new RDF_Patch_Row();
    private final NumberedEvents<Node> events = NumberedEvents.ofUnmarked("stream", this::newError);
    private long rows;
    private long rowOffset;

    /**
     * Creates a reader.
     *
     * @param in      the stream; closed by {@link #close()}
     * @param file    the name of the stream in errors; may be null
     * @param options the limits; that of a frame limits rows, and the smaller one of frame and term limits strings
     */
    public ThriftPatchReader(InputStream in, String file, ReadOptions options) {
        this.limits = options;
        try {
            this.in = new ThriftInput(in);
        } catch (TTransportException e) {
            throw new IllegalStateException(e); // it opens nothing
        }
        this.protocol = new Utf8Thrift(this.in);
        this.file = file;
    }

    @Override
    public ChangeCounter numbers() {
        return events.numbers();
    }

    /** {@inheritDoc} In Thrift they must balance in any case. */
    @Override
    public void requireBalance() {
        // transactions always balance in Thrift
    }

    @Override
    public FormatException newError(String rule, String found, String advice) {
        return FormatException.inStream(rule, file, 0, Math.max(rows - 1, 0), rowOffset, found, advice);
    }

    @Override
    public void close() throws IOException {
        in.closeStream();
    }

    @Override
    public boolean next(PatchHandler<Node> handler) throws IOException {
        try {
            events.setTarget(handler);
            return readNext();
        } catch (FormatException e) {
            throw e.of(in.sniffFormat(), null, FORMAT);
        }
    }

    private boolean readNext() throws IOException {
        if (events.passOnHeader()) {
            return true;
        }
        rowOffset = in.offset();
        if (in.atEnd()) {
            return events.endStream();
        }
        rows++;
        readRow();
        hand();
        return true;
    }

    private void readRow() throws IOException {
        row.clear();
        try {
            row.read(protocol);
        } catch (FormatException e) {
            throw e; // of a limit
        } catch (TTransportException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw newError("P-125", "the end of the stream within a row", DAMAGED);
        } catch (StackOverflowError e) {
            throw tooDeep();
        } catch (TException | RuntimeException e) {
            // Thrift's generated code throws any unchecked exception for invalid bytes.
            throw newError("P-125", "bytes that are no row (" + e.getMessage() + ")",
                    "check that this is RDF Patch in RDF Thrift; " + DAMAGED);
        }
    }

    private void hand() {
        if (row.isSetDataAdd()) {
            Patch_Data_Add add = row.getDataAdd();
            statement(Op.A, add.getS(), add.getP(), add.getO(), add.isSetG() ? add.getG() : null);
        } else if (row.isSetDataDel()) {
            Patch_Data_Del delete = row.getDataDel();
            statement(Op.D, delete.getS(), delete.getP(), delete.getO(), delete.isSetG() ? delete.getG() : null);
        } else if (row.isSetTxn()) {
            transaction();
        } else if (row.isSetHeader()) {
            Node value = toTerm(row.getHeader().getValue());
            events.header(row.getHeader().getName().getBytes(UTF_8), value);
        } else if (row.isSetPrefixAdd()) {
            Patch_Prefix_Add add = row.getPrefixAdd();
            prefix(Op.PA, add.getPrefix(), NodeFactory.createURI(add.getIriStr()),
                    add.isSetGraphNode() ? add.getGraphNode() : null);
        } else if (row.isSetPrefixDel()) {
            Patch_Prefix_Del delete = row.getPrefixDel();
            prefix(Op.PD, delete.getPrefix(), null, delete.isSetGraphNode() ? delete.getGraphNode() : null);
        } else {
            throw newError("P-07", "a row of no kind that the format has", DAMAGED);
        }
    }

    private void statement(Op op, RDF_Term subject, RDF_Term predicate, RDF_Term object, RDF_Term graph) {
        Node s = toTerm(subject);
        Node p = toTerm(predicate);
        Node o = toTerm(object);
        Node g = graph == null ? null : toTerm(graph);
        events.statement(op, s, p, o, g);
    }

    private void prefix(Op op, String name, Node namespace, RDF_Term graph) {
        Node g = graph == null ? null : toTerm(graph);
        events.prefix(op, name.getBytes(UTF_8), namespace, g);
    }

    private FormatException tooDeep() {
        return limitError("triple terms nested deeper than " + limits.maxNesting(), "maxNesting");
    }

    private FormatException limitError(String found, String option) {
        return newError("P-126", found, "if you trust the file, raise " + option + "; else it is damaged");
    }

    private static boolean isDeeper(RDF_Term term, int levels) {
        if (term == null || !term.isSetTripleTerm()) {
            return false;
        }
        RDF_Triple triple = term.getTripleTerm();
        return levels == 0 || isDeeper(triple.getS(), levels - 1) || isDeeper(triple.getP(), levels - 1)
                || isDeeper(triple.getO(), levels - 1);
    }

    private Node toTerm(RDF_Term term) {
        if (isDeeper(term, limits.maxNesting())) {
            throw tooDeep();
        }
        Node node;
        try {
            node = RDFPatchReaderBinary.fromThrift(term);
        } catch (JenaException | IllegalFormatException e) {
            // Jena's own message for a bad character in a language tag fails with an IllegalFormatException.
            throw newError("term", "a term that Jena does not take (" + e.getMessage() + ")", CORRECT_IT);
        } catch (NumberFormatException e) {
            throw newError("term", "a literal, " + NodeTerms.UNHELD, CORRECT_IT);
        }
        if (!node.isConcrete()) {
            throw newError("term", "the variable " + node + ", which is no data", CORRECT_IT);
        }
        return node;
    }

    private void transaction() {
        switch (row.getTxn()) {
            case TX -> events.transaction(Op.TX);
            case TC -> events.transaction(Op.TC);
            case TA -> events.transaction(Op.TA);
            case Segment -> events.endPatch();
        }
    }

    /**
     * A stream of Thrift structures that knows its position and its end. Thrift's own transport does not distinguish an end
     * between two structures from one within a structure, and applies a limit to the whole stream.
     */
    private final class ThriftInput extends TIOStreamTransport {
        private final InputStream in;
        private final byte[] buffer = new byte[1 << 16];
        private int at;
        private int limit;
        private long bufferOffset;

        /**
         * Creates a stream.
         *
         * @param in the stream; closed by {@link #closeStream()}
         */
        ThriftInput(InputStream in) throws TTransportException {
            super(in);
            this.in = in;
        }

        /** Returns the offset in the stream of the next byte. */
        long offset() {
            return bufferOffset + at;
        }

        /** Checks whether the stream has ended. */
        boolean atEnd() throws IOException {
            return at == limit && !fill();
        }

        /**
         * Guesses the format from the first bytes of the stream. Returns null if these look like no known format, or are gone.
         */
        SniffedFormat sniffFormat() {
            return bufferOffset == 0 ? SniffedFormat.of(buffer, 0, limit) : null;
        }

        private boolean fill() throws IOException {
            int count = in.read(buffer, 0, buffer.length);
            if (count <= 0) {
                return false;
            }
            bufferOffset += limit;
            at = 0;
            limit = count;
            return true;
        }

        void closeStream() throws IOException {
            in.close();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws TTransportException {
            try {
                if (atEnd()) {
                    return 0;
                }
            } catch (IOException e) {
                throw new TTransportException(TTransportException.UNKNOWN, e);
            }
            int count = Math.min(length, limit - at);
            System.arraycopy(buffer, at, bytes, offset, count);
            at += count;
            if (offset() - rowOffset > limits.maxFrameBytes()) {
                throw limitError("a row of more than " + limits.maxFrameBytes() + " bytes", "maxFrameBytes");
            }
            return count;
        }

        /** Checks the size of a string, before memory is allocated for it. */
        @Override
        public void checkReadBytesAvailable(long count) {
            int limit = Math.min(limits.maxFrameBytes(), limits.maxTermBytes());
            if (count < 0 || count > limit) {
                throw limitError("a string of " + count + " bytes, above the limit of " + limit,
                        limits.maxFrameBytes() <= limits.maxTermBytes() ? "maxFrameBytes" : "maxTermBytes");
            }
        }
    }
}
