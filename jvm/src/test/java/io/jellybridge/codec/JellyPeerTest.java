package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jellybridge.jena.nodes.NodeTerms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random datasets to and from another implementation of Jelly-RDF, over physical types × delimited or not × frame sizes.
 * {@code -Djellybridge.seeds=N} runs more seeds.
 */
class JellyPeerTest {
    private static final int SEEDS = Integer.getInteger("jellybridge.seeds", 25);
    private static final int[] FRAME_ROWS = {1, 7, 256};
    private static final int[] RESTART_BYTES = {0, 1, 200, 1000, 4 << 20};
    private static final int[][] TABLES = {{8, 1, 1}, {16, 0, 4}, {100, 3, 3}, {4000, 150, 32}};

    private static JellyPeer peer;

    @BeforeAll
    static void loadThePeer() throws ReflectiveOperationException, IOException {
        peer = JellyPeer.load();
    }

    static Stream<Arguments> streams() {
        return Stream.of(PhysicalType.values())
                .flatMap(type -> Stream.of(true, false).map(delimited -> Arguments.of(type, delimited)));
    }

    @Test
    void thePeerIsOutOfReachOfOurOwnJena() {
        assertNull(JellyPeerTest.class.getResource("/eu/neverblink/jelly/core/JellyOptions.class"));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void weReadWhatThePeerWrites(PhysicalType type, boolean delimited) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomDataset random = new RandomDataset(seed, type != PhysicalType.TRIPLES);
            int frameRows = FRAME_ROWS[seed % FRAME_ROWS.length];
            byte[] written = peer.write(type.name(), delimited, frameRows, random.nquads().getBytes(UTF_8));
            String what = "seed " + seed + ", frames of " + frameRows;
            check(type, random.events(), read(written, new NodeTerms(), EventTerms::ofNode), what + ", Jena nodes");
            check(type, random.events(), read(written, new Utf8Terms(), EventTerms::ofText), what + ", UTF-8 terms");
        }
    }

    private static <T> List<Event> read(byte[] stream, TermFactory<T> terms, Function<T, EventTerm> toEventTerm)
            throws IOException {
        return RdfEventRecorder.read(new ByteArrayInputStream(stream), terms, ReadOptions.STRICT, toEventTerm).events();
    }

    /** In a GRAPHS stream the peer writes a dataset, which has no order and no duplicates. */
    private static void check(PhysicalType type, List<Event> expected, List<Event> actual, String what) {
        assertFalse(expected.isEmpty());
        if (type == PhysicalType.GRAPHS) {
            assertEquals(new HashSet<>(expected), new HashSet<>(actual), what);
        } else {
            assertEquals(expected, actual, what);
        }
    }

    @ParameterizedTest
    @MethodSource("streams")
    void thePeerReadsWhatWeWrite(PhysicalType type, boolean delimited) throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            List<Event> events = new RandomDataset(seed, type != PhysicalType.TRIPLES).events();
            int[] sizes = TABLES[seed % TABLES.length];
            RdfOptions options = RdfOptions.DEFAULT.withTypes(type, type == PhysicalType.TRIPLES ? 1 : 2)
                    .withRdfStar(true).withTableSizes(sizes[0], sizes[1], sizes[2]);
            WriteOptions cut = new WriteOptions(FRAME_ROWS[seed % FRAME_ROWS.length], delimited, 16 << 20,
                    RESTART_BYTES[seed % RESTART_BYTES.length], TermRules.ANY);
            String what = "seed " + seed + ", " + options + ", " + cut;

            peerReads(events, write(events, options, cut, new NodeTerms(), new NodeTerms()), what + ", Jena nodes");
            peerReads(events, write(events, options, cut, new Utf8Terms(), new Utf8Terms()), what + ", UTF-8 terms");
        }
    }

    private static <T> byte[] write(List<Event> events, RdfOptions options, WriteOptions cut, TermFactory<T> factory,
            TermSource<T> source) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfWriter<T> writer = new RdfWriter<>(out, "test", source, options, cut)) {
            StatementEvents.write(events, writer, factory, options.physicalType());
        }
        return out.toByteArray();
    }

    private static void peerReads(List<Event> expected, byte[] stream, String what) throws IOException {
        String nquads = new String(peer.read(stream), UTF_8);
        boolean quads = expected.get(0).op().equals("Q");
        assertEquals(expected, StatementEvents.parse(nquads, quads), what);
    }
}
