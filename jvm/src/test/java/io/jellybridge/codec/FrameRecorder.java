package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Keeps the calls on a writer of Jelly-RDF as {@link Event}s by frame, as {@link RdfEventRecorder} keeps what is read. */
final class FrameRecorder implements RdfHandler<byte[]> {
    private final PhysicalType type;
    private final List<List<Event>> ended = new ArrayList<>();
    private List<Event> frame = new ArrayList<>();

    FrameRecorder(PhysicalType type) {
        this.type = type;
    }

    /** The frames that ended. */
    List<List<Event>> frames() {
        return ended;
    }

    /** All events, of whatever frame. */
    List<Event> events() {
        return Stream.concat(ended.stream(), Stream.of(frame)).flatMap(List::stream).toList();
    }

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        frame.add(new Event("NS", new String(name, UTF_8), List.of(EventTerms.ofText(namespace))));
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        List<EventTerm> terms = new ArrayList<>(
                List.of(EventTerms.ofText(subject), EventTerms.ofText(predicate), EventTerms.ofText(object)));
        if (type != PhysicalType.TRIPLES) {
            terms.add(graph == null ? EventTerm.DEFAULT_GRAPH : EventTerms.ofText(graph));
        }
        frame.add(new Event(type == PhysicalType.TRIPLES ? "T" : "Q", null, terms));
    }

    @Override
    public void endFrame(Map<String, byte[]> metadata) {
        ended.add(frame);
        frame = new ArrayList<>();
    }
}
