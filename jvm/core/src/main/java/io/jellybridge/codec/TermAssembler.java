package io.jellybridge.codec;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A visitor that creates the term that it is shown. Not thread-safe.
 *
 * @param <T> the type of a term
 */
public class TermAssembler<T> implements TermVisitor {
    private static final byte[] NO_PREFIX = new byte[0];

    private final TermFactory<T> factory;
    /** The terms so far of each incomplete triple term, innermost first. */
    private final Deque<List<T>> open = new ArrayDeque<>();
    private T done;

    public TermAssembler(TermFactory<T> factory) {
        this.factory = factory;
    }

    /** Clears all state, even after an incomplete term. */
    public final void clear() {
        open.clear();
        done = null;
    }

    /** Returns the last complete term. */
    public final T term() {
        return done;
    }

    private void addTerm(T term) {
        if (open.isEmpty()) {
            done = term;
        } else {
            open.peek().add(term);
        }
    }

    /** Creates the term of an IRI, bare and without escapes. */
    public T make(byte[] iri, int offset, int length) {
        return factory.iri(NO_PREFIX, Arrays.copyOfRange(iri, offset, offset + length));
    }

    @Override
    public final void iri(byte[] bytes, int offset, int length) {
        addTerm(make(bytes, offset, length));
    }

    @Override
    public final void blankNode(byte[] bytes, int offset, int length) {
        addTerm(factory.blankNode(bytes, offset, length));
    }

    @Override
    public final void literal(byte[] bytes, int offset, int length) {
        addTerm(factory.literal(bytes, offset, length));
    }

    @Override
    public final void langLiteral(byte[] bytes, int offset, int length, byte[] lang, int langOffset, int langLength) {
        if (bytes == lang) {
            addTerm(factory.langLiteral(bytes, offset, length, langOffset, langLength));
            return;
        }
        byte[] both = Arrays.copyOfRange(bytes, offset, offset + length + langLength);
        System.arraycopy(lang, langOffset, both, length, langLength);
        addTerm(factory.langLiteral(both, 0, length, length, langLength));
    }

    @Override
    public final void typedLiteral(
            byte[] bytes, int offset, int length, byte[] datatype, int datatypeOffset, int datatypeLength) {
        addTerm(factory.typedLiteral(bytes, offset, length, make(datatype, datatypeOffset, datatypeLength)));
    }

    @Override
    public final void startTriple() {
        open.push(new ArrayList<>(3));
    }

    @Override
    public final void endTriple() {
        List<T> terms = open.pop();
        addTerm(factory.tripleTerm(terms.get(0), terms.get(1), terms.get(2)));
    }
}
