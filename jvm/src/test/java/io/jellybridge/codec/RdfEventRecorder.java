package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Keeps what a reader of Jelly-RDF hands over, as {@link Event}s by frame: {@code T}, {@code Q} and {@code NS}. Checks that
 * graphs start and end as the handler's contract says.
 */
final class RdfEventRecorder<T> implements RdfHandler<T> {
    final List<List<Event>> frames = new ArrayList<>();
    final List<Map<String, byte[]>> metadata = new ArrayList<>();
    RdfOptions options;

    private final RdfReader<T> reader;
    private final Function<T, EventTerm> toEventTerm;
    private List<Event> frame = new ArrayList<>();
    private boolean graphOpen;
    private T graph;

    private RdfEventRecorder(RdfReader<T> reader, Function<T, EventTerm> toEventTerm) {
        this.reader = reader;
        this.toEventTerm = toEventTerm;
    }

    /** Reads a stream to its end. */
    static <T> RdfEventRecorder<T> read(InputStream in, TermFactory<T> terms, ReadOptions options,
            Function<T, EventTerm> toEventTerm) throws IOException {
        try (RdfReader<T> reader = new RdfReader<>(in, null, terms, options)) {
            RdfEventRecorder<T> recorder = new RdfEventRecorder<>(reader, toEventTerm);
            reader.readAll(recorder);
            assertFalse(recorder.graphOpen, "a graph is open at the end");
            recorder.options = reader.options();
            return recorder;
        }
    }

    /** All events, of whatever frame. */
    List<Event> events() {
        return frames.stream().flatMap(List::stream).toList();
    }

    @Override
    public void namespace(byte[] name, T namespace) {
        frame.add(new Event("NS", new String(name, UTF_8), List.of(toEventTerm.apply(namespace))));
    }

    @Override
    public void startGraph(T started) {
        assertEquals(PhysicalType.GRAPHS, reader.options().physicalType());
        assertFalse(graphOpen, "a graph starts within another");
        graphOpen = true;
        graph = started;
    }

    @Override
    public void endGraph() {
        assertTrue(graphOpen, "the end of a graph that did not start");
        graphOpen = false;
    }

    @Override
    public void statement(T subject, T predicate, T object, T inGraph) {
        List<EventTerm> terms = new ArrayList<>(
                List.of(toEventTerm.apply(subject), toEventTerm.apply(predicate), toEventTerm.apply(object)));
        boolean triples = reader.options().physicalType() == PhysicalType.TRIPLES;
        if (!triples) {
            terms.add(inGraph == null ? EventTerm.DEFAULT_GRAPH : toEventTerm.apply(inGraph));
        } else if (inGraph != null) {
            throw new AssertionError("a graph in a TRIPLES stream: " + inGraph);
        }
        if (reader.options().physicalType() == PhysicalType.GRAPHS) {
            assertTrue(graphOpen, "a triple outside of a graph");
            assertEquals(graph, inGraph, "the graph that began last");
        }
        frame.add(new Event(triples ? "T" : "Q", null, terms));
    }

    @Override
    public void endFrame(Map<String, byte[]> ofFrame) {
        frames.add(frame);
        metadata.add(ofFrame);
        frame = new ArrayList<>();
    }
}
