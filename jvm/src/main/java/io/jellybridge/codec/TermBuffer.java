package io.jellybridge.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The terms of one row, flattened to tokens in the order of the visit: what a {@link PatchWriter} needs to know of a
 * row before it writes the first byte of it.
 *
 * <p>A token's bytes are its kind, the lengths of its text and of its extra (4 bytes each, big-endian), the text, the
 * extra. They say all there is about a term, so two terms are the same exactly when their token bytes are.
 */
final class TermBuffer implements TermVisitor {
    static final byte IRI = 1;
    static final byte BLANK_NODE = 2;
    static final byte LITERAL = 3;
    static final byte LANG_LITERAL = 4;
    static final byte TYPED_LITERAL = 5;
    static final byte START_TRIPLE = 6;
    static final byte END_TRIPLE = 7;
    static final byte DEFAULT_GRAPH = 8;

    private static final byte[] XSD_STRING =
            "http://www.w3.org/2001/XMLSchema#string".getBytes(StandardCharsets.US_ASCII);
    /** Kind and the two lengths. */
    private static final int TOKEN_HEAD = 9;
    /** What a token costs on the wire at the most, beside its bytes: tags, lengths, ids, lookup entries. */
    private static final int TOKEN_OVERHEAD = 64;

    private final int maxNesting;
    private final KnownIris known;
    /** The tokens' bytes, one after another. */
    byte[] bytes = new byte[1024];
    int size;
    int tokens;
    /** Of each token: its kind, */
    byte[] kind = new byte[16];
    /** where its bytes start, */
    private int[] start = new int[16];
    /** where its text starts, how long that is, and how long the extra after it is (language tag or datatype), */
    int[] text = new int[16];
    int[] textLength = new int[16];
    int[] extraLength = new int[16];
    /** and for an IRI, where its prefix ends, if it has a text here; */
    int[] splitAt = new int[16];
    /** the ids of its prefix and its name, where they are known, else 0; a datatype's id counts as a name's; */
    int[] prefixId = new int[16];
    int[] nameId = new int[16];
    /** and the hash under which it may become known, or 0. */
    int[] hash = new int[16];
    private boolean takesKnown;
    private int depth;
    private boolean nestedTooDeep;

    /** What {@link #iriAgain} was asked last and did not know. */
    private byte[] askedBytes;
    private int askedOffset;
    private int askedLength;
    private int askedHash;

    TermBuffer(int maxNesting, KnownIris known) {
        this.maxNesting = maxNesting;
        this.known = known;
    }

    /** @param takesKnown whether an IRI that is known may stand for itself, without text */
    void clear(boolean takesKnown) {
        this.takesKnown = takesKnown;
        size = 0;
        tokens = 0;
        depth = 0;
        nestedTooDeep = false;
        askedBytes = null;
    }

    /** Forgets {@code token} and all after it. */
    void truncate(int token) {
        size = start[token];
        tokens = token;
    }

    /** The bytes that the row can take on the wire at the most. */
    long bound() {
        return size + (long) tokens * TOKEN_OVERHEAD;
    }

    /** Whether a triple term was nested deeper than allowed; its tokens are not complete then. */
    boolean nestedTooDeep() {
        return nestedTooDeep;
    }

    /** Where the bytes of {@code token} start. */
    int start(int token) {
        return start[token];
    }

    /** Where the bytes of the whole term end that starts at {@code token}. */
    int endOfTerm(int token) {
        int last = token;
        int open = 0;
        while (true) {
            if (kind[last] == START_TRIPLE) {
                open++;
            } else if (kind[last] == END_TRIPLE) {
                open--;
            }
            if (open == 0) {
                return text[last] + textLength[last] + extraLength[last];
            }
            last++;
        }
    }

    /** Splits an IRI after its last {@code #} or {@code /}; without one, the prefix is empty. */
    void split(int token) {
        int at = text[token] + textLength[token];
        while (at > text[token] && bytes[at - 1] != '#' && bytes[at - 1] != '/') {
            at--;
        }
        splitAt[token] = at;
    }

    @Override
    public void iri(byte[] iri, int offset, int length) {
        // Only what was asked for may become known: unescaped text may look like an IRI that nobody may write.
        boolean asked = iri == askedBytes && offset == askedOffset && length == askedLength;
        int token = tokens;
        add(IRI, iri, offset, length, iri, 0, 0);
        if (tokens > token) {
            prefixId[token] = 0;
            nameId[token] = 0;
            hash[token] = asked ? askedHash : 0;
        }
    }

