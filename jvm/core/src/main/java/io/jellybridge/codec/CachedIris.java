package io.jellybridge.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Creates terms, and reuses the terms of earlier IRIs, since predicates and graphs repeat. The cache is direct-mapped: an IRI
 * replaces another in the same slot. Not thread-safe.
 */
public final class CachedIris<T> extends TermAssembler<T> {
    private static final int SLOTS = 1 << 11;
    /** The length limit of a cached IRI, which bounds the memory of the cache. */
    private static final int MAX_LENGTH = 512;

    private record Entry<T>(byte[] iri, T term) {
    }

    private final List<Entry<T>> slots = new ArrayList<>(Collections.nCopies(SLOTS, null));

    public CachedIris(TermFactory<T> factory) {
        super(factory);
    }

    @Override
    public T make(byte[] bytes, int offset, int length) {
        if (length > MAX_LENGTH) {
            return super.make(bytes, offset, length);
        }
        int slot = WriteLookup.hashOf(bytes, offset, length) & SLOTS - 1;
        Entry<T> found = slots.get(slot);
        if (found == null || !Arrays.equals(found.iri, 0, found.iri.length, bytes, offset, offset + length)) {
            byte[] iri = Arrays.copyOfRange(bytes, offset, offset + length);
            found = new Entry<>(iri, super.make(bytes, offset, length));
            slots.set(slot, found);
        }
        return found.term;
    }
}
