package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads IRIs from the name and prefix lookups. An id of 0 is relative to the IRI before, so all IRIs of the stream must pass
 * through here in order (checklist P-66, P-67).
 *
 * @param <T> the type of a term
 */
final class IriReader<T> {
    private static final byte[] NO_BYTES = new byte[0];
    /** The version of the prefix id 0, which means no prefix. */
    private static final long NO_PREFIX = 1;
    /** The version of an undefined prefix. No IRI has it. */
    private static final long NOT_SET = -1;
    private static final int INITIAL_ENTRIES = 17;
    private static final int PREFIX_ID = 1 << 3 | WireReader.VARINT;
    private static final int NAME_ID = 2 << 3 | WireReader.VARINT;
    /** The length of an {@code RdfIri} with a prefix id of one byte and a name id of two. */
    private static final int MAX_COMMON_IRI = 5;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final WireReader wire;
    private final TermFactory<T> terms;
    private final ReadLookup<byte[]> names;
    /** The prefix lookup. An entry is an IRI that the names extend. */
    private final ReadLookup<T> prefixes;
    private final TermBudget budget;
    /** The approximate size of the cached IRIs, in bytes. */
    private long cached;

    /**
     * The cache of IRIs. {@code iris} has for each name id the latest IRI of that name. {@code madeWith} has for each name id
     * the version of the prefix of that IRI, or 0 without an IRI. {@code versions} has the version of each prefix id. An
     * overwritten prefix gets a new version, and an overwritten name loses its IRI, so no IRI of an old entry is ever found
     * (P-61). For nearly all IRIs, comparing the two numbers checks that the entries are set and that the term exists.
     */
    private Object[] iris = new Object[INITIAL_ENTRIES];
    private long[] madeWith = new long[INITIAL_ENTRIES];
    private long[] versions = new long[INITIAL_ENTRIES];
    private long lastVersion = NO_PREFIX;

    private int lastPrefixId;
    private int lastNameId;

    IriReader(WireReader wire, TermFactory<T> terms, ReadLookup<byte[]> names, ReadLookup<T> prefixes, TermBudget budget) {
        this.budget = budget;
        this.wire = wire;
        this.terms = terms;
        this.names = names;
        this.prefixes = prefixes;
        forgetVersions();
    }

    /** Returns the id under which to store a name. {@code id} is from 0 to 2^32 - 1. */
    int idOfName(long id) {
        return names.idToSet(id);
    }

    void setName(int id, byte[] value) {
        names.set(id, value, value.length);
        if (id >= madeWith.length) {
            iris = Arrays.copyOf(iris, names.capacity());
            madeWith = Arrays.copyOf(madeWith, names.capacity());
        }
        madeWith[id] = 0;
    }

    void setPrefix(long id, byte[] value) {
        int actual = prefixes.idToSet(id);
        budget.checkBytes(value.length);
        prefixes.set(actual, terms.iri(NO_BYTES, value), value.length);
        if (actual >= versions.length) {
            int known = versions.length;
            versions = Arrays.copyOf(versions, prefixes.capacity());
            Arrays.fill(versions, known, versions.length, NOT_SET);
        }
        versions[actual] = ++lastVersion;
    }

    TableUse nameUse() {
        return names.use();
    }

    TableUse prefixUse() {
        return prefixes.use();
    }

    /** Clears all entries and the last IRI, at a restart point. The next IRI must give its ids. */
    void clear() {
        names.clear();
        prefixes.clear();
        Arrays.fill(iris, null);
        Arrays.fill(madeWith, 0);
        cached = 0;
        forgetVersions();
        restore(prefixes.isUsed() ? ReadLookup.NO_ID : 0, ReadLookup.NO_ID);
    }

    private void forgetVersions() {
        Arrays.fill(versions, NOT_SET);
        versions[0] = NO_PREFIX;
    }

    /** Reads an {@code RdfIri}. */
    T readIri(int start, int end) {
        long ids = idsOfCommonForm(start, end);
        if (ids >= 0) {
            return nextIri((int) ids, (int) (ids >>> 32));
        }
        readAnyForm(start, end);
        return iri(lastPrefixId, lastNameId);
    }

    /** Reads an {@code RdfIri} without creating the term. Its ids are then {@link #prefixId()} and {@link #nameId()}. */
    void pass(int start, int end) {
        long ids = idsOfCommonForm(start, end);
        if (ids >= 0) {
            advanceIds((int) ids, ids >>> 32);
        } else {
            readAnyForm(start, end);
        }
    }

