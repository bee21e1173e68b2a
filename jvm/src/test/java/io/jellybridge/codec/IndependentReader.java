package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.util.List;

/** The independent reader of Jelly-Patch. Reads to {@link Recorder} lines. */
final class IndependentReader extends IndependentStream {
    static final Descriptor FRAME = descriptor("RdfPatchFrame");

    private final Recorder recorder = new Recorder();

    private IndependentReader(boolean ofOurs) {
        super(ofOurs);
    }

    /** Reads a stream and checks the producer's rules; the events. */
    static List<String> read(byte[] stream, boolean delimited) {
        return read(stream, delimited, true);
    }

    /** @param ofOurs whether it is to keep what only we promise */
    static List<String> read(byte[] stream, boolean delimited, boolean ofOurs) {
        IndependentReader reader = new IndependentReader(ofOurs);
        reader.readFrames(frames(FRAME, stream, delimited));
        if (reader.streamType().equals("FLAT")) {
            reader.recorder.endPatch();
        }
        return reader.recorder.lines;
    }

    /** Reads frames as if nothing came before them, and as if more may follow; the events. */
    static List<String> readPart(List<? extends Message> frames) {
        IndependentReader reader = new IndependentReader(true);
        reader.readFrames(frames);
        return reader.recorder.lines;
    }

    private void readFrames(List<? extends Message> frames) {
        for (Message frame : frames) {
            readFrame(frame);
            if (streamType().equals("FRAME")) {
                recorder.endPatch();
            }
        }
        assertTrue(options != null, "P-40: options, also in an empty stream");
    }

    private String streamType() {
        return enumName("stream_type").replace("PATCH_STREAM_TYPE_", "");
    }

    private boolean triples() {
        return enumName("statement_type").equals("PATCH_STATEMENT_TYPE_TRIPLES");
    }

    @Override
    void readOptions() {
        assertEquals(1, number(options, "version"), "P-56: version 1");
    }

    @Override
    void readRow(String kind, Message row, boolean lastOfFrame) {
        switch (kind) {
            case "statement_add" -> statement(Op.A, row);
            case "statement_delete" -> statement(Op.D, row);
            case "namespace_add" -> prefix(Op.PA, row);
            case "namespace_delete" -> prefix(Op.PD, row);
            case "transaction_start" -> recorder.transaction(Op.TX);
            case "transaction_commit" -> recorder.transaction(Op.TC);
            case "transaction_abort" -> recorder.transaction(Op.TA);
            case "header" -> recorder.header(string(row, "key").getBytes(UTF_8), required(row, "value"));
            case "punctuation" -> {
                assertEquals("PUNCTUATED", streamType(), "P-14, P-18: no mark elsewhere");
                assertTrue(!ofOurs || lastOfFrame, "P-21: a mark is the last row of its frame");
                recorder.endPatch();
            }
            default -> throw new AssertionError("row kind " + kind);
        }
    }

    private void statement(Op op, Message row) {
        byte[][] triple = triple(row);
        recorder.statement(op, triple[0], triple[1], triple[2], graphOfRow(row));
    }

    private void prefix(Op op, Message row) {
        byte[] namespace = optional(row, "value");
        assertTrue(op == Op.PD || namespace != null, "P-87: PA has a namespace");
        recorder.prefix(op, string(row, "name").getBytes(UTF_8), namespace, graphOfRow(row));
    }

    private byte[] graphOfRow(Message row) {
        if (triples()) {
            assertTrue(member(row, "graph") == null, "P-33, P-34: no graph in a TRIPLES stream");
            return null;
        }
        return repeatedGraph(row);
    }
}
