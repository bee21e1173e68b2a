package io.jellybridge.codec;

import io.jellybridge.wire.Utf8;
import io.jellybridge.wire.WireReader;
import java.util.Arrays;

/** Reads the entries of lookups: an id and a string, each optional. */
final class EntryReader {
    private static final int ID = 1 << 3 | WireReader.VARINT;
    private static final int VALUE = 2 << 3 | WireReader.LENGTH_DELIMITED;
    private static final byte[] NO_BYTES = new byte[0];

    private final WireReader wire;
    private long id;
    private byte[] value;

    EntryReader(WireReader wire) {
        this.wire = wire;
    }

    /** Returns the id of the entry, from 0 to 2^32 - 1. 0 stands for the id after that of the entry before. */
    long id() {
        return id;
    }

    /** Returns the string of the entry, in an array that is not shared. */
    byte[] value() {
        return value;
    }

    /** Reads the entry up to the bound. */
    void read() {
        byte[] bytes = wire.bytes();
        int at = wire.position();
        int end = wire.limit();
        int small = 0;
        if (at + 1 < end && bytes[at] == ID) {
            small = bytes[at + 1];
            at += 2;
            if (small < 0 && at < end && bytes[at] >= 0) {
                small = small & 0x7F | bytes[at++] << 7;
            }
        }
        if (small >= 0 && at + 1 < end && bytes[at] == VALUE && bytes[at + 1] == end - at - 2) {
            // Nearly all entries have this form: an id of one or two bytes or none, then a value of less than 128 bytes.
            id = small;
            Utf8.check(bytes, at + 2, bytes[at + 1]);
            value = Arrays.copyOfRange(bytes, at + 2, end);
        } else {
            readAnyForm();
        }
    }

    private void readAnyForm() {
        id = 0;
        value = NO_BYTES;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == ID) {
                id = wire.uint32();
            } else if (tag == VALUE) {
                value = wire.string();
            } else {
                wire.skip(tag);
            }
        }
    }
}
