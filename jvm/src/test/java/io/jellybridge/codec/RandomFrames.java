package io.jellybridge.codec;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Random frames of either format, as protobuf's messages: made field by field, so that ids, entries, repeated terms and the
 * cuts between frames come as no one writer chooses them. Now and then a stream has a fault.
 */
final class RandomFrames {
    private static final String[] TEXTS = {"", "x", "http://e/", "a#b", "é😀", "line\nbreak \"quoted\" \\", "x".repeat(200)};
    private static final String[] TAGS = {"en", "EN-gb", "ar--rtl", "x-a"};
    private static final int MAX_DEPTH = 4;

    /** A lookup: its size, which of its entries are set, and which was set last. */
    private static final class Table {
        private final int size;
        private final TreeSet<Integer> set = new TreeSet<>();
        private int last;

        private Table(int size) {
            this.size = size;
        }
    }

    private final Random random;
    private final boolean patch;
    /** Whether a fault is still to come: one in a stream, since two in a row would leave open which is named. */
    private boolean faulty;
    private final boolean generalized;
    private final boolean star;
    /** The number of the stream type, or of the physical type. */
    private final int type;
    private final boolean quads;
    private final Descriptor frameType;
    private final Descriptor rowType;
    private final Map<String, Table> tables = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final List<DynamicMessage> rows = new ArrayList<>();
    private int lastName;
    /** Whether a transaction is open, or a graph. */
    private boolean open;

    /** @param patch Jelly-Patch, else Jelly-RDF */
    RandomFrames(Random random, boolean patch) {
        this.random = random;
        this.patch = patch;
        this.faulty = random.nextInt(5) == 0;
        this.generalized = random.nextInt(3) == 0;
        this.star = random.nextBoolean();
        this.type = 1 + random.nextInt(3);
        this.quads = patch ? random.nextBoolean() : type == 2;
        this.frameType = patch ? IndependentReader.FRAME : IndependentRdfReader.FRAME;
        this.rowType = frameType.findFieldByName("rows").getMessageType();
    }

    /** The frames of a stream. */
    List<DynamicMessage> frames() {
        tables.put("name", new Table(8 + random.nextInt(12)));
        tables.put("prefix", new Table(random.nextInt(5)));
        tables.put("datatype", new Table(random.nextInt(4)));
        DynamicMessage options = options();
        rows.add(options);
        entry("name");
        for (int left = random.nextInt(60); left > 0; left--) {
            int choice = random.nextInt(100);
            if (choice < 2) {
                rows.add(options);
            } else if (choice < 35) {
                entry(List.of("name", "name", "name", "prefix", "datatype").get(random.nextInt(5)));
            } else if (patch) {
                patchRow(choice);
            } else {
                rdfRow(choice);
            }
        }
        if (open && !fault()) {
            add(patch ? "transaction_commit" : "graph_end", null);
        }
        if (patch && type == 3) {
            add("punctuation", null);
        }
        return cut();
    }

    private List<DynamicMessage> cut() {
        FieldDescriptor field = frameType.findFieldByName("rows");
        List<DynamicMessage> frames = new ArrayList<>();
        DynamicMessage.Builder frame = DynamicMessage.newBuilder(frameType);
        boolean often = random.nextBoolean();
        for (DynamicMessage row : rows) {
            frame.addRepeatedField(field, row);
            while (random.nextInt(often ? 3 : 20) == 0) {
                frames.add(frame.build());
                frame = DynamicMessage.newBuilder(frameType);
            }
        }
        frames.add(frame.build());
        return frames;
    }

    /** Whether to do what no writer may. */
    private boolean fault() {
        boolean now = faulty && random.nextInt(60) == 0;
        faulty &= !now;
        return now;
    }

    // --- rows

