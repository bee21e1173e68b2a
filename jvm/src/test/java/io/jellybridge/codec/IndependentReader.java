package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of Jelly-Patch that shares nothing with ours: protobuf's own parser over the project's schemas, and the rules of
 * the format in their plainest form. Reads to {@link Recorder} lines, and checks what a producer must keep.
 */
final class IndependentReader {
    private static final Descriptor FRAME = frameDescriptor();

    private final List<DynamicMessage> frames = new ArrayList<>();
    private final Recorder recorder = new Recorder();
    private final Utf8Terms terms = new Utf8Terms();
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, String> prefixes = new HashMap<>();
    private final Map<Integer, String> datatypes = new HashMap<>();
    private final Map<String, Integer> lastEntry = new HashMap<>();
    private final byte[][] repeated = new byte[4][];
    private final boolean[] seen = new boolean[4];
    private Message options;
    private int lastPrefix;
    private int lastName;

    private static Descriptor frameDescriptor() {
        String path = System.getProperty("jellybridge.descriptors");
        assertTrue(path != null, "set the system property jellybridge.descriptors to the descriptor set of proto/");
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            Map<String, FileDescriptor> built = new HashMap<>();
            for (FileDescriptorProto file : FileDescriptorSet.parseFrom(in).getFileList()) {
                FileDescriptor[] needed = file.getDependencyList().stream().map(built::get).toArray(FileDescriptor[]::new);
                built.put(file.getName(), FileDescriptor.buildFrom(file, needed));
            }
            return built.values().stream().map(file -> file.findMessageTypeByName("RdfPatchFrame"))
                    .filter(found -> found != null).findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (com.google.protobuf.Descriptors.DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads a stream and checks the producer's rules; the events. */
    static List<String> read(byte[] stream, boolean delimited) {
        IndependentReader reader = new IndependentReader();
        try {
            if (delimited) {
                CodedInputStream in = CodedInputStream.newInstance(stream);
                while (!in.isAtEnd()) {
                    reader.frames.add(DynamicMessage.parseFrom(FRAME, in.readByteArray()));
                }
            } else {
                reader.frames.add(DynamicMessage.parseFrom(FRAME, stream));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reader.decode();
        return reader.recorder.lines;
    }

    private void decode() {
        for (DynamicMessage frame : frames) {
            assertTrue(frame.getUnknownFields().asMap().isEmpty(), "unknown field in a frame");
            List<Message> rows = messages(frame, "rows");
            for (int i = 0; i < rows.size(); i++) {
                Map<FieldDescriptor, Object> set = rows.get(i).getAllFields();
                assertEquals(1, set.size(), "P-07: one field in a row");
                Map.Entry<FieldDescriptor, Object> only = set.entrySet().iterator().next();
                if (options == null) {
                    assertEquals("options", only.getKey().getName(), "P-40: options first");
                }
                row(only.getKey().getName(), (Message) only.getValue(), i == rows.size() - 1);
            }
            if (streamType().equals("FRAME")) {
                recorder.endPatch();
            }
        }
        assertTrue(options != null, "P-40: options, also in an empty stream");
        if (streamType().equals("FLAT")) {
            recorder.endPatch();
        }
    }

    private String streamType() {
        return enumName("stream_type").replace("PATCH_STREAM_TYPE_", "");
    }

    private boolean triples() {
        return enumName("statement_type").equals("PATCH_STATEMENT_TYPE_TRIPLES");
    }

    private String enumName(String field) {
        return options.getField(options.getDescriptorForType().findFieldByName(field)).toString();
    }

    private void row(String kind, Message row, boolean lastOfFrame) {
        switch (kind) {
            case "options" -> {
                assertTrue(options == null || options.equals(row), "P-43: identical options");
                options = row;
                assertEquals(1, number(row, "version"), "P-56: version 1");
            }
            case "statement_add" -> statement(Op.A, row);
            case "statement_delete" -> statement(Op.D, row);
            case "namespace_add" -> prefix(Op.PA, row);
            case "namespace_delete" -> prefix(Op.PD, row);
            case "transaction_start" -> recorder.transaction(Op.TX);
            case "transaction_commit" -> recorder.transaction(Op.TC);
            case "transaction_abort" -> recorder.transaction(Op.TA);
            case "header" -> recorder.header(string(row, "key").getBytes(UTF_8),
                    required(row, "value"));
            case "name" -> entry(names, row, kind, "max_name_table_size");
            case "prefix" -> entry(prefixes, row, kind, "max_prefix_table_size");
            case "datatype" -> entry(datatypes, row, kind, "max_datatype_table_size");
            case "punctuation" -> {
                assertEquals("PUNCTUATED", streamType(), "P-14, P-18: no mark elsewhere");
                assertTrue(lastOfFrame, "P-21: a mark is the last row of its frame");
                recorder.endPatch();
            }
            default -> throw new AssertionError("row kind " + kind);
        }
    }

    private void entry(Map<Integer, String> table, Message row, String kind, String sizeField) {
        int id = number(row, "id");
        int actual = id == 0 ? lastEntry.getOrDefault(kind, 0) + 1 : id;
        assertTrue(actual >= 1 && actual <= number(options, sizeField), "P-49, P-51, P-54: entry within the table");
        table.put(actual, string(row, "value"));
        lastEntry.put(kind, actual);
    }

    private void statement(Op op, Message row) {
        String[] positions = {"subject", "predicate", "object"};
        for (int i = 0; i < positions.length; i++) {
            byte[] term = oneof(row, positions[i]);
            if (term != null) {
                repeated[i] = term;
                seen[i] = true;
            }
            assertTrue(seen[i], "P-71: a term, or one to repeat");
        }
        recorder.statement(op, repeated[0], repeated[1], repeated[2], graph(row));
    }

    private byte[] graph(Message row) {
        FieldDescriptor set = member(row, "graph");
        if (triples()) {
            assertTrue(set == null, "P-33: no graph in a TRIPLES stream");
            return null;
        }
        if (set != null) {
            repeated[3] = set.getName().equals("g_default_graph") ? null : term(set, row.getField(set));
            seen[3] = true;
        }
        assertTrue(seen[3], "P-36, P-72: a graph, or one to repeat");
        return repeated[3];
    }

    private void prefix(Op op, Message row) {
        FieldDescriptor value = row.getDescriptorForType().findFieldByName("value");
        assertTrue(op == Op.PD || row.hasField(value), "P-87: PA has a namespace");
        byte[] namespace = row.hasField(value) ? term(value, row.getField(value)) : null;
        recorder.prefix(op, string(row, "name").getBytes(UTF_8), namespace, graph(row));
    }

    private byte[] required(Message row, String oneof) {
        byte[] term = oneof(row, oneof);
        assertTrue(term != null, "P-77, P-111: " + oneof + " must be set");
        return term;
    }

    private byte[] oneof(Message row, String oneof) {
        FieldDescriptor set = member(row, oneof);
        return set == null ? null : term(set, row.getField(set));
    }

    private static FieldDescriptor member(Message row, String oneof) {
        return row.getOneofFieldDescriptor(row.getDescriptorForType().getOneofs().stream()
                .filter(candidate -> candidate.getName().equals(oneof)).findFirst().orElseThrow());
    }

    private byte[] term(FieldDescriptor field, Object value) {
        if (value instanceof String label) {
            byte[] bytes = label.getBytes(UTF_8);
            return terms.blankNode(bytes, 0, bytes.length);
        }
        Message message = (Message) value;
        return switch (message.getDescriptorForType().getName()) {
            case "RdfIri" -> iri(number(message, "prefix_id"), number(message, "name_id"));
            case "RdfLiteral" -> literal(message);
            case "RdfTriple" -> terms.tripleTerm(
                    required(message, "subject"), required(message, "predicate"), required(message, "object"));
            default -> throw new AssertionError(field.getFullName());
        };
    }

    private byte[] iri(int prefixId, int nameId) {
        if (prefixId != 0) {
            lastPrefix = prefixId;
        }
        lastName = nameId == 0 ? lastName + 1 : nameId;
        assertTrue(lastPrefix == 0 || prefixes.containsKey(lastPrefix), "P-64: a prefix before its use");
        assertTrue(names.containsKey(lastName), "P-64: a name before its use");
        String whole = prefixes.getOrDefault(lastPrefix, "") + names.get(lastName);
        return terms.iri(new byte[0], whole.getBytes(UTF_8));
    }

    private byte[] literal(Message literal) {
        byte[] lex = string(literal, "lex").getBytes(UTF_8);
        FieldDescriptor kind = member(literal, "literalKind");
        if (kind == null) {
            return terms.literal(lex, 0, lex.length);
        }
        if (kind.getName().equals("langtag")) {
            ByteString tag = ByteString.copyFromUtf8((String) literal.getField(kind));
            assertFalse(tag.isEmpty(), "P-120: a tag");
            byte[] both = ByteString.copyFrom(lex).concat(tag).toByteArray();
            return terms.langLiteral(both, 0, lex.length, lex.length, tag.size());
        }
        int id = (Integer) literal.getField(kind);
        assertNotEquals(0, id, "P-63: a datatype's id");
        assertTrue(datatypes.containsKey(id), "P-64: a datatype before its use");
        byte[] datatype = terms.iri(new byte[0], datatypes.get(id).getBytes(UTF_8));
        return terms.typedLiteral(lex, 0, lex.length, datatype);
    }

    private static int number(Message message, String field) {
        return (Integer) message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    private static String string(Message message, String field) {
        return (String) message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    @SuppressWarnings("unchecked")
    private static List<Message> messages(Message message, String field) {
        return (List<Message>) message.getField(message.getDescriptorForType().findFieldByName(field));
    }
}