    /** An IRI that is known has no text here, but its ids; inside of a triple term, where the text counts, none is. */
    @Override
    public boolean iriAgain(byte[] iri, int offset, int length) {
        if (depth > 0 || !takesKnown) {
            return false;
        }
        int textHash = WriteLookup.hash(iri, offset, length);
        int found = known.find(iri, offset, length, textHash);
        if (found < 0) {
            askedBytes = iri;
            askedOffset = offset;
            askedLength = length;
            askedHash = textHash;
            return false;
        }
        if (tokens == kind.length) {
            growTokens();
        }
        kind[tokens] = IRI;
        start[tokens] = size;
        prefixId[tokens] = known.prefixId(found);
        nameId[tokens] = known.nameId(found);
        hash[tokens] = textHash;
        tokens++;
        return true;
    }

    /** Gives an IRI that is known its text, and it is as one that is not. */
    void spell(int token, byte[] prefix, byte[] name) {
        room(prefix.length + name.length);
        text[token] = size;
        textLength[token] = prefix.length + name.length;
        nameId[token] = 0;
        System.arraycopy(prefix, 0, bytes, size, prefix.length);
        System.arraycopy(name, 0, bytes, size + prefix.length, name.length);
        size += prefix.length + name.length;
    }

    @Override
    public void blankNode(byte[] label, int offset, int length) {
        add(BLANK_NODE, label, offset, length, label, 0, 0);
    }

    @Override
    public void literal(byte[] lex, int offset, int length) {
        add(LITERAL, lex, offset, length, lex, 0, 0);
    }

    @Override
    public void langLiteral(byte[] lex, int offset, int length, byte[] lang, int langOffset, int langLength) {
        if (langLength == 0) {
            throw new IllegalArgumentException("a literal with an empty language tag");
        }
        for (int i = langOffset; i < langOffset + langLength; i++) {
            if (!LanguageTags.isTagCharacter(lang[i])) {
                throw new IllegalArgumentException(
                        "a language tag with other characters than letters, digits, '-' and '_'");
            }
        }
        add(LANG_LITERAL, lex, offset, length, lang, langOffset, langLength);
    }

    @Override
    public void typedLiteral(byte[] lex, int offset, int length, byte[] datatype, int dtOffset, int dtLength) {
        if (Arrays.equals(XSD_STRING, 0, XSD_STRING.length, datatype, dtOffset, dtOffset + dtLength)) {
            literal(lex, offset, length);
        } else {
            add(TYPED_LITERAL, lex, offset, length, datatype, dtOffset, dtLength);
        }
    }

    @Override
    public void startTriple() {
        if (++depth > maxNesting) {
            nestedTooDeep = true;
        }
        add(START_TRIPLE, bytes, 0, 0, bytes, 0, 0);
    }

    @Override
    public void endTriple() {
        depth--;
        add(END_TRIPLE, bytes, 0, 0, bytes, 0, 0);
    }

    @Override
    public void defaultGraph() {
        add(DEFAULT_GRAPH, bytes, 0, 0, bytes, 0, 0);
    }

    private void add(byte tokenKind, byte[] a, int aOffset, int aLength, byte[] b, int bOffset, int bLength) {
        if (nestedTooDeep) {
            return;
        }
        if (tokens == kind.length) {
            growTokens();
        }
        room(Math.addExact(TOKEN_HEAD, Math.addExact(aLength, bLength)));
        start[tokens] = size;
        bytes[size++] = tokenKind;
        putInt(aLength);
        putInt(bLength);
        kind[tokens] = tokenKind;
        text[tokens] = size;
        textLength[tokens] = aLength;
        extraLength[tokens] = bLength;
        tokens++;
        System.arraycopy(a, aOffset, bytes, size, aLength);
        size += aLength;
        System.arraycopy(b, bOffset, bytes, size, bLength);
        size += bLength;
    }

    private void putInt(int value) {
        bytes[size++] = (byte) (value >>> 24);
        bytes[size++] = (byte) (value >>> 16);
        bytes[size++] = (byte) (value >>> 8);
        bytes[size++] = (byte) value;
    }

    private void room(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * bytes.length)));
        }
    }

    private void growTokens() {
        int length = 2 * kind.length;
        kind = Arrays.copyOf(kind, length);
        start = Arrays.copyOf(start, length);
        text = Arrays.copyOf(text, length);
        textLength = Arrays.copyOf(textLength, length);
        extraLength = Arrays.copyOf(extraLength, length);
        splitAt = Arrays.copyOf(splitAt, length);
        prefixId = Arrays.copyOf(prefixId, length);
        nameId = Arrays.copyOf(nameId, length);
        hash = Arrays.copyOf(hash, length);
    }
}
