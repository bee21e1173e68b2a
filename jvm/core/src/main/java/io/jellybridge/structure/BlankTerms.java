package io.jellybridge.structure;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Renames the blank nodes of terms, including those in triple terms. Not thread-safe. */
public final class BlankTerms {
    private final TermBuilder<byte[], byte[]> ofTriples;
    private final UnaryOperator<byte[]> names;

    /**
     * Creates a renaming.
     *
     * @param names maps the name of a blank node, {@code _:label}, to its new name
     */
    public BlankTerms(UnaryOperator<byte[]> names) {
        this.names = names;
        this.ofTriples = new TermBuilder<>(new Utf8Terms(), new Renaming(names));
    }

    /** Returns true if the term is a blank node or a triple term. */
    static boolean mayHold(byte[] term) {
        return term != null && term.length > 1 && (isBlank(term) || isTriple(term));
    }

    private static boolean isBlank(byte[] term) {
        return term[0] == '_' && term[1] == ':';
    }

    private static boolean isTriple(byte[] term) {
        return term[0] == '<' && term[1] == '<';
    }

    /** Checks whether a statement has a blank node. The graph may be null. */
    public static boolean anyIn(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        return hasAny(subject) || hasAny(object) || hasAny(graph) || hasAny(predicate);
    }

    private static boolean hasAny(byte[] term) {
        return mayHold(term) && (isBlank(term) || !of(term).isEmpty());
    }

    /** Returns all occurrences of blank nodes in a term, each as {@code _:label}. */
    public static List<byte[]> of(byte[] term) {
        List<byte[]> found = new ArrayList<>();
        new BlankTerms(name -> {
            found.add(name);
            return name;
        }).renameLabel(term);
        return found;
    }

    /** Returns the term with its blank nodes renamed. Null stays null. */
    public byte[] renameLabel(byte[] term) {
        if (!mayHold(term)) {
            return term;
        }
        return isBlank(term) ? names.apply(term) : ofTriples.translate(term);
    }

    /** Returns a handler that passes statements on with their blank nodes renamed. */
    public RdfHandler<byte[]> renameTo(RdfHandler<byte[]> target) {
        return (subject, predicate, object, graph) ->
                target.statement(renameLabel(subject), renameLabel(predicate), renameLabel(object), renameLabel(graph));
    }

    private record Renaming(UnaryOperator<byte[]> names, Utf8Terms terms) implements TermFactory<byte[]> {

        Renaming(UnaryOperator<byte[]> names) {
            this(names, new Utf8Terms());
        }

        @Override
        public byte[] iri(byte[] prefix, byte[] name) {
            return terms.iri(prefix, name);
        }

        @Override
        public byte[] iri(byte[] prefix, byte[] name, int offset, int length) {
            return terms.iri(prefix, name, offset, length);
        }

        @Override
        public byte[] blankNode(byte[] bytes, int offset, int length) {
            return names.apply(terms.blankNode(bytes, offset, length));
        }

        @Override
        public byte[] literal(byte[] bytes, int offset, int length) {
            return terms.literal(bytes, offset, length);
        }

        @Override
        public byte[] langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
            return terms.langLiteral(bytes, offset, length, langOffset, langLength);
        }

        @Override
        public byte[] typedLiteral(byte[] bytes, int offset, int length, byte[] datatype) {
            return terms.typedLiteral(bytes, offset, length, datatype);
        }

        @Override
        public byte[] tripleTerm(byte[] subject, byte[] predicate, byte[] object) {
            return terms.tripleTerm(subject, predicate, object);
        }

        @Override
        public byte[] defaultGraph() {
            return terms.defaultGraph();
        }
    }
}
