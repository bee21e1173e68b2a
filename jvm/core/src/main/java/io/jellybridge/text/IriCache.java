package io.jellybridge.text;

import io.jellybridge.codec.TermFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Makes IRIs, and hands those out again that came before: predicates and graphs repeat. Direct-mapped, so of two
 * that meet in a slot the later stays. For one thread.
 */
final class IriCache<T> {
    private static final int SLOTS = 1 << 11;
    /** Longer IRIs are not kept, so that the cache can't hold much. */
    private static final int MAX_LENGTH = 512;
    private static final byte[] NO_BYTES = new byte[0];

    private record Entry<T>(byte[] iri, T term) {
    }

    private final TermFactory<T> factory;
    private final List<Entry<T>> slots = new ArrayList<>(Collections.nCopies(SLOTS, null));

    IriCache(TermFactory<T> factory) {
        this.factory = factory;
    }

    /** The term for an IRI, bare and unescaped. */
    T get(byte[] bytes, int offset, int length) {
        if (length > MAX_LENGTH) {
            return factory.iri(NO_BYTES, Arrays.copyOfRange(bytes, offset, offset + length));
        }
        int hash = 0;
        for (int i = offset, end = offset + length; i < end; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        Entry<T> found = slots.get(slot);
        if (found == null || !Arrays.equals(found.iri, 0, found.iri.length, bytes, offset, offset + length)) {
            byte[] iri = Arrays.copyOfRange(bytes, offset, offset + length);
            found = new Entry<>(iri, factory.iri(NO_BYTES, iri));
            slots.set(slot, found);
        }
        return found.term;
    }
}