    private DynamicMessage options() {
        FieldDescriptor field = rowType.findFieldByName("options");
        DynamicMessage.Builder made = DynamicMessage.newBuilder(field.getMessageType());
        if (patch) {
            setEnum(made, "stream_type", type);
            setEnum(made, "statement_type", quads ? 2 : 1);
        } else {
            setEnum(made, "physical_type", type);
            setEnum(made, "logical_type", random.nextBoolean() ? 0 : type == 1 ? 1 : 2);
            set(made, "stream_name", text());
        }
        set(made, "generalized_statements", generalized);
        set(made, "rdf_star", star);
        set(made, "max_name_table_size", tables.get("name").size);
        set(made, "max_prefix_table_size", tables.get("prefix").size);
        set(made, "max_datatype_table_size", tables.get("datatype").size);
        set(made, "version", patch ? 1 : 2);
        return DynamicMessage.newBuilder(rowType).setField(field, made.build()).build();
    }

    private void entry(String kind) {
        Table table = tables.get(kind);
        if (table.size == 0 && !fault()) {
            return;
        }
        boolean implicit = table.last < table.size && random.nextBoolean() || fault();
        int id = implicit ? 0 : 1 + random.nextInt(Math.max(1, table.size));
        id = fault() ? table.size + 1 + random.nextInt(3) : id;
        table.last = id == 0 ? table.last + 1 : id;
        table.set.add(table.last);
        DynamicMessage.Builder made = content(kind);
        set(made, "id", id);
        set(made, "value", text());
        add(kind, made);
    }

    private void patchRow(int choice) {
        if (choice < 75) {
            statement(random.nextBoolean() ? "statement_add" : "statement_delete", quads);
        } else if (choice < 80) {
            DynamicMessage.Builder header = content("header");
            set(header, "key", text());
            if (!fault()) {
                term(header, "h", 0);
            }
            add("header", header);
        } else if (choice < 87) {
            String kind = random.nextBoolean() ? "namespace_add" : "namespace_delete";
            DynamicMessage.Builder prefix = content(kind);
            set(prefix, "name", "ex");
            if (kind.equals("namespace_add") && !fault() || random.nextBoolean()) {
                set(prefix, "value", iri(prefix.getDescriptorForType().findFieldByName("value").getMessageType()));
            }
            graph(prefix, quads);
            add(kind, prefix);
        } else if (choice < 95) {
            boolean begins = open == fault();
            add(begins ? "transaction_start" : random.nextBoolean() ? "transaction_commit" : "transaction_abort", null);
            open = begins;
        } else if (type == 3 && !open || fault()) {
            add("punctuation", null);
        }
    }

    private void rdfRow(int choice) {
        if (choice < 80) {
            if (type == 3 && !open && !fault()) {
                rdfRow(85);
            }
            statement(quads != fault() ? "quad" : "triple", quads);
        } else if (choice < 90) {
            if (type == 3 || fault()) {
                boolean begins = open == fault();
                DynamicMessage.Builder start = begins ? content("graph_start") : null;
                if (begins && !fault()) {
                    term(start, "g", 0);
                }
                add(begins ? "graph_start" : "graph_end", start);
                open = begins;
            }
        } else {
            DynamicMessage.Builder namespace = content("namespace");
            set(namespace, "name", text());
            if (!fault()) {
                set(namespace, "value", iri(namespace.getDescriptorForType().findFieldByName("value").getMessageType()));
            }
            add("namespace", namespace);
        }
    }

    private void statement(String kind, boolean hasGraph) {
        DynamicMessage.Builder statement = content(kind);
        for (String position : List.of("s", "p", "o")) {
            if (!seen.contains(position) && !fault() || random.nextInt(3) > 0) {
                term(statement, position, 0);
                seen.add(position);
            }
        }
        if (statement.getDescriptorForType().findFieldByName("g_iri") != null) {
            graph(statement, hasGraph);
        }
        add(kind, statement);
    }

    private void graph(DynamicMessage.Builder row, boolean hasGraph) {
        if (hasGraph ? !seen.contains("g") && !fault() || random.nextInt(3) > 0 : fault()) {
            term(row, "g", 0);
            seen.add("g");
        }
    }

