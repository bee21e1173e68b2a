package io.jellybridge.codec;

/**
 * The name and prefix lookups of the consumer, and the IRIs that they make. Ids of 0 are relative to the IRI before, so
 * every IRI of the stream has to pass through here, in order (checklist P-66, P-67).
 *
 * @param <T> what a term is
 */
final class IriReader<T> {
    private static final byte[] EMPTY = new byte[0];

    /**
     * A name. The IRI that it made last is kept for as long as it is asked for with the same prefix; {@code iriPrefix} is
     * that prefix by identity, so an overwritten prefix or name never meets an IRI of the old one (P-61).
     */
    static final class Name<T> {
        private final byte[] value;
        private byte[] iriPrefix;
        private T iri;

        private Name(byte[] value) {
            this.value = value;
        }
    }

    private final TermFactory<T> terms;
    private final ReadLookup<Name<T>> names;
    private final ReadLookup<byte[]> prefixes;
    private int lastPrefixId;
    private int lastNameId;

    IriReader(TermFactory<T> terms, ReadLookup<Name<T>> names, ReadLookup<byte[]> prefixes) {
        this.terms = terms;
        this.names = names;
        this.prefixes = prefixes;
    }

    /** The id that a name with this id, from 0 to 2^32 - 1, is to be stored under. */
    int idOfName(long id) {
        return names.idToSet(id);
    }

    void setName(int id, byte[] value) {
        names.set(id, new Name<>(value));
    }

    void setPrefix(long id, byte[] value) {
        prefixes.set(prefixes.idToSet(id), value);
    }

    TableUse nameUse() {
        return names.use();
    }

    TableUse prefixUse() {
        return prefixes.use();
    }

    /** Forgets all entries, and the IRI before. */
    void clear() {
        names.clear();
        prefixes.clear();
        goBackTo(0, 0);
    }

    /**
     * Takes note of an IRI with these ids, each from 0 to 2^32 - 1, whose entries are there. Its ids are then {@link
     * #prefixId()} and {@link #nameId()}.
     */
    void advance(long prefixId, long nameId) {
        if (prefixId != 0) {
            prefixes.get(prefixId);
            lastPrefixId = (int) prefixId;
        }
        long actualNameId = nameId == 0 ? lastNameId + 1L : nameId;
        names.get(actualNameId);
        lastNameId = (int) actualNameId;
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
        byte[] prefix = prefixId == 0 ? EMPTY : prefixes.get(prefixId);
        Name<T> name = names.get(nameId);
        if (name.iriPrefix != prefix) {
            name.iri = terms.iri(prefix, name.value);
            name.iriPrefix = prefix;
        }
        return name.iri;
    }
}