    /**
     * Returns the ids of an {@code RdfIri} of the most common form: at most one prefix id of one byte, then at most one name id
     * of one or two. It is read as one word without branches, since a processor can't predict which of these are there.
     *
     * @return the prefix id, and above its 32 bits the name id; -1 for an {@code RdfIri} of another form
     */
    private long idsOfCommonForm(int start, int end) {
        byte[] bytes = wire.bytes();
        int length = end - start;
        if (length > MAX_COMMON_IRI || start + Long.BYTES > bytes.length) {
            return -1;
        }
        long word = (long) LONGS.get(bytes, start) & (1L << 8 * length) - 1;
        int hasPrefix = (int) ((word & 0xFF ^ PREFIX_ID) - 1 >>> 63);
        int prefixId = (int) (word >>> 8) & 0xFF & -hasPrefix;
        word >>>= hasPrefix << 4;
        int hasName = (int) ((word & 0xFF ^ NAME_ID) - 1 >>> 63);
        int low = (int) (word >>> 8) & 0xFF & -hasName;
        int isLong = low >>> 7;
        int high = (int) (word >>> 16) & 0xFF & -isLong;
        int used = 2 * (hasPrefix + hasName) + isLong;
        if (used != length || ((prefixId | high) & 0x80) != 0) {
            return -1;
        }
        return prefixId | (long) (low & 0x7F | high << 7) << 32;
    }

    private void readAnyForm(int start, int end) {
        long prefixId = 0;
        long nameId = 0;
        wire.setWindow(start, end);
        while (!wire.atEnd()) {
            int tag = wire.tag();
            if (tag == PREFIX_ID) {
                prefixId = wire.uint32();
            } else if (tag == NAME_ID) {
                nameId = wire.uint32();
            } else {
                wire.skip(tag);
            }
        }
        advanceIds(prefixId, nameId);
    }

    /** Updates the last IRI to these ids, each from 0 to 2^32 - 1, and checks that their entries are set. */
    private void advanceIds(long prefixId, long nameId) {
        if (prefixId != 0) {
            prefixes.get(prefixId);
            lastPrefixId = (int) prefixId;
        } else if (lastPrefixId == ReadLookup.NO_ID) {
            throw prefixes.noPreviousError("an IRI's prefix");
        }
        if (nameId == 0 && lastNameId == ReadLookup.NO_ID) {
            throw names.noPreviousError("an IRI's name");
        }
        long actualNameId = nameId == 0 ? lastNameId + 1L : nameId;
        names.get(actualNameId);
        lastNameId = (int) actualNameId;
    }

    /** Returns the IRI with these ids, each from 0 to 2^14 - 1, after {@link #advanceIds}. */
    private T nextIri(int prefixId, int nameId) {
        // No branch, since a processor can't predict whether an id is 0: -1 >> 31 has all bits set.
        int prefix = prefixId | lastPrefixId & prefixId - 1 >> 31;
        int name = nameId | lastNameId + 1 & nameId - 1 >> 31;
        if (prefix < versions.length && name < madeWith.length && madeWith[name] == versions[prefix]) {
            lastPrefixId = prefix;
            lastNameId = name;
            return makeTerm(name);
        }
        advanceIds(prefixId, nameId);
        return iri(lastPrefixId, lastNameId);
    }

    /** Returns the prefix id of the last IRI; 0 if there was no prefix so far. */
    int prefixId() {
        return lastPrefixId;
    }

    /** Returns the name id of the last IRI. */
    int nameId() {
        return lastNameId;
    }

    /** Sets the last IRI back to an earlier one. */
    void restore(int prefixId, int nameId) {
        lastPrefixId = prefixId;
        lastNameId = nameId;
    }

    /** Returns the IRI with these ids, which {@link #advanceIds} has checked, and whose entries have not changed since. */
    T iri(int prefixId, int nameId) {
        if (madeWith[nameId] != versions[prefixId]) {
            byte[] name = names.get(nameId);
            keepIri(lengthOf(prefixId, nameId));
            iris[nameId] = prefixId == 0 ? terms.iri(NO_BYTES, name)
                    : terms.iri(prefixes.get(prefixId), name, 0, name.length);
            madeWith[nameId] = versions[prefixId];
        }
        return makeTerm(nameId);
    }

    /** Makes room for another IRI. If the cache is full, it is cleared. */
    private void keepIri(int length) {
        budget.takeBytes(length);
        cached += length;
        if (cached > budget.cacheBytes()) {
            Arrays.fill(iris, null);
            Arrays.fill(madeWith, 0);
            cached = length;
        }
    }

    private int lengthOf(int prefixId, int nameId) {
        return (prefixId == 0 ? 0 : prefixes.bytesOf(prefixId)) + names.bytesOf(nameId);
    }

    /** Returns the length of the last IRI, in bytes. */
    int length() {
        return lengthOf(lastPrefixId, lastNameId);
    }

    @SuppressWarnings("unchecked")
    private T makeTerm(int nameId) {
        return (T) iris[nameId];
    }
}
