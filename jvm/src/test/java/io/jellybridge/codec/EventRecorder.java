package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Keeps what a reader hands over, as {@link Event}s, and checks what it says about the place of each. */
final class EventRecorder<T> implements PatchHandler<T> {
    private final List<Event> events = new ArrayList<>();
    private final PatchReader<T> reader;
    private final Function<T, EventTerm> toEventTerm;
    private long patches;
    private long rows;
    private long transactions;
    private boolean transactionOpen;

    private EventRecorder(PatchReader<T> reader, Function<T, EventTerm> toEventTerm) {
        this.reader = reader;
        this.toEventTerm = toEventTerm;
    }

    /**
     * Reads a stream to its end.
     *
     * @param toEventTerm takes a term apart; is not asked for the default graph
     */
    static <T> List<Event> read(InputStream in, TermFactory<T> terms, ReadOptions options,
            Function<T, EventTerm> toEventTerm) throws IOException {
        try (PatchReader<T> reader = new PatchReader<>(in, null, terms, options)) {
            EventRecorder<T> recorder = new EventRecorder<>(reader, toEventTerm);
            reader.readAll(recorder);
            return recorder.events;
        }
    }

    @Override
    public void header(byte[] key, T value) {
        add(Op.H, key, List.of(toEventTerm.apply(value)));
    }

    @Override
    public void transaction(Op op) {
        add(op, null, List.of());
    }

    @Override
    public void prefix(Op op, byte[] name, T namespace, T graph) {
        List<EventTerm> terms = new ArrayList<>();
        terms.add(namespace == null ? EventTerm.ABSENT : toEventTerm.apply(namespace));
        addGraph(terms, graph);
        add(op, name, terms);
    }

    @Override
    public void prefixWithoutGraph(Op op, byte[] name, T namespace) {
        add(op, name, List.of(namespace == null ? EventTerm.ABSENT : toEventTerm.apply(namespace)));
    }

    @Override
    public void statement(Op op, T subject, T predicate, T object, T graph) {
        List<EventTerm> terms = new ArrayList<>();
        terms.add(toEventTerm.apply(subject));
        terms.add(toEventTerm.apply(predicate));
        terms.add(toEventTerm.apply(object));
        addGraph(terms, graph);
        add(op, null, terms);
    }

    @Override
    public void endPatch() {
        assertEquals(patches++, reader.patch(), "patch");
        events.add(Event.END_OF_PATCH);
    }

    private void addGraph(List<EventTerm> terms, T graph) {
        if (reader.options().statementType() == StatementType.QUADS) {
            terms.add(graph == null ? EventTerm.DEFAULT_GRAPH : toEventTerm.apply(graph));
        } else if (graph != null) {
            throw new AssertionError("a graph in a TRIPLES stream: " + graph);
        }
    }

    private void add(Op op, byte[] name, List<EventTerm> terms) {
        if (op == Op.TX) {
            transactions++;
            transactionOpen = true;
        }
        assertEquals(patches, reader.patch(), "patch");
        assertEquals(rows++, reader.row(), "row");
        assertEquals(transactionOpen ? transactions - 1 : -1, reader.tx(), "tx");
        if (op == Op.TC || op == Op.TA) {
            transactionOpen = false;
        }
        events.add(new Event(op.name(), name == null ? null : new String(name, UTF_8), terms));
    }
}
