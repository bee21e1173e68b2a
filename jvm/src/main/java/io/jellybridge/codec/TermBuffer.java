package io.jellybridge.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
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
    /** where its text starts, how long that is, and how long the extra after it is (language tag or datatype), */
    int[] text = new int[16];
    int[] textLength = new int[16];
    int[] extraLength = new int[16];
    /** and for an IRI, where its prefix ends; */
    int[] splitAt = new int[16];
    /** the ids of its prefix and its name, where those are known, else 0; a datatype's id counts as a name's; */
    int[] prefixId = new int[16];
    int[] nameId = new int[16];
    /** and the hash under which it may become known, or 0. */
    int[] hash = new int[16];
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

    void clear() {
        size = 0;
        tokens = 0;
        depth = 0;
        nestedTooDeep = false;
        askedBytes = null;
    }

    /** Forgets the ids of the row's IRIs, since the lookups forget theirs. */
    void forgetIds() {
        Arrays.fill(nameId, 0, tokens, 0);
    }

    /** Forgets {@code token} and all after it. */
    void truncate(int token) {
        size = tokenStart(token);
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

    /** The token after the whole term that starts at {@code token}. */
    int afterTerm(int token) {
        if (kind[token] != START_TRIPLE) {
            return token + 1;
        }
        int open = 1;
        int next = token + 1;
        while (open > 0) {
            if (kind[next] == START_TRIPLE) {
                open++;
            } else if (kind[next] == END_TRIPLE) {
                open--;
            }
            next++;
        }
        return next;
    }

    /** Where the bytes of {@code token} start; the end of all bytes for the token after the last. */
    int tokenStart(int token) {
        return token == tokens ? size : text[token] - TOKEN_HEAD;
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
        addIri(iri, offset, length, 0, 0, asked ? askedHash : 0);
    }

    @Override
    public boolean iriAgain(byte[] iri, int offset, int length) {
        int textHash = WriteLookup.hash(iri, offset, length);
        int found = known.find(iri, offset, length, textHash);
        if (found < 0) {
            askedBytes = iri;
            askedOffset = offset;
            askedLength = length;
            askedHash = textHash;
            return false;
        }
        addIri(iri, offset, length, known.prefixId(found), known.nameId(found), textHash);
        return true;
    }

    private void addIri(byte[] iri, int offset, int length, int knownPrefixId, int knownNameId, int textHash) {
        int token = tokens;
        add(IRI, iri, offset, length, iri, 0, 0);
        prefixId[token] = knownPrefixId;
        nameId[token] = knownNameId;
        hash[token] = textHash;
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
        int needed = Math.addExact(size, TOKEN_HEAD + aLength + bLength);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * bytes.length)));
        }
        bytes[size] = tokenKind;
        INTS.set(bytes, size + 1, aLength);
        INTS.set(bytes, size + 5, bLength);
        size += TOKEN_HEAD;
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

    private void growTokens() {
        int length = 2 * kind.length;
        kind = Arrays.copyOf(kind, length);
        text = Arrays.copyOf(text, length);
        textLength = Arrays.copyOf(textLength, length);
        extraLength = Arrays.copyOf(extraLength, length);
        splitAt = Arrays.copyOf(splitAt, length);
        prefixId = Arrays.copyOf(prefixId, length);
        nameId = Arrays.copyOf(nameId, length);
        hash = Arrays.copyOf(hash, length);
    }
}
