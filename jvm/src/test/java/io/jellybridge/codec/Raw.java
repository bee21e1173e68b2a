package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;
import io.jellybridge.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A message, field by field: for streams that our writer does not write. */
final class Raw {
    private final WireWriter bytes = new WireWriter(64);

    Raw add(int field, long number) {
        bytes.varintField(field, number);
        return this;
    }

    /** As {@link #add(int, long)}, which leaves out 0; this does not. */
    Raw addAlways(int field, long number) {
        bytes.writeVarint((long) field << 3 | WireReader.VARINT);
        bytes.writeVarint(number);
        return this;
    }

    Raw add(int field, String text) {
        return add(field, Streams.utf8(text));
    }

    Raw add(int field, byte[] content) {
        bytes.bytesField(field, content, 0, content.length);
        return this;
    }

    Raw add(int field, Consumer<Raw> message) {
        int mark = bytes.beginMessage(field);
        message.accept(this);
        bytes.endMessage(mark);
        return this;
    }

    byte[] toBytes() {
        byte[] copy = new byte[bytes.size()];
        bytes.copyTo(copy, 0, copy.length);
        return copy;
    }

    /** The bytes of a message. */
    static byte[] bytes(Consumer<Raw> message) {
        Raw raw = new Raw();
        message.accept(raw);
        return raw.toBytes();
    }

    /** As {@link #flat}, of triples. */
    static byte[] flatTriples(Consumer<Raw> row) {
        return flat(1, row);
    }

    /** A FLAT stream of a statement type, tables of 8 entries, with name 1 and prefix 1 set; then the row. */
    static byte[] flat(int statementType, Consumer<Raw> row) {
        Raw raw = new Raw();
        List<Consumer<Raw>> rows = new ArrayList<>();
        rows.add(r -> r.add(1, options ->
                options.add(1, statementType).add(2, 2).add(9, 8).add(10, 8).add(11, 8).add(15, 1)));
        rows.add(r -> r.add(11, name -> name.add(2, "urn:name")));
        rows.add(r -> r.add(12, prefix -> prefix.add(2, "")));
        rows.add(row);
        rows.forEach(each -> raw.add(1, each));
        return Streams.delimited(raw.bytes);
    }
}
