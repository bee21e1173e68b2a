package io.jellybridge.codec;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * A visitor that creates the term that it is shown. It reuses the terms of earlier IRIs, since predicates, datatypes and graphs
 * repeat. This cache is direct-mapped: an IRI replaces another in the same slot. Not thread-safe.
 *
 * @param <T> the type of a term
 */
public final class TermAssembler<T> implements TermVisitor {
    private static final byte[] NO_PREFIX = new byte[0];
    private static final int SLOTS = 1 << 11;
    /** The length limit of an IRI in the cache, which bounds its memory. */
    private static final int MAX_CACHED = 512;

    private record Known<T>(byte[] iri, T term) {
    }

    private final TermFactory<T> factory;
    /** Null until the first IRI, since many assemblers are shown a single term. */
    private List<Known<T>> cache;
    /** The terms so far of each incomplete triple term, innermost first. */
    private final Deque<List<T>> open = new ArrayDeque<>();
    private T done;

    public TermAssembler(TermFactory<T> factory) {
        this.factory = factory;
    }

    /** Clears all state, even after an incomplete term. */
    public void clear() {
        open.clear();
        done = null;
    }

    /** Returns the last complete term. */
    public T term() {
        return done;
    }

    private void addTerm(T term) {
        if (open.isEmpty()) {
            done = term;
        } else {
            open.peek().add(term);
        }
    }

    /** Returns the term of an IRI, which is bare and without escapes. */
    public T toIri(byte[] bytes, int offset, int length) {
        if (length > MAX_CACHED) {
            return factory.iri(NO_PREFIX, Arrays.copyOfRange(bytes, offset, offset + length));
        }
        if (cache == null) {
            cache = new ArrayList<>(Collections.nCopies(SLOTS, null));
        }
        int slot = WriteLookup.hashOf(bytes, offset, length) & SLOTS - 1;
        Known<T> found = cache.get(slot);
        if (found == null || !Arrays.equals(found.iri, 0, found.iri.length, bytes, offset, offset + length)) {
            byte[] iri = Arrays.copyOfRange(bytes, offset, offset + length);
            found = new Known<>(iri, factory.iri(NO_PREFIX, iri));
            cache.set(slot, found);
        }
        return found.term;
    }

    @Override
    public void iri(byte[] bytes, int offset, int length) {
        addTerm(toIri(bytes, offset, length));
    }

    @Override
    public void blankNode(byte[] bytes, int offset, int length) {
        addTerm(factory.blankNode(bytes, offset, length));
    }

    @Override
    public void literal(byte[] bytes, int offset, int length) {
        addTerm(factory.literal(bytes, offset, length));
    }

    @Override
    public void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
        if (bytes == lang) {
            addTerm(factory.langLiteral(bytes, offset, length, langOffset, langLength));
            return;
        }
        byte[] both = Arrays.copyOfRange(bytes, offset, offset + length + langLength);
        System.arraycopy(lang, langOffset, both, length, langLength);
        addTerm(factory.langLiteral(both, 0, length, length, langLength));
    }

    @Override
    public void typedLiteral(
            byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset, int datatypeLength) {
        addTerm(factory.typedLiteral(bytes, offset, length, toIri(datatype, datatypeOffset, datatypeLength)));
    }

    @Override
    public void startTriple() {
        open.push(new ArrayList<>(3));
    }

    @Override
    public void endTriple() {
        List<T> terms = open.pop();
        addTerm(factory.tripleTerm(terms.get(0), terms.get(1), terms.get(2)));
    }
}
