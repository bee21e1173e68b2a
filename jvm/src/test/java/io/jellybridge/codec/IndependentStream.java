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
import com.google.protobuf.Descriptors.DescriptorValidationException;
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
import java.util.Set;

/**
 * A reader that shares nothing with ours: protobuf's own parser over the project's schemas, and the rules that both
 * formats have in their plainest form. Checks what every stream must keep, and on demand what a good producer keeps. Rows
 * are for the subclass. What is not kept is an {@link AssertionError} that begins with the rules.
 */
abstract class IndependentStream {
    private static final String REFERENCE =
            "P-49, P-50, P-51, P-53, P-54, P-62, P-64, R-26, R-27, R-41, R-45: an entry before its use, ";

    /** The one field of a frame that the format does not have: a restart point, which is skipped here. */
    static final int RESTART_FIELD = 1000;
    /** The field of a frame's checksum. */
    static final int CHECKSUM_FIELD = 1001;

    Message options;
    /** Whether the stream is to be one of ours, which does no more than it has to. */
    final boolean ofOurs;

    private final Utf8Terms terms = new Utf8Terms();
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, String> prefixes = new HashMap<>();
    private final Map<Integer, String> datatypes = new HashMap<>();
    private final Map<String, Integer> lastEntry = new HashMap<>();
    private final byte[][] repeated = new byte[4][];
    private final boolean[] seen = new boolean[4];
    private int lastPrefix;
    private int lastName;

    IndependentStream(boolean ofOurs) {
        this.ofOurs = ofOurs;
    }

