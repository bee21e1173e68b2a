package io.jellybridge.jena.patch;

import static io.jellybridge.jena.TestPatches.G;
import static io.jellybridge.jena.TestPatches.O;
import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.QUADS;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.bytes;
import static io.jellybridge.jena.TestPatches.events;
import static io.jellybridge.jena.TestPatches.iri;
import static io.jellybridge.jena.TestPatches.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.TestPatches;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.jena.graph.Node;
import org.apache.jena.query.TxnType;
import org.apache.jena.rdfpatch.RDFPatchOps;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.core.Var;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RdfChangesTest {

    @Test
    void everyRowComesBackAsItWasTold() {
        byte[] stream = bytes(QUADS, changes -> {
            changes.start();
            changes.header("id", iri("urn:1"));
            changes.txnBegin();
            changes.addPrefix(G, "ex", "http://e/");
            changes.deletePrefix(G, "old");
            changes.add(G, S, P, O);
            changes.delete(G, S, P, text("x"));
            changes.txnCommit();
            changes.segment();
            changes.txnBegin();
            changes.txnAbort();
            changes.finish();
        });
        assertEquals(List.of("start", "H id <urn:1>", "TX", "PA ex http://e/ <http://e/g>", "PD old <http://e/g>",
                "A <http://e/s> <http://e/p> <http://e/o> <http://e/g>",
                "D <http://e/s> <http://e/p> \"x\" <http://e/g>",
                "TC", "---", "TX", "TA", "---", "finish"), events(stream));
    }

    @Test
    void aDefaultGraphPrefixAfterANamedGraphIsOfTheDefaultGraph() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DatasetGraph base = DatasetGraphFactory.createTxnMem();
        try (JellyPatchWriter writer = new JellyPatchWriter(out, null, QUADS, WriteOptions.DEFAULT)) {
            DatasetGraph captured = RDFPatchOps.changes(base, writer);
            captured.begin(TxnType.WRITE);
            captured.add(G, S, P, O);
            captured.getDefaultGraph().getPrefixMapping().setNsPrefix("ex", "http://e/");
            captured.getDefaultGraph().getPrefixMapping().removeNsPrefix("ex");
            captured.commit();
        }
        assertEquals(List.of("start", "TX", "A <http://e/s> <http://e/p> <http://e/o> <http://e/g>",
                "PA ex http://e/ DEFAULT", "PD ex DEFAULT", "TC", "---", "finish"), events(out.toByteArray()));
    }

    @Test
    void everySpellingOfTheDefaultGraphIsTheDefaultGraph() {
        for (Node graph : Arrays.asList(null, Quad.defaultGraphIRI, Quad.defaultGraphNodeGenerated)) {
            byte[] quads = bytes(QUADS, changes -> {
                changes.add(G, S, P, O);
                changes.add(graph, S, P, O);
                changes.addPrefix(graph, "", "http://e/");
            });
            assertEquals(List.of("A <http://e/s> <http://e/p> <http://e/o> DEFAULT", "PA  http://e/ DEFAULT"),
                    events(quads).subList(2, 4));
            byte[] triples = bytes(QUADS.withStatementType(StatementType.TRIPLES), changes -> {
                changes.add(graph, S, P, O);
                changes.addPrefix(graph, "", "http://e/");
            });
            assertEquals(List.of("A <http://e/s> <http://e/p> <http://e/o> null", "PA  http://e/ null"),
                    events(triples).subList(1, 3));
        }
    }

    @Test
    void aNamedGraphInATriplesStreamIsRefused() {
        FormatException refusal = assertThrows(FormatException.class,
                () -> bytes(QUADS.withStatementType(StatementType.TRIPLES), changes -> changes.add(G, S, P, O)));
        assertEquals("P-33", refusal.rule());
    }

    @ParameterizedTest
    @EnumSource(StreamType.class)
    void segmentsOfEveryPatchButNoneOfAFlatStream(StreamType type) {
        List<String> read = events(bytes(QUADS.withStreamType(type), changes -> {
            changes.add(null, S, P, O);
            if (type != StreamType.FLAT) {
                changes.segment();
                changes.segment();
            }
            changes.add(null, S, P, O);
            changes.finish();
        }));
        String row = "A <http://e/s> <http://e/p> <http://e/o> DEFAULT";
        assertEquals(type == StreamType.FLAT
                ? List.of("start", row, row, "finish")
                : List.of("start", row, "---", "---", row, "---", "finish"), read);
    }

    @Test
    void finishEndsThePatchAndAnotherStartGoesOn() {
        List<String> read = events(bytes(QUADS, changes -> {
            for (int i = 0; i < 2; i++) {
                changes.start();
                changes.add(null, S, P, O);
                changes.finish();
                changes.finish();
            }
        }));
        String row = "A <http://e/s> <http://e/p> <http://e/o> DEFAULT";
        assertEquals(List.of("start", row, "---", row, "---", "finish"), read);
    }

    @Test
    void aStreamWithoutChangesIsReadAsSuch() {
        assertEquals(List.of("start", "finish"), events(bytes(QUADS, changes -> {
            changes.start();
            changes.finish();
        })));
    }

    @Test
    void closingTwiceIsClosingOnceAndNothingGoesInAfterwards() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JellyPatchWriter writer = new JellyPatchWriter(out, null, QUADS, WriteOptions.DEFAULT);
        assertEquals(List.of(0L, 0L), List.of(writer.patches(), writer.rows()));
        writer.add(null, S, P, O);
        writer.segment();
        writer.add(null, S, P, O);
        assertEquals(List.of(1L, 2L), List.of(writer.patches(), writer.rows()));
        writer.close();
        int size = out.size();
        writer.close();
        writer.finish();
        assertEquals(size, out.size());
        assertThrows(IllegalStateException.class, () -> writer.add(null, S, P, O));
    }

    @Test
    void aRefusedTermLeavesTheStreamAsIfItHadNotBeenWritten() {
        Node other = iri("http://e/other");
        byte[] stream = bytes(QUADS, changes -> {
            changes.add(G, S, P, O);
            assertThrows(FormatException.class, () -> changes.add(G, other, P, Var.alloc("v")));
            assertThrows(FormatException.class, () -> changes.add(Node.ANY, other, P, O));
            assertThrows(FormatException.class, () -> changes.add(G, other, P, text("\ud800")));
            assertThrows(FormatException.class, () -> changes.header("h", Var.alloc("v")));
            assertThrows(IllegalArgumentException.class, () -> changes.header("\ud800", O));
            assertThrows(FormatException.class, () -> changes.addPrefix(Var.alloc("v"), "p", "http://e/"));
            assertThrows(FormatException.class, changes::txnCommit);
            changes.add(G, other, P, iri("http://e/o2"));
        });
        assertEquals(List.of("A <http://e/s> <http://e/p> <http://e/o> <http://e/g>",
                "A <http://e/other> <http://e/p> <http://e/o2> <http://e/g>"), events(stream).subList(1, 3));
    }

    @Test
    void afterAnErrorTheSinkHasSeenTheRowsBeforeItAndNoEnd() {
        byte[] stream = bytes(QUADS, changes -> {
            changes.txnBegin();
            changes.add(null, S, P, O);
            changes.txnCommit();
        });
        List<String> seen = new ArrayList<>();
        byte[] cut = Arrays.copyOf(stream, stream.length - 1);
        assertThrows(FormatException.class, () -> new JellyPatchReader(new ByteArrayInputStream(cut), "cut",
                ReadOptions.DEFAULT).apply(new TestPatches.Recorder(seen)));
        assertTrue(seen.contains("start"));
        assertFalse(seen.contains("TA"));
        assertFalse(seen.contains("finish"));
    }

    @Test
    void aStreamIsPlayedOnce() {
        JellyPatchReader reader = new JellyPatchReader(new ByteArrayInputStream(bytes(QUADS, changes -> { })), null,
                ReadOptions.DEFAULT);
        reader.apply(new TestPatches.Recorder());
        assertThrows(IllegalStateException.class, () -> reader.apply(new TestPatches.Recorder()));
    }

    @Test
    void optionsThatRuleOutATermRefuseIt() {
        FormatException refusal = assertThrows(FormatException.class, () -> bytes(PatchOptions.DEFAULT,
                changes -> changes.add(null, text("literal"), P, O)));
        assertEquals("P-44", refusal.rule());
    }
}
