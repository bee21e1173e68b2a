package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random patches from a seed: every term kind, repeated terms, odd strings. Only what the options allow, except for calls
 * that a writer has to refuse, which {@link #illegalCall} makes.
 */
final class RandomPatches {
    private static final String[] NAMESPACES = {
        "http://e/", "http://e/a/", "http://e/b#", "urn:x:", "", "https://例え.jp/ü/", "http://sp ace/<>{}|\\^`\""};
    private static final String[] STRINGS = {
        "", " ", "x", "\u0000", "a\u0000b", "line\nbreak\r\t\"quoted\" \\ back", "chrząszcz", "日本語", "😀",
        "\uFFFE\uFFFF", "\u007F\u0001\u000B", "x".repeat(300), "é", "e\u0301", "\uD7FF\uE000", "_:b", "<iri>", "@en"};
    private static final String[] TAGS = {"en", "EN", "en-gb", "pl", "ar--rtl", "he--ltr", "zh-Hant-TW", "en_US"};
    private static final String[] DATATYPES = {
        "http://www.w3.org/2001/XMLSchema#integer", "http://www.w3.org/2001/XMLSchema#string", "http://d/1", "urn:d:2", ""};

    private final Random random;
    private final PatchOptions options;
    private final int variety;
    private final Utf8Terms terms = new Utf8Terms();
    private final List<byte[]> pool = new ArrayList<>();

    RandomPatches(long seed, PatchOptions options) {
        this.random = new Random(seed);
        this.options = options;
        this.variety = 1 + random.nextInt(60);
    }

    /**
     * Makes random calls.
     *
     * @param to      gets the legal calls, each once
     * @param patches how many patches, each ended
     * @param each    runs before every legal call
     */
    void patches(PatchHandler<byte[]> to, int patches, Runnable each) {
        for (int patch = 0; patch < patches; patch++) {
            int rows = random.nextInt(40);
            boolean open = false;
            for (int row = 0; row < rows; row++) {
                each.run();
                int choice = random.nextInt(20);
                if (choice == 0) {
                    to.header(utf8(pick(STRINGS)), term(Role.VALUE));
                } else if (choice < 3) {
                    Op op = random.nextBoolean() ? Op.PA : Op.PD;
                    byte[] namespace = op == Op.PD && random.nextBoolean() ? null : iri();
                    to.prefix(op, utf8(pick("", "ex", "é", "a-b.c")), namespace, graph());
                } else if (choice < 6) {
                    to.transaction(open ? (random.nextBoolean() ? Op.TC : Op.TA) : Op.TX);
                    open = !open;
                } else {
                    to.statement(random.nextBoolean() ? Op.A : Op.D,
                            term(Role.SUBJECT), term(Role.PREDICATE), term(Role.OBJECT), graph());
                }
            }
            if (open) {
                to.transaction(Op.TC);
            }
            to.endPatch();
        }
    }

    /** Makes one call that a writer of these options has to refuse, whatever came before. */
    void illegalCall(PatchWriter<byte[]> writer) {
        byte[] s = iri();
        byte[] p = iri();
        switch (random.nextInt(7)) {
            case 0 -> writer.statement(Op.A, s, p, null, null);
            case 1 -> writer.statement(Op.A, s, p, utf8("?variable"), null);
            case 2 -> writer.statement(Op.D, s, utf8("<unfinished"), p, null);
            case 3 -> writer.prefix(Op.PA, utf8("ex"), null, null);
            case 4 -> writer.prefix(Op.PA, utf8("a:b"), s, null);
            case 5 -> writer.header(utf8("k"), new byte[] {'"', (byte) 0xFF, '"'});
            default -> writer.prefix(Op.PD, utf8("ex"), utf8("\"no IRI\""), null);
        }
    }

    private enum Role { SUBJECT, PREDICATE, OBJECT, VALUE, INNER_SUBJECT }

    private byte[] graph() {
        if (options.statementType() == StatementType.TRIPLES || random.nextInt(3) == 0) {
            return null;
        }
        if (options.generalizedStatements() && random.nextInt(4) == 0) {
            return literal();
        }
        return random.nextInt(4) == 0 ? blankNode() : iri();
    }

    private byte[] term(Role role) {
        if (role != Role.PREDICATE && !pool.isEmpty() && random.nextInt(4) == 0) {
            return repeat(role);
        }
        byte[] made = newTerm(role, 0);
        if (role != Role.OBJECT && role != Role.VALUE) {
            pool.add(made);
        }
        return made;
    }

    /** A term that came before, half the time as an object of its own. */
    private byte[] repeat(Role role) {
        byte[] term = pool.get(random.nextInt(pool.size()));
        return random.nextBoolean() ? term : term.clone();
    }

    private byte[] newTerm(Role role, int depth) {
        boolean generalized = options.generalizedStatements() && random.nextInt(5) == 0;
        if (options.rdfStar() && depth < 3 && (role != Role.PREDICATE || generalized) && random.nextInt(8) == 0) {
            return terms.tripleTerm(newTerm(Role.INNER_SUBJECT, depth + 1), newTerm(Role.PREDICATE, depth + 1),
                    newTerm(Role.OBJECT, depth + 1));
        }
        int choice = random.nextInt(3);
        if (role == Role.PREDICATE && !generalized || choice == 0) {
            return iri();
        }
        if (choice == 1 || (role == Role.SUBJECT || role == Role.INNER_SUBJECT) && !generalized) {
            return blankNode();
        }
        return literal();
    }

    private byte[] iri() {
        return terms.iri(utf8(pick(NAMESPACES)), utf8(random.nextInt(5) == 0 ? pick(STRINGS) : "n" + random.nextInt(variety)));
    }

    private byte[] blankNode() {
        byte[] label = utf8(random.nextInt(3) == 0 ? pick(STRINGS) : "b" + random.nextInt(variety));
        return terms.blankNode(label, 0, label.length);
    }

    private byte[] literal() {
        byte[] lex = utf8(random.nextBoolean() ? pick(STRINGS) : Integer.toString(random.nextInt(variety)));
        int choice = random.nextInt(3);
        if (choice == 0) {
            byte[] tag = utf8(pick(TAGS));
            byte[] both = new byte[lex.length + tag.length];
            System.arraycopy(lex, 0, both, 0, lex.length);
            System.arraycopy(tag, 0, both, lex.length, tag.length);
            return terms.langLiteral(both, 0, lex.length, lex.length, tag.length);
        }
        if (choice == 1 && options.maxDatatypeTableSize() > 0) {
            return terms.typedLiteral(lex, 0, lex.length, terms.iri(new byte[0], utf8(pick(DATATYPES))));
        }
        return terms.literal(lex, 0, lex.length);
    }

    private String pick(String... from) {
        return from[random.nextInt(from.length)];
    }
}