    private DynamicMessage.Builder content(String kind) {
        return DynamicMessage.newBuilder(rowType.findFieldByName(kind).getMessageType());
    }

    private void add(String kind, DynamicMessage.Builder content) {
        rows.add(DynamicMessage.newBuilder(rowType)
                .setField(rowType.findFieldByName(kind), (content == null ? content(kind) : content).build()).build());
    }

    // --- terms

    private void term(DynamicMessage.Builder to, String position, int depth) {
        boolean anything = generalized || fault();
        boolean isValue = position.equals("o") || position.equals("h");
        int choice = random.nextInt(4);
        if (choice == 0 && depth < MAX_DEPTH && (star || fault()) && !position.equals("g")
                && (anything || !position.equals("p"))) {
            String field = position + "_triple_term";
            DynamicMessage.Builder triple =
                    DynamicMessage.newBuilder(to.getDescriptorForType().findFieldByName(field).getMessageType());
            for (String inner : List.of("s", "p", "o")) {
                if (!fault()) {
                    term(triple, inner, depth + 1);
                }
            }
            set(to, field, triple.build());
        } else if (choice == 0 && position.equals("g")) {
            FieldDescriptor field = to.getDescriptorForType().findFieldByName("g_default_graph");
            to.setField(field, DynamicMessage.getDefaultInstance(field.getMessageType()));
        } else if (choice == 1 && (anything || isValue)) {
            set(to, position + "_literal", literal(to, position + "_literal"));
        } else if (choice == 2 && (anything || !position.equals("p"))) {
            set(to, position + "_bnode", "b" + random.nextInt(5));
        } else {
            String field = position + "_iri";
            set(to, field, iri(to.getDescriptorForType().findFieldByName(field).getMessageType()));
        }
    }

    private Message iri(Descriptor type) {
        Table names = tables.get("name");
        Table prefixes = tables.get("prefix");
        int prefix = prefixes.set.isEmpty() || random.nextBoolean() ? 0 : pick(prefixes.set);
        int name = names.set.contains(lastName + 1) && random.nextInt(3) > 0 ? 0 : pick(names.set);
        prefix = fault() ? random.nextInt(6) : prefix;
        name = fault() ? random.nextInt(22) : name;
        lastName = name == 0 ? lastName + 1 : name;
        DynamicMessage.Builder made = DynamicMessage.newBuilder(type);
        set(made, "prefix_id", prefix);
        set(made, "name_id", name);
        return made.build();
    }

    private Message literal(DynamicMessage.Builder to, String field) {
        DynamicMessage.Builder made =
                DynamicMessage.newBuilder(to.getDescriptorForType().findFieldByName(field).getMessageType());
        set(made, "lex", text());
        Set<Integer> datatypes = tables.get("datatype").set;
        int choice = random.nextInt(3);
        if (fault()) {
            set(made, "datatype", random.nextInt(5));
        } else if (choice == 0) {
            set(made, "langtag", TAGS[random.nextInt(TAGS.length)]);
        } else if (choice == 1 && !datatypes.isEmpty()) {
            set(made, "datatype", pick(datatypes));
        }
        return made.build();
    }

    private String text() {
        return random.nextBoolean() ? TEXTS[random.nextInt(TEXTS.length)] : "n" + random.nextInt(20);
    }

    private int pick(Set<Integer> from) {
        return List.copyOf(from).get(random.nextInt(from.size()));
    }

    private static void set(DynamicMessage.Builder message, String field, Object value) {
        message.setField(message.getDescriptorForType().findFieldByName(field), value);
    }

    private static void setEnum(DynamicMessage.Builder message, String field, int number) {
        EnumDescriptor values = message.getDescriptorForType().findFieldByName(field).getEnumType();
        set(message, field, values.findValueByNumber(number));
    }
}
