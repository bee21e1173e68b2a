package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;

/** The independent reader of Jelly-RDF. Reads to {@link Event}s by frame. */
final class IndependentRdfReader extends IndependentStream {
    static final Descriptor FRAME = descriptor("RdfStreamFrame");

    private final List<List<Event>> frames = new ArrayList<>();
    private List<Event> frame = new ArrayList<>();
    private EventTerm graph;

    private IndependentRdfReader(boolean ofOurs) {
        super(ofOurs);
    }

    /** Reads a stream and checks the producer's rules. */
    static IndependentRdfReader read(byte[] stream, boolean delimited) {
        return read(stream, delimited, true);
    }

    /** @param ofOurs whether it is to keep what only we promise */
    static IndependentRdfReader read(byte[] stream, boolean delimited, boolean ofOurs) {
        return read(frames(FRAME, stream, delimited), ofOurs);
    }

    /** Reads frames as if nothing came before them. */
    static IndependentRdfReader read(List<? extends Message> messages) {
        return read(messages, true);
    }

    private static IndependentRdfReader read(List<? extends Message> messages, boolean ofOurs) {
        IndependentRdfReader reader = new IndependentRdfReader(ofOurs);
        for (Message message : messages) {
            reader.readFrame(message);
            reader.frames.add(reader.frame);
            reader.frame = new ArrayList<>();
        }
        assertTrue(reader.options != null, "R-20: options, also in an empty stream");
        assertTrue(reader.graph == null, "R-65, R-92: a graph is open at the end");
        return reader;
    }

    List<List<Event>> frames() {
        return frames;
    }

    /** The events of all frames. */
    List<Event> events() {
        return frames.stream().flatMap(List::stream).toList();
    }

    RdfOptions options() {
        EnumValueDescriptor logical = (EnumValueDescriptor) options.getField(
                options.getDescriptorForType().findFieldByName("logical_type"));
        return new RdfOptions(string(options, "stream_name"), PhysicalType.valueOf(physicalType()), logical.getNumber(),
                flag("generalized_statements"), flag("rdf_star"), number(options, "max_name_table_size"),
                number(options, "max_prefix_table_size"), number(options, "max_datatype_table_size"),
                number(options, "version"));
    }

    private boolean flag(String field) {
        return (Boolean) options.getField(options.getDescriptorForType().findFieldByName(field));
    }

    private String physicalType() {
        return enumName("physical_type").replace("PHYSICAL_STREAM_TYPE_", "");
    }

    @Override
    void readOptions() {
        assertTrue(number(options, "version") >= 1, "R-28: a version");
    }

    @Override
    void readRow(String kind, Message row, boolean lastOfFrame) {
        switch (kind) {
            case "triple" -> {
                List<EventTerm> terms = terms(row);
                assertTrue(!physicalType().equals("QUADS"), "R-12: a triple in a TRIPLES or GRAPHS stream");
                assertEquals(physicalType().equals("GRAPHS"), graph != null, "R-65: a triple in a graph of GRAPHS");
                if (graph == null) {
                    add("T", null, terms);
                } else {
                    terms.add(graph);
                    add("Q", null, terms);
                }
            }
            case "quad" -> {
                assertEquals("QUADS", physicalType(), "R-11, R-13: a quad in a QUADS stream");
                List<EventTerm> terms = terms(row);
                terms.add(eventTerm(repeatedGraph(row)));
                add("Q", null, terms);
            }
            case "graph_start" -> {
                assertEquals("GRAPHS", physicalType(), "R-11, R-12: a graph in a GRAPHS stream");
                assertTrue(graph == null, "R-66: graphs do not nest");
                graph = eventTerm(graph(row));
            }
            case "graph_end" -> {
                assertEquals("GRAPHS", physicalType(), "R-11, R-12: a graph in a GRAPHS stream");
                assertTrue(graph != null, "R-67: a graph that began");
                graph = null;
            }
            case "namespace" -> {
                assertEquals(2, number(options, "version"), "R-29: version 2");
                byte[] namespace = optional(row, "value");
                assertTrue(namespace != null, "R-80: a namespace");
                add("NS", string(row, "name"), List.of(eventTerm(namespace)));
            }
            default -> throw new AssertionError("row kind " + kind);
        }
    }

    private void add(String op, String name, List<EventTerm> terms) {
        frame.add(new Event(op, name, terms));
    }

    private List<EventTerm> terms(Message row) {
        byte[][] triple = triple(row);
        return new ArrayList<>(List.of(eventTerm(triple[0]), eventTerm(triple[1]), eventTerm(triple[2])));
    }

    private static EventTerm eventTerm(byte[] term) {
        return term == null ? EventTerm.DEFAULT_GRAPH : EventTerms.ofText(term);
    }
}
