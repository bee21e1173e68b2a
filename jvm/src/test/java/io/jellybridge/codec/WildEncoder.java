package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Writes a message in ways that protobuf's parser takes for the same, and that no writer known writes: fields in any order;
 * numbers, strings and members of oneofs that others follow; messages in pieces; unknown fields of every wire type; known
 * ones of another wire type than theirs; numbers of more bytes, or more bits, than they need.
 */
final class WildEncoder {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int GROUP = 3;
    private static final int END_GROUP = 4;
    private static final int FIXED32 = 5;
    private static final int MAX_DEPTH = 4;
    private static final int[] UNKNOWN_FIELDS = {7, 8, 16, 101, Restart.FIELD, 5000, (1 << 29) - 1};

    private final Random random;
    /** How often it does what need not be done, of 100. */
    private final int wildness;
    /** How deep it is in what does not count in the end: there it does nothing that need not be done. */
    private int inVain;

    WildEncoder(Random random) {
        this.random = random;
        this.wildness = random.nextInt(4) == 0 ? 0 : random.nextInt(30);
    }

    /** The frames of a stream: each behind its length, or one as it is. */
    byte[] stream(List<? extends Message> frames, boolean delimited) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Message frame : frames) {
            byte[] bytes = join(fields(frame));
            if (delimited) {
                out.writeBytes(varint(bytes.length));
            }
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    private boolean wild() {
        return inVain == 0 && random.nextInt(100) < wildness;
    }

    /** The fields of a message in an order that means the same. */
    private List<byte[]> fields(Message message) {
        List<Deque<byte[]>> groups = new ArrayList<>();
        Descriptor type = message.getDescriptorForType();
        for (FieldDescriptor field : type.getFields()) {
            if (field.getContainingOneof() == null) {
                groups.add(field(message, field));
            }
        }
        for (OneofDescriptor oneof : type.getOneofs()) {
            groups.add(oneof(message, oneof));
        }
        while (wild()) {
            groups.add(new ArrayDeque<>(List.of(unknown(type, 0))));
        }
        groups.removeIf(Deque::isEmpty);
        boolean shuffles = wild();
        List<byte[]> all = new ArrayList<>();
        while (!groups.isEmpty()) {
            int next = shuffles ? random.nextInt(groups.size()) : 0;
            all.add(groups.get(next).poll());
            groups.removeIf(Deque::isEmpty);
        }
        return all;
    }

    @SuppressWarnings("unchecked")
    private Deque<byte[]> field(Message message, FieldDescriptor field) {
        Deque<byte[]> written = new ArrayDeque<>();
        if (field.isRepeated()) {
            for (Message each : (List<Message>) message.getField(field)) {
                written.add(bytesField(field.getNumber(), join(fields(each))));
            }
        } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            if (message.hasField(field)) {
                pieces(field, (Message) message.getField(field), written);
            }
        } else {
            boolean anything = message.hasField(field);
            while (wild()) {
                written.add(scalar(field, other(field)));
                anything = true;
            }
            if (anything) {
                written.add(scalar(field, message.getField(field)));
            }
        }
        return written;
    }

    private Deque<byte[]> oneof(Message message, OneofDescriptor oneof) {
        Deque<byte[]> written = new ArrayDeque<>();
        FieldDescriptor set = message.getOneofFieldDescriptor(oneof);
        if (set == null) {
            return written;
        }
        FieldDescriptor last = null;
        while (wild() || last == set && set.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            last = oneof.getField(random.nextInt(oneof.getFieldCount()));
            inVain++;
            written.add(value(last, other(last)));
            inVain--;
        }
        if (set.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            pieces(set, (Message) message.getField(set), written);
        } else {
            written.add(scalar(set, message.getField(set)));
        }
        return written;
    }

    /** A message, mostly in one piece. */
    private void pieces(FieldDescriptor field, Message message, Deque<byte[]> to) {
        List<byte[]> fields = fields(message);
        int start = 0;
        while (wild()) {
            int end = start + random.nextInt(fields.size() - start + 1);
            to.add(bytesField(field.getNumber(), join(fields.subList(start, end))));
            start = end;
        }
        to.add(bytesField(field.getNumber(), join(fields.subList(start, fields.size()))));
    }

    // --- values

    private byte[] value(FieldDescriptor field, Object value) {
        return value instanceof Message message ? bytesField(field.getNumber(), join(fields(message)))
                : scalar(field, value);
    }

    private byte[] scalar(FieldDescriptor field, Object value) {
        return switch (field.getJavaType()) {
            case STRING -> bytesField(field.getNumber(), ((String) value).getBytes(UTF_8));
            case BOOLEAN -> numberField(field, (Boolean) value ? truth() : 0);
            case ENUM -> numberField(field, wide(((EnumValueDescriptor) value).getNumber()));
            case INT -> numberField(field, wide((Integer) value));
            default -> throw new AssertionError(field.getFullName());
        };
    }

    /** Some value that the field may have. */
    private Object other(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case STRING -> "other" + random.nextInt(100);
            case BOOLEAN -> random.nextBoolean();
            case ENUM -> field.getEnumType().getValues().get(random.nextInt(field.getEnumType().getValues().size()));
            case INT -> random.nextInt();
            case MESSAGE -> otherMessage(field.getMessageType());
            default -> throw new AssertionError(field.getFullName());
        };
    }

    private Message otherMessage(Descriptor type) {
        DynamicMessage.Builder made = DynamicMessage.newBuilder(type);
        inVain++;
        for (FieldDescriptor field : type.getFields()) {
            boolean nests = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
            if (random.nextInt(4) == 0 && !(nests && inVain > MAX_DEPTH)) {
                made.setField(field, other(field));
            }
        }
        inVain--;
        return made.build();
    }

    /** A number that says yes. */
    private long truth() {
        return wild() ? 1L << random.nextInt(64) : 1;
    }

    /** A number of which protobuf takes the lower half. */
    private long wide(int value) {
        return value & 0xFFFFFFFFL | (wild() ? (long) random.nextInt() << 32 : 0);
    }

    // --- bytes

    private byte[] numberField(FieldDescriptor field, long value) {
        return join(List.of(key(field.getNumber(), VARINT), varint(value)));
    }

    private byte[] bytesField(int field, byte[] content) {
        return join(List.of(key(field, BYTES), varint(content.length), content));
    }

    private byte[] key(int field, int wireType) {
        return varint((long) field << 3 | wireType);
    }

    /**
     * A varint, now and then of more bytes than it needs. Not of ten then: protobuf's parser for Java takes the tenth for 1,
     * also where it is 0, as that for Python does not.
     */
    private byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        int size = wild() ? 1 + random.nextInt(9) : 1;
        while (rest >>> 7 != 0 || out.size() < size - 1) {
            out.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
        return out.toByteArray();
    }

    /** A field that the message does not have, or has of another wire type. */
    private byte[] unknown(Descriptor type, int depth) {
        int number = random.nextBoolean() ? UNKNOWN_FIELDS[random.nextInt(UNKNOWN_FIELDS.length)] : 1 + random.nextInt(16);
        FieldDescriptor known = type.findFieldByNumber(number);
        List<Integer> wireTypes = new ArrayList<>(List.of(VARINT, FIXED64, BYTES, GROUP, FIXED32));
        if (known != null) {
            boolean isNumber = switch (known.getJavaType()) {
                case INT, BOOLEAN, ENUM -> true;
                default -> false;
            };
            wireTypes.remove((Integer) (isNumber ? VARINT : BYTES));
        }
        int wireType = wireTypes.get(random.nextInt(wireTypes.size()));
        byte[] content = new byte[random.nextInt(20)];
        random.nextBytes(content);
        return switch (wireType) {
            case VARINT -> join(List.of(key(number, VARINT), varint(random.nextLong())));
            case FIXED64 -> join(List.of(key(number, FIXED64), Arrays.copyOf(content, 8)));
            case BYTES -> bytesField(number, content);
            case FIXED32 -> join(List.of(key(number, FIXED32), Arrays.copyOf(content, 4)));
            default -> {
                List<byte[]> group = new ArrayList<>(List.of(key(number, GROUP)));
                for (int fields = depth < 3 ? random.nextInt(3) : 0; fields > 0; fields--) {
                    group.add(unknown(type, depth + 1));
                }
                group.add(key(number, END_GROUP));
                yield join(group);
            }
        };
    }

    private static byte[] join(List<byte[]> parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        parts.forEach(out::writeBytes);
        return out.toByteArray();
    }
}
