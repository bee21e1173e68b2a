package io.jellybridge.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;

/** Terms of every kind with every kind of character, made by a factory, with what a visit of them must show. */
final class RandomTerms {
    private static final int MAX_DEPTH = 4;
    private static final String[] TAGS = {"en", "en-gb", "x-a", "ar--rtl", "de_ch"};
    private static final String[] DATATYPES = {"http://www.w3.org/2001/XMLSchema#integer", "", "x: y\n"};

    private final Random random;

    RandomTerms(long seed) {
        random = new Random(seed);
    }

    /** A term; appends to {@code said} what a visit must show. */
    byte[] term(Utf8Terms terms, StringBuilder said, int depth) {
        String word = word();
        byte[] bytes = word.getBytes(UTF_8);
        switch (random.nextInt(depth < MAX_DEPTH ? 6 : 5)) {
            case 0:
                said.append("iri[").append(word).append(']');
                return split(terms, word);
            case 1:
                said.append("blank[").append(word).append(']');
                return terms.blankNode(bytes, 0, bytes.length);
            case 2:
                said.append("lit[").append(word).append(']');
                return terms.literal(bytes, 0, bytes.length);
            case 3:
                String tag = TAGS[random.nextInt(TAGS.length)];
                said.append("lit[").append(word).append("]@[").append(tag).append(']');
                byte[] both = (word + tag).getBytes(UTF_8);
                return terms.langLiteral(both, 0, bytes.length, bytes.length, both.length - bytes.length);
            case 4:
                String datatype = DATATYPES[random.nextInt(DATATYPES.length)];
                said.append("lit[").append(word).append("]^[").append(datatype).append(']');
                return terms.typedLiteral(bytes, 0, bytes.length, split(terms, datatype));
            default:
                said.append('(');
                byte[] subject = term(terms, said, depth + 1);
                byte[] predicate = term(terms, said, depth + 1);
                byte[] object = term(terms, said, depth + 1);
                said.append(')');
                return terms.tripleTerm(subject, predicate, object);
        }
    }

    private byte[] split(Utf8Terms terms, String iri) {
        int at = iri.offsetByCodePoints(0, random.nextInt(iri.codePointCount(0, iri.length()) + 1));
        return terms.iri(iri.substring(0, at).getBytes(UTF_8), iri.substring(at).getBytes(UTF_8));
    }

    /** A few characters; short, so that equal ones come up too. */
    private String word() {
        StringBuilder word = new StringBuilder();
        for (int length = random.nextInt(5); length > 0; length--) {
            word.appendCodePoint(character());
        }
        return word.toString();
    }

    private int character() {
        switch (random.nextInt(6)) {
            case 0:
                return random.nextInt(0x21);
            case 1:
                return "\"\\<>{}|^`@_:().u".charAt(random.nextInt(16));
            case 2:
                return 0xFFFC + random.nextInt(6);
            case 3:
                int any = random.nextInt(Character.MAX_CODE_POINT + 1);
                return any >= Character.MIN_SURROGATE && any <= Character.MAX_SURROGATE ? 0x7F : any;
            default:
                return 'a' + random.nextInt(3);
        }
    }
}
