package io.jellybridge.jena.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.TextDirection;
import org.apache.jena.rdfpatch.RDFPatch;
import org.apache.jena.rdfpatch.RDFPatchOps;
import org.apache.jena.rdfpatch.changes.RDFChangesCollector;
import org.apache.jena.sparql.core.Quad;
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
        try (ThriftPatchWriter writer = new ThriftPatchWriter(new ByteArrayOutputStream(), "out.trp")) {
            Node literal = NodeFactory.createLiteralDirLang("x", "ar", TextDirection.RTL);
            Node nested = NodeFactory.createTripleTerm(S, P, literal);
            for (Node object : new Node[] {literal, nested}) {
                FormatException e = assertThrows(FormatException.class,
                        () -> writer.statement(Op.A, S, P, object, null));
                assertTrue(e.getMessage().contains("out.trp") && e.getMessage().contains("base direction"), e.getMessage());
            }
        }
    }

    @Test
    void aLangStringWithoutALanguageIsRefusedSinceJenaWouldWriteAPlainString() throws IOException {
        try (ThriftPatchWriter writer = new ThriftPatchWriter(new ByteArrayOutputStream(), "out.trp")) {
            Node literal = NodeFactory.createLiteralDT("x", RDF.dtLangString);
            FormatException e = assertThrows(FormatException.class, () -> writer.header(new byte[0], literal));
            assertTrue(e.getMessage().contains("out.trp") && e.getMessage().contains("rdf:langString"), e.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource({"TX TX, P-102", "TC, P-101", "TX TA TA, P-101", "TX Z, P-104", "TX, P-105"})
    void transactionsBalanceInWriting(String ops, String rule) {
        FormatException e = assertThrows(FormatException.class, () -> {
            try (ThriftPatchWriter writer = new ThriftPatchWriter(new ByteArrayOutputStream(), null)) {
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

    private static byte[] sample() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ThriftPatchWriter writer = new ThriftPatchWriter(bytes, null)) {
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
