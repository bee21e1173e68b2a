package io.jellybridge.jena.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermRules;
import io.jellybridge.jena.TestPatches;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.jena.datatypes.BaseDatatype;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.TextDirection;
import org.apache.jena.rdfpatch.RDFPatch;
import org.apache.jena.rdfpatch.RDFPatchOps;
import org.apache.jena.rdfpatch.changes.RDFChangesCollector;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.vocabulary.RDF;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThriftPatchTest {
    private static final Node S = NodeFactory.createURI("http://example.org/s");
    private static final Node P = NodeFactory.createURI("http://example.org/p");
    private static final Node B = NodeFactory.createBlankNode("b 0");
    private static final Node TERM = NodeFactory.createTripleTerm(S, P, NodeFactory.createLiteralLang("x", "en"));

    @Test
    void whatJenaWritesIsReadAsItWas() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RDFChangesCollector collector = new RDFChangesCollector();
        collector.header("id", S);
        collector.txnBegin();
        collector.add(null, S, P, B);
        collector.delete(Quad.defaultGraphIRI, S, P, TERM);
        collector.addPrefix(S, "ex", "http://example.org/");
        collector.deletePrefix(null, "ex");
        collector.txnAbort();
        RDFPatchOps.writeBinary(bytes, collector.getRDFPatch());
        assertEquals(List.of("H id " + S, "TX", "A " + S + " " + P + " " + B + " null",
                "D " + S + " " + P + " " + TERM + " " + Quad.defaultGraphIRI, "PA ex http://example.org/ " + S,
                "PD ex null null", "TA", "---"), read(bytes.toByteArray()));
    }

    @Test
    void whatIsWrittenJenaReadsAsItWas() throws IOException {
        RDFPatch patch = RDFPatchOps.readBinary(new ByteArrayInputStream(sample()));
        assertEquals(S, patch.header().get("id"));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        RDFPatchOps.write(text, patch);
        assertTrue(text.toString(UTF_8).contains("<_:b 0>"), text.toString(UTF_8));
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        assertEquals(List.of("H id " + S, "TX", "PA ex " + P + " null", "A " + S + " " + P + " " + B + " " + S,
                "D " + B + " " + P + " " + TERM + " null", "TC", "---"), read(sample()));
        Node empty = NodeFactory.createLiteralString("");
        byte[] more = written(writer -> {
            writer.prefix(Op.PD, "ex".getBytes(UTF_8), S, B);
            assertEquals(1, assertThrows(FormatException.class, () -> writer.transaction(Op.TC)).row());
            writer.endPatch();
            writer.endPatch();
            writer.prefix(Op.PA, "ex".getBytes(UTF_8), S, Quad.defaultGraphNodeGenerated);
            writer.statement(Op.A, S, P, empty, null);
            writer.statement(Op.D, S, P, TERM, B);
        });
        assertEquals(List.of("PD ex null " + B, "---", "---", "PA ex " + S + " null",
                "A " + S + " " + P + " " + empty + " null", "D " + S + " " + P + " " + TERM + " " + B, "---"), read(more));
    }

    @Test
    void whatIsNoDataIsRefusedInEveryPlaceAndLeavesNoTrace() throws IOException {
        Node variable = Var.alloc("v");
        Node spaced = NodeFactory.createURI("http://example.org/a b");
        Node relative = NodeFactory.createURI("a");
        Node literal = NodeFactory.createLiteralString("x");
        Node tagged = NodeFactory.createLiteralLang("x", "abcdefghi");
        Node typed = NodeFactory.createLiteralDT("x", new BaseDatatype("a"));
        byte[] ex = "ex".getBytes(UTF_8);
        List<Long> rows = new ArrayList<>();
        byte[] bytes = written(writer -> {
            writer.statement(Op.A, S, P, S, null);
            writer.endPatch();
            writer.statement(Op.A, S, P, P, null);
            for (Runnable refused : List.<Runnable>of(() -> writer.statement(Op.A, variable, P, S, null),
                    () -> writer.statement(Op.A, S, variable, S, null), () -> writer.statement(Op.D, S, P, variable, null),
                    () -> writer.statement(Op.A, S, P, S, variable), () -> writer.statement(Op.A, S, P, null, null),
                    () -> writer.statement(Op.A, S, P, NodeFactory.createTripleTerm(variable, P, S), null),
                    () -> writer.statement(Op.A, S, P, NodeFactory.createTripleTerm(S, variable, S), null),
                    () -> writer.header("h".getBytes(UTF_8), variable),
                    () -> writer.statement(Op.A, spaced, P, S, null), () -> writer.statement(Op.A, S, relative, S, null),
                    () -> writer.statement(Op.A, S, P, tagged, null), () -> writer.statement(Op.D, S, P, typed, null),
                    () -> writer.statement(Op.A, S, P, S, spaced), () -> writer.header("h".getBytes(UTF_8), relative),
                    () -> writer.statement(Op.A, literal, P, S, null), () -> writer.statement(Op.A, S, B, S, null),
                    () -> writer.statement(Op.A, S, TERM, S, null), () -> writer.statement(Op.A, S, P, S, literal),
                    () -> writer.statement(Op.A, S, P, S, TERM),
                    () -> writer.statement(Op.A, S, P, NodeFactory.createTripleTerm(S, P, spaced), null),
                    () -> writer.prefix(Op.PA, "a b".getBytes(UTF_8), S, null), () -> writer.prefix(Op.PD, "a:".getBytes(UTF_8), null, null),
                    () -> writer.prefix(Op.PA, ex, spaced, null), () -> writer.prefix(Op.PD, ex, relative, null),
                    () -> writer.prefix(Op.PD, ex, B, null), () -> writer.prefix(Op.PA, ex, S, literal),
                    () -> writer.prefix(Op.PA, ex, null, null), () -> writer.prefix(Op.PA, ex, B, null),
                    () -> writer.transaction(Op.TC))) {
                rows.add(assertThrows(FormatException.class, refused::run).row());
            }
            writer.header("h".getBytes(UTF_8), S);
            rows.add(assertThrows(FormatException.class, () -> writer.transaction(Op.TA)).row());
        });
        // after a statement, the end of a patch and a statement; the last after a header too
        assertEquals(Stream.concat(Collections.nCopies(29, 3L).stream(), Stream.of(4L)).toList(), rows);
        assertEquals(List.of("A " + S + " " + P + " " + S + " null", "---", "A " + S + " " + P + " " + P + " null",
                "H h " + S, "---"), read(bytes));
    }

    @Test
    void generalizedStatementsAndRelativeIrisAreWrittenIfTheyAreAllowed() throws IOException {
        Node relative = NodeFactory.createURI("a");
        Node literal = NodeFactory.createLiteralString("x");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ThriftPatchWriter writer = new ThriftPatchWriter(bytes, null, TermRules.RELATIVE_IRIS, true)) {
            writer.statement(Op.A, literal, B, relative, literal);
            writer.statement(Op.D, S, TERM, B, relative);
        }
        assertEquals(List.of("A " + literal + " " + B + " " + relative + " " + literal,
                "D " + S + " " + TERM + " " + B + " " + relative, "---"), read(bytes.toByteArray()));
    }

    @Test
    void anOutputThatFailsIsNamed() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("the disk is full");
            }
        };
        for (String file : new String[] {"out.trp", null}) {
            ThriftPatchWriter writer = writer(full, file);
            UncheckedIOException failure = assertThrows(UncheckedIOException.class, () -> {
                for (int i = 0; i < 10_000; i++) {
                    writer.statement(Op.A, S, P, B, null);
                }
            });
            assertEquals("can't write" + (file == null ? "" : " out.trp") + ": the disk is full", failure.getMessage());
            assertThrows(IOException.class, writer::close);
        }
    }

    /** Behind more bytes than are read at a time: the number of rows, and where the bad one begins. */
    @Test
    void anErrorSaysWhichRowItIsAndWhereItBegins() throws IOException {
        for (int rows : new int[] {0, 3, 5_000}) {
            byte[] good = written(writer -> {
                for (int i = 0; i < rows; i++) {
                    writer.header("h".getBytes(UTF_8), S);
                }
            });
            // A row of a kind that is not known; without looking at it one could take it for the one before.
            byte[] damaged = Arrays.copyOf(good, good.length + 2);
            damaged[good.length] = (byte) 0xf1;
            FormatException refused = assertThrows(FormatException.class, () -> read(damaged));
            assertEquals("P-07", refused.rule());
            assertEquals(List.of(rows == 0 ? 0L : rows + 1L, (long) good.length), List.of(refused.row(), refused.offset()));
            assertTrue(refused.getMessage().contains("in.trp"), refused.getMessage());
        }
    }

    @Test
    void aStringLongerThanTheLimitIsRefused() throws IOException {
        ReadOptions limit = ReadOptions.DEFAULT.withMaxBytes(1_000, 1_000);
        for (int length : new int[] {1_000, 1_001}) {
            byte[] bytes = written(
                    writer -> writer.statement(Op.A, S, P, NodeFactory.createLiteralString("x".repeat(length)), null));
            try (ThriftPatchReader reader = new ThriftPatchReader(new ByteArrayInputStream(bytes), "in.trp", limit)) {
                if (length == 1_000) {
                    reader.readAll(new PatchAdapter<>());
                    assertEquals(1, reader.numbers().patches());
                } else {
                    FormatException refused =
                            assertThrows(FormatException.class, () -> reader.readAll(new PatchAdapter<>()));
                    assertEquals("P-126", refused.rule());
                    assertTrue(refused.getMessage().contains("a string of 1001 bytes, above the limit of 1000"),
                            refused.getMessage());
                }
            }
        }
    }

    @Test
    void aRowLongerThanTheLimitIsRefused() throws IOException {
        Node literal = NodeFactory.createLiteralString("x".repeat(200));
        Node triple = NodeFactory.createTripleTerm(S, P, literal);
        byte[] bytes = written(writer -> {
            for (int i = 0; i < 10; i++) {
                writer.statement(Op.A, S, P, literal, null);
            }
            writer.statement(Op.A, triple, P, triple, null);
        });
        ReadOptions limit = ReadOptions.DEFAULT.withMaxFrameBytes(500);
        try (ThriftPatchReader reader = new ThriftPatchReader(new ByteArrayInputStream(bytes), "in.trp", limit)) {
            FormatException refused = assertThrows(FormatException.class, () -> reader.readAll(new PatchAdapter<>()));
            assertEquals(List.of("P-126", 10L), List.of(refused.rule(), refused.row()));
            assertTrue(refused.getMessage().contains("a row of more than 500 bytes") && refused.getMessage().contains("raise maxFrameBytes"),
                    refused.getMessage());
        }
    }

    @Test
    void aLiteralThatJenaFailsOnSaysWhereItIs() throws IOException {
        for (Node object : new Node[] {TestPatches.LONG_TIME, NodeFactory.createTripleTerm(S, P, TestPatches.LONG_TIME)}) {
            byte[] bytes = written(writer -> {
                writer.header("h".getBytes(UTF_8), S);
                writer.statement(Op.A, S, P, object, null);
            });
            if (TestPatches.isLongTimeParsed()) {
                assertEquals(3, read(bytes).size());
                continue;
            }
            FormatException refused = assertThrows(FormatException.class, () -> read(bytes));
            assertEquals("term", refused.rule());
            assertTrue(refused.row() == 1 && refused.getMessage().contains("nine decimals"), refused.getMessage());
        }
    }

    @Test
    void anotherFormatIsCalledByItsName() {
        FormatException refused = assertThrows(FormatException.class,
                () -> read("TX .\nA <urn:s> <urn:p> <urn:o> .\nTC .\n".getBytes(UTF_8)));
        assertTrue(refused.getMessage().contains("RDF Patch"), refused.getMessage());
    }

    @Test
    void closingTheReaderClosesItsInput() throws IOException {
        boolean[] closed = new boolean[1];
        ByteArrayInputStream in = new ByteArrayInputStream(sample()) {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        try (ThriftPatchReader reader = new ThriftPatchReader(in, null, ReadOptions.DEFAULT)) {
            assertTrue(reader.next(new PatchAdapter<>()));
        }
        assertTrue(closed[0]);
    }

    /** Jena reads all of these without a word. */
    @Test
    void aCutIsAnErrorExceptBetweenTwoRowsOutsideOfATransaction() throws IOException {
        byte[] whole = sample();
        List<Integer> unseen = new ArrayList<>();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            try {
                read(cut);
                unseen.add(length);
            } catch (FormatException e) {
                assertTrue(List.of("P-125", "P-105").contains(e.rule()), e.getMessage());
                assertTrue(e.offset() <= length, e.getMessage());
            }
        }
        // nothing at all, after the header, after the transaction
        assertEquals(3, unseen.size());
    }

    @Test
    void damagedBytesEndInOurErrorAndNeverInAnother() throws IOException {
        byte[] whole = sample();
        Random random = new Random(3);
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = whole.clone();
            for (int n = 0; n <= random.nextInt(3); n++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                read(damaged);
            } catch (FormatException e) {
                assertTrue(e.rule() != null);
            }
        }
    }

    @Test
    void aLiteralWithABaseDirectionIsRefusedSinceJenaCouldNotReadItBack() throws IOException {
        try (ThriftPatchWriter writer = writer(new ByteArrayOutputStream(), "out.trp")) {
            Node literal = NodeFactory.createLiteralDirLang("x", "ar", TextDirection.RTL);
            Node nested = NodeFactory.createTripleTerm(S, P, literal);
            Node inSubject = NodeFactory.createTripleTerm(nested, P, S);
            Node inPredicate = NodeFactory.createTripleTerm(S, literal, S);
            for (Node object : new Node[] {literal, nested, inSubject, inPredicate}) {
                FormatException e = assertThrows(FormatException.class,
                        () -> writer.statement(Op.A, S, P, object, null));
                assertTrue(e.getMessage().contains("out.trp") && e.getMessage().contains("base direction"), e.getMessage());
            }
        }
    }

    @Test
    void aLangStringWithoutALanguageIsRefusedSinceJenaWouldWriteAPlainString() throws IOException {
        try (ThriftPatchWriter writer = writer(new ByteArrayOutputStream(), "out.trp")) {
            Node literal = NodeFactory.createLiteralDT("x", RDF.dtLangString);
            FormatException e = assertThrows(FormatException.class, () -> writer.header(new byte[0], literal));
            assertTrue(e.getMessage().contains("out.trp") && e.getMessage().contains("rdf:langString"), e.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({"TX TX, P-102", "TC, P-101", "TX TA TA, P-101", "TX Z, P-104", "TX, P-105"})
    void transactionsBalanceInWriting(String ops, String rule) {
        FormatException e = assertThrows(FormatException.class, () -> {
            try (ThriftPatchWriter writer = writer(new ByteArrayOutputStream(), null)) {
                try {
                    for (String op : ops.split(" ")) {
                        if (op.equals("Z")) {
                            writer.endPatch();
                        } else {
                            writer.transaction(Op.valueOf(op));
                        }
                    }
                } catch (FormatException first) {
                    throw FormatException.inStream(first.rule(), null, 0, 0, 0, "", "");
                }
            }
        });
        assertEquals(rule, e.rule());
    }

    private static ThriftPatchWriter writer(OutputStream out, String file) {
        return new ThriftPatchWriter(out, file, TermRules.RDF, false);
    }

    private static byte[] written(Consumer<ThriftPatchWriter> rows) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ThriftPatchWriter writer = writer(bytes, null)) {
            rows.accept(writer);
        }
        return bytes.toByteArray();
    }

    private static byte[] sample() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ThriftPatchWriter writer = writer(bytes, null)) {
            writer.header("id".getBytes(UTF_8), S);
            writer.transaction(Op.TX);
            writer.prefix(Op.PA, "ex".getBytes(UTF_8), P, null);
            writer.statement(Op.A, S, P, B, S);
            writer.statement(Op.D, B, P, TERM, Quad.defaultGraphIRI);
            writer.transaction(Op.TC);
        }
        return bytes.toByteArray();
    }

    private static List<String> read(byte[] bytes) throws IOException {
        List<String> events = new ArrayList<>();
        try (ThriftPatchReader reader =
                new ThriftPatchReader(new ByteArrayInputStream(bytes), "in.trp", ReadOptions.DEFAULT)) {
            reader.readAll(new PatchHandler<>() {
                @Override
                public void header(byte[] key, Node value) {
                    events.add("H " + new String(key, UTF_8) + " " + value);
                }

                @Override
                public void transaction(Op op) {
                    events.add(op.name());
                }

                @Override
                public void prefix(Op op, byte[] name, Node namespace, Node graph) {
                    events.add(op + " " + new String(name, UTF_8) + " " + namespace + " " + graph);
                }

                @Override
                public void statement(Op op, Node subject, Node predicate, Node object, Node graph) {
                    events.add(op + " " + subject + " " + predicate + " " + object + " " + graph);
                }

                @Override
                public void endPatch() {
                    events.add("---");
                }
            });
        }
        return events;
    }
}
