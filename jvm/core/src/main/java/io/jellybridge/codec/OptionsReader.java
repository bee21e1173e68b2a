package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;
import java.util.function.Consumer;

/**
 * Reads an options row: the fields with the same numbers in both formats, and the values of the others. Each row has a new
 * reader.
 */
final class OptionsReader {
    /** A string in Jelly-RDF. In Jelly-Patch the field is a number, so a string is an unknown field. */
    private static final int STREAM_NAME = 1 << 3 | WireReader.LENGTH_DELIMITED;
    private static final int GENERALIZED = 3;
    private static final int STAR = 4;
    private static final int NAMES = 9;
    private static final int PREFIXES = 10;
    private static final int DATATYPES = 11;
    private static final int VERSION = 15;

    private final StreamReader<?, ?> place;
    private final WireReader wire;
    private final ReadOptions limits;
    /** The values by field, with all 64 bits. A flag uses all of them, a number the lower half. */
    private final long[] numbers = new long[VERSION + 1];

    OptionsReader(StreamReader<?, ?> place, WireReader wire, ReadOptions limits) {
        this.place = place;
        this.wire = wire;
        this.limits = limits;
    }

    /**
     * Reads the message up to the bound.
     *
     * @param streamName receives the stream's name if there is one; null in a format without names
     */
    void readFields(Consumer<byte[]> streamName) {
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if ((tag & 7) == WireReader.VARINT && tag >>> 3 <= VERSION) {
                numbers[tag >>> 3] = wire.varint();
            } else if (tag == STREAM_NAME && streamName != null) {
                streamName.accept(wire.string());
            } else {
                wire.skip(tag);
            }
        }
    }

    /** Returns the number in a field, or 0 if it is not set. */
    long getNumber(int field) {
        return numbers[field] & 0xFFFFFFFFL;
    }

    boolean generalized() {
        return numbers[GENERALIZED] != 0;
    }

    boolean star() {
        return numbers[STAR] != 0;
    }

    int names() {
        return (int) getNumber(NAMES);
    }

    int prefixes() {
        return (int) getNumber(PREFIXES);
    }

    int datatypes() {
        return (int) getNumber(DATATYPES);
    }

    long version() {
        return getNumber(VERSION);
    }

    void checkVersion(int newest) {
        if (version() == 0) {
            throw place.newError(Rule.VERSION_SET, "options without a version", Advice.WRITER_BUG);
        }
        if (version() > newest) {
            throw place.newError(Rule.VERSION_KNOWN, "version " + version() + " of the format",
                    "this reader knows version " + newest + "; read the file with a newer one");
        }
    }

    /** Checks the sizes of the lookups. Afterwards each size is an int within the limits. */
    void checkTables() {
        if (getNumber(NAMES) < PatchOptions.MIN_NAME_TABLE_SIZE) {
            throw place.newError(Rule.NAME_TABLE_MINIMUM, "a name lookup of " + getNumber(NAMES) + " entries, below "
                    + PatchOptions.MIN_NAME_TABLE_SIZE, Advice.WRITER_BUG);
        }
        checkTable("maxNameTableSize", getNumber(NAMES), limits.maxNameTableSize());
        checkTable("maxPrefixTableSize", getNumber(PREFIXES), limits.maxPrefixTableSize());
        checkTable("maxDatatypeTableSize", getNumber(DATATYPES), limits.maxDatatypeTableSize());
    }

    private void checkTable(String option, long size, int limit) {
        if (size > limit) {
            throw place.newError(Rule.LIMIT, "options that ask for " + option + "=" + size + ", above the limit of " + limit,
                    Advice.raise(option));
        }
    }

    /** Checks that a repeated options row equals the first. */
    void checkIdentical(Object first, Object found) {
        if (!first.equals(found)) {
            throw place.newError(Rule.OPTIONS_IDENTICAL, "options that differ from the first: " + found + " after " + first,
                    "two files were joined, or the file is damaged; read each by itself");
        }
    }

    <T> TermReader<T> termReader(TermFactory<T> terms) {
        return new TermReader<>(wire, terms, limits, place::newError, place::tolerate, place::joinOffsets, place::bytesRead,
                generalized(), star(), names(), prefixes(), datatypes());
    }
}
