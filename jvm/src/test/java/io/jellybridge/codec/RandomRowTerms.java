package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random terms for the positions of rows: every kind that the options allow, repeated ones, odd strings. */
final class RandomRowTerms {
    private static final String[] NAMESPACES = {
        "http://e/", "http://e/a/", "http://e/b#", "urn:x:", "", "https://例え.jp/ü/", "http://sp ace/<>{}|\\^`\""};
    private static final String[] STRINGS = {
        "", " ", "x", "\u0000", "a\u0000b", "line\nbreak\r\t\"quoted\" \\ back", "chrząszcz", "日本語", "😀",
        "\uFFFE\uFFFF", "\u007F\u0001\u000B", "x".repeat(300), "é", "e\u0301", "\uD7FF\uE000", "_:b", "<iri>", "@en"};
    private static final String[] TAGS = {"en", "EN", "en-gb", "pl", "ar--rtl", "he--ltr", "zh-Hant-TW", "en_US"};
    private static final String[] DATATYPES = {
        "http://www.w3.org/2001/XMLSchema#integer", "http://www.w3.org/2001/XMLSchema#string", "http://d/1", "urn:d:2", ""};

    private enum Role { SUBJECT, PREDICATE, OBJECT, VALUE, INNER_SUBJECT }

    private final Random random;
    private final boolean generalized;
    private final boolean star;
    private final boolean datatypes;
    private final int variety;
    private final Utf8Terms terms = new Utf8Terms();
    private final List<byte[]> pool = new ArrayList<>();

    RandomRowTerms(Random random, boolean generalized, boolean star, boolean datatypes) {
        this.random = random;
        this.generalized = generalized;
        this.star = star;
        this.datatypes = datatypes;
        this.variety = 1 + random.nextInt(60);
    }

    byte[] subject() {
        return term(Role.SUBJECT);
    }

    byte[] predicate() {
        return term(Role.PREDICATE);
    }

    byte[] object() {
        return term(Role.OBJECT);
    }

    /** A header's value. */
    byte[] value() {
        return term(Role.VALUE);
    }

    /** A graph; null is the default graph. */
    byte[] graph() {
        if (random.nextInt(3) == 0) {
            return null;
        }
        if (generalized && random.nextInt(4) == 0) {
            return literal();
        }
        return random.nextInt(4) == 0 ? blankNode() : iri();
    }

    String string() {
        return pick(STRINGS);
    }

    String prefixName() {
        return pick("", "ex", "é", "a-b.c");
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
        boolean anything = generalized && random.nextInt(5) == 0;
        if (star && depth < 3 && (role != Role.PREDICATE || anything) && random.nextInt(8) == 0) {
            return terms.tripleTerm(newTerm(Role.INNER_SUBJECT, depth + 1), newTerm(Role.PREDICATE, depth + 1),
                    newTerm(Role.OBJECT, depth + 1));
        }
        int choice = random.nextInt(3);
        if (role == Role.PREDICATE && !anything || choice == 0) {
            return iri();
        }
        if (choice == 1 || (role == Role.SUBJECT || role == Role.INNER_SUBJECT) && !anything) {
            return blankNode();
        }
        return literal();
    }

    byte[] iri() {
        String name = random.nextInt(5) == 0 ? pick(STRINGS) : "n" + random.nextInt(variety);
        return terms.iri(utf8(pick(NAMESPACES)), utf8(name));
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
        if (choice == 1 && datatypes) {
            return terms.typedLiteral(lex, 0, lex.length, terms.iri(new byte[0], utf8(pick(DATATYPES))));
        }
        return terms.literal(lex, 0, lex.length);
    }

    private String pick(String... from) {
        return from[random.nextInt(from.length)];
    }
}
