package io.jellybridge.codec;

import io.jellybridge.wire.WireReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads IRIs: the name and prefix lookups of the consumer, and what they make. Ids of 0 are relative to the IRI before, so
 * every IRI of the stream has to pass through here, in order (checklist P-66, P-67).
 *
 * @param <T> what a term is
 */
final class IriReader<T> {
    private static final byte[] NO_BYTES = new byte[0];
    /** The version of the prefix 0, which is none. */
    private static final long NO_PREFIX = 1;
    /** The version of a prefix that is not set: no IRI is of that. */
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
    /** The prefixes as IRIs of their own, which those of the names extend. */
    private final ReadLookup<T> prefixes;
    private final TermBudget budget;
    /** What the cached IRIs take at the most. */
    private long cached;

    /**
     * By name id, the IRI that the name made last; by name id, the version of the prefix that it was made with, 0 for no
     * IRI; by prefix id, the version of that prefix. An overwritten prefix has a new version and an overwritten name no
     * IRI, so neither meets an IRI of the old one (P-61). Numbers, since it is the one test for nearly all IRIs: that
     * their entries are set, and that their term is there.
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

    /** The id that a name with this id, from 0 to 2^32 - 1, is to be stored under. */
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
        budget.check(value.length);
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

    /** Forgets all entries, and the IRI before, at a restart point: the next IRI has to say its ids. */
    void clear() {
        names.clear();
        prefixes.clear();
        Arrays.fill(iris, null);
        Arrays.fill(madeWith, 0);
        cached = 0;
        forgetVersions();
        goBackTo(prefixes.isUsed() ? ReadLookup.NO_ID : 0, ReadLookup.NO_ID);
    }

    private void forgetVersions() {
        Arrays.fill(versions, NOT_SET);
        versions[0] = NO_PREFIX;
    }

    /** Reads an {@code RdfIri}. */
    T read(int start, int end) {
        long ids = idsOfCommonForm(start, end);
        if (ids >= 0) {
            return next((int) ids, (int) (ids >>> 32));
        }
        passAnyForm(start, end);
        return iri(lastPrefixId, lastNameId);
    }

    /** Reads an {@code RdfIri}, all but making the term. Its ids are then {@link #prefixId()} and {@link #nameId()}. */
    void pass(int start, int end) {
        long ids = idsOfCommonForm(start, end);
        if (ids >= 0) {
            advance((int) ids, ids >>> 32);
        } else {
            passAnyForm(start, end);
        }
    }

    /**
     * The ids of an {@code RdfIri} that is as nearly all are: at most one prefix id of one byte, then at most one name id of
     * one or two. Which of these it has can't be foreseen, so there is no branch on it: the message is taken as one word.
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

    private void passAnyForm(int start, int end) {
        long prefixId = 0;
        long nameId = 0;
        wire.window(start, end);
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
        advance(prefixId, nameId);
    }

    /** Takes note of an IRI with these ids, each from 0 to 2^32 - 1, whose entries are there. */
    private void advance(long prefixId, long nameId) {
        if (prefixId != 0) {
            prefixes.get(prefixId);
            lastPrefixId = (int) prefixId;
        } else if (lastPrefixId == ReadLookup.NO_ID) {
            throw prefixes.afterNothing("an IRI's prefix");
        }
        if (nameId == 0 && lastNameId == ReadLookup.NO_ID) {
            throw names.afterNothing("an IRI's name");
        }
        long actualNameId = nameId == 0 ? lastNameId + 1L : nameId;
        names.get(actualNameId);
        lastNameId = (int) actualNameId;
    }

    /** The IRI with these ids, each from 0 to 2^14 - 1: {@link #advance}, and making the term. */
    private T next(int prefixId, int nameId) {
        // Which of the two forms an id has can't be foreseen, so there is no branch on it: -1 >> 31 is all ones.
        int prefix = prefixId | lastPrefixId & prefixId - 1 >> 31;
        int name = nameId | lastNameId + 1 & nameId - 1 >> 31;
        if (prefix < versions.length && name < madeWith.length && madeWith[name] == versions[prefix]) {
            lastPrefixId = prefix;
            lastNameId = name;
            return made(name);
        }
        advance(prefixId, nameId);
        return iri(lastPrefixId, lastNameId);
    }

    /** The prefix of the last IRI; 0 when no prefix was named so far. */
    int prefixId() {
        return lastPrefixId;
    }

    /** The name of the last IRI. */
    int nameId() {
        return lastNameId;
    }

    /** Makes an IRI of earlier on the last one again. */
    void goBackTo(int prefixId, int nameId) {
        lastPrefixId = prefixId;
        lastNameId = nameId;
    }

    /** The IRI with these ids, as {@link #advance} left them and with the entries that they had then. */
    T iri(int prefixId, int nameId) {
        if (madeWith[nameId] != versions[prefixId]) {
            byte[] name = names.get(nameId);
            keep(length(prefixId, nameId));
            iris[nameId] = prefixId == 0 ? terms.iri(NO_BYTES, name)
                    : terms.iri(prefixes.get(prefixId), name, 0, name.length);
            madeWith[nameId] = versions[prefixId];
        }
        return made(nameId);
    }

    /** Makes room for one more IRI: all others are made again when they come. */
    private void keep(int length) {
        budget.take(length);
        cached += length;
        if (cached > budget.cacheBytes()) {
            Arrays.fill(iris, null);
            Arrays.fill(madeWith, 0);
            cached = length;
        }
    }

    private int length(int prefixId, int nameId) {
        return (prefixId == 0 ? 0 : prefixes.bytesOf(prefixId)) + names.bytesOf(nameId);
    }

    /** The length of the last IRI, in bytes. */
    int length() {
        return length(lastPrefixId, lastNameId);
    }

    @SuppressWarnings("unchecked")
    private T made(int nameId) {
        return (T) iris[nameId];
    }
}
