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
    private byte[] lastPrefix = EMPTY;
    private long lastPrefixId;
    private long lastNameId;

    IriReader(TermFactory<T> terms, ReadLookup<Name<T>> names, ReadLookup<byte[]> prefixes) {
        this.terms = terms;
        this.names = names;
        this.prefixes = prefixes;
    }

    void setName(long id, byte[] value) {
        names.set(names.idToSet(id), new Name<>(value));
    }

    void setPrefix(long id, byte[] value) {
        int actual = prefixes.idToSet(id);
        prefixes.set(actual, value);
        if (actual == lastPrefixId) {
            lastPrefix = value;
        }
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
        lastPrefix = EMPTY;
        lastPrefixId = 0;
        lastNameId = 0;
    }

    /** The name of the IRI with these ids, each from 0 to 2^32 - 1; its prefix is {@link #prefix()}. */
    Name<T> name(long prefixId, long nameId) {
        if (prefixId != 0) {
            lastPrefix = prefixes.get(prefixId);
            lastPrefixId = prefixId;
        }
        long actualNameId = nameId == 0 ? lastNameId + 1 : nameId;
        Name<T> name = names.get(actualNameId);
        lastNameId = actualNameId;
        return name;
    }

    /** The prefix of the last IRI. */
    byte[] prefix() {
        return lastPrefix;
    }

    /** The IRI of a prefix and a name. */
    T iri(byte[] prefix, Name<T> name) {
        if (name.iriPrefix != prefix) {
            name.iri = terms.iri(prefix, name.value);
            name.iriPrefix = prefix;
        }
        return name.iri;
    }
}