    /** The message of the project's schemas that has this name. */
    static Descriptor descriptor(String name) {
        String path = System.getProperty("jellybridge.descriptors");
        assertTrue(path != null, "set the system property jellybridge.descriptors to the descriptor set of proto/");
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            Map<String, FileDescriptor> built = new HashMap<>();
            for (FileDescriptorProto file : FileDescriptorSet.parseFrom(in).getFileList()) {
                FileDescriptor[] needed = file.getDependencyList().stream().map(built::get).toArray(FileDescriptor[]::new);
                built.put(file.getName(), FileDescriptor.buildFrom(file, needed));
            }
            return built.values().stream().map(file -> file.findMessageTypeByName(name))
                    .filter(found -> found != null).findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The frames of a stream. */
    static List<DynamicMessage> frames(Descriptor type, byte[] stream, boolean delimited) {
        List<DynamicMessage> frames = new ArrayList<>();
        try {
            if (delimited) {
                CodedInputStream in = CodedInputStream.newInstance(stream);
                while (!in.isAtEnd()) {
                    frames.add(DynamicMessage.parseFrom(type, in.readByteArray()));
                }
            } else {
                frames.add(DynamicMessage.parseFrom(type, stream));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return frames;
    }

    /** Reads the rows of a frame. */
    final void readFrame(Message frame) {
        assertTrue(!ofOurs || Set.of(RESTART_FIELD, CHECKSUM_FIELD).containsAll(frame.getUnknownFields().asMap().keySet()),
                "unknown field in a frame");
        List<Message> rows = messages(frame, "rows");
        for (int i = 0; i < rows.size(); i++) {
            Map<FieldDescriptor, Object> set = rows.get(i).getAllFields();
            assertEquals(1, set.size(), "P-07, R-05: one field in a row");
            Map.Entry<FieldDescriptor, Object> only = set.entrySet().iterator().next();
            String kind = only.getKey().getName();
            Message row = (Message) only.getValue();
            if (kind.equals("options")) {
                assertTrue(options == null || options.getAllFields().equals(row.getAllFields()),
                        "P-43, R-22: identical options");
                options = row;
            }
            assertTrue(options != null, "P-40, R-20: options first");
            switch (kind) {
                case "options" -> readOptions();
                case "name" -> entry(names, row, kind, "max_name_table_size");
                case "prefix" -> entry(prefixes, row, kind, "max_prefix_table_size");
                case "datatype" -> entry(datatypes, row, kind, "max_datatype_table_size");
                default -> readRow(kind, row, i == rows.size() - 1);
            }
        }
    }

    /** The options row was read. */
    abstract void readOptions();

    /** Reads a row that is neither options nor a lookup entry. */
    abstract void readRow(String kind, Message row, boolean lastOfFrame);

    final String enumName(String field) {
        return options.getField(options.getDescriptorForType().findFieldByName(field)).toString();
    }

    private void entry(Map<Integer, String> table, Message row, String kind, String sizeField) {
        int id = number(row, "id");
        int actual = id == 0 ? lastEntry.getOrDefault(kind, 0) + 1 : id;
        assertTrue(actual >= 1 && actual <= number(options, sizeField),
                "P-49, P-50, P-51, P-53, P-54, R-26, R-27: entry within the table");
        table.put(actual, string(row, "value"));
        lastEntry.put(kind, actual);
    }

    /** Subject, predicate and object of a statement; the array is used again. */
    final byte[][] triple(Message row) {
        String[] positions = {"subject", "predicate", "object"};
        for (int i = 0; i < positions.length; i++) {
            byte[] term = oneof(row, positions[i]);
            if (term != null) {
                repeated[i] = term;
                seen[i] = true;
            }
            assertTrue(seen[i], "P-71, R-60: a term, or one to repeat");
        }
        return repeated;
    }

    /** The graph of a row, or the one that it repeats; null is the default graph. */
    final byte[] repeatedGraph(Message row) {
        FieldDescriptor set = member(row, "graph");
        if (set != null) {
            repeated[3] = graph(row);
            seen[3] = true;
        }
        assertTrue(seen[3], "P-36, P-72, P-90, R-60: a graph, or one to repeat");
        return repeated[3];
    }

    /** The graph that a row must set; null is the default graph. */
    final byte[] graph(Message row) {
        FieldDescriptor set = member(row, "graph");
        assertTrue(set != null, "R-70: a graph");
        return set.getName().equals("g_default_graph") ? null : term(set, row.getField(set));
    }

    final byte[] required(Message row, String oneof) {
        byte[] term = oneof(row, oneof);
        assertTrue(term != null, "P-77, P-111, R-62: " + oneof + " must be set");
        return term;
    }

    private byte[] oneof(Message row, String oneof) {
        FieldDescriptor set = member(row, oneof);
        return set == null ? null : term(set, row.getField(set));
    }

    static FieldDescriptor member(Message row, String oneof) {
        return row.getOneofFieldDescriptor(row.getDescriptorForType().getOneofs().stream()
                .filter(candidate -> candidate.getName().equals(oneof)).findFirst().orElseThrow());
    }

    /** The term in a field that is set; null where it is not. */
    final byte[] optional(Message row, String field) {
        FieldDescriptor found = row.getDescriptorForType().findFieldByName(field);
        return row.hasField(found) ? term(found, row.getField(found)) : null;
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
        assertTrue(lastPrefix == 0 || prefixes.containsKey(lastPrefix), REFERENCE + "a prefix");
        assertTrue(names.containsKey(lastName), REFERENCE + "a name");
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
            assertFalse(tag.isEmpty(), "P-120, R-51: a tag");
            byte[] both = ByteString.copyFrom(lex).concat(tag).toByteArray();
            return terms.langLiteral(both, 0, lex.length, lex.length, tag.size());
        }
        int id = (Integer) literal.getField(kind);
        assertNotEquals(0, id, "P-63, R-49: a datatype's id");
        assertTrue(datatypes.containsKey(id), REFERENCE + "a datatype");
        byte[] datatype = terms.iri(new byte[0], datatypes.get(id).getBytes(UTF_8));
        return terms.typedLiteral(lex, 0, lex.length, datatype);
    }

    static int number(Message message, String field) {
        return (Integer) message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    static String string(Message message, String field) {
        return (String) message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    @SuppressWarnings("unchecked")
    static List<Message> messages(Message message, String field) {
        return (List<Message>) message.getField(message.getDescriptorForType().findFieldByName(field));
    }
}
