package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.jellybridge.wire.Hashes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A form of quads as short byte strings, for a {@link SetComparison}. Terms are canonical N-Triples in UTF-8. Equal quads have equal
 * strings, and other quads have others. A number stands for the namespace of an IRI, or for the datatype or language of a
 * literal. When all numbers are taken, what comes later is written out, so that each term has one form. Several threads may
 * pack, each with its own {@link Packer}.
 */
public final class QuadPacking {
    /** How many texts have numbers: so many that they fill at most a thirtieth of the heap, with 500 bytes for each. */
    private static final int NUMBERS = (int) Math.min(1 << 14, Runtime.getRuntime().maxMemory() / (30 * 500));
    private static final int MAX_NUMBERED_BYTES = 1 << 8;
    /** The code of the default graph, of a term that is written out, and of the first number. */
    private static final int DEFAULT_GRAPH = 0;
    private static final int WHOLE = 1;
    private static final int FIRST_NUMBER = 2;
    private static final int MAX_VARINT_BYTES = 5;

    private final Map<String, Integer> numbers = new HashMap<>();
    /** Namespaces with the bracket before them, and ends of literals with the quote before them. */
    private final byte[][] texts = new byte[NUMBERS][];
    private volatile boolean isFull;

    /** Returns the number of a text; -1 if it has none and all are taken. */
    private int numberOf(byte[] text) {
        String key = new String(text, ISO_8859_1);
        if (isFull) {
            return numbers.getOrDefault(key, -1); // nothing is added any more
        }
        synchronized (numbers) {
            Integer known = numbers.get(key);
            if (known != null || isFull) { // another thread may have taken the last number meanwhile
                return known == null ? -1 : known;
            }
            int number = numbers.size();
            texts[number] = text;
            numbers.put(key, number);
            isFull = number + 1 == NUMBERS;
            return number;
        }
    }

    /** Packs quads. Not thread-safe. */
    public final class Packer {
        /** The size of the direct-mapped cache from texts to their numbers. */
        private static final int KNOWN = 1 << 10;

        private final byte[][] known = new byte[KNOWN][];
        private final int[] knownNumbers = new int[KNOWN];
        private byte[] buffer = new byte[1 << 8];
        private int end;

        /** Returns the form of a quad. A null graph is the default graph. */
        public byte[] pack(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            end = 0;
            packTerm(subject);
            packTerm(predicate);
            packTerm(object);
            packTerm(graph);
            return Arrays.copyOf(buffer, end);
        }

        private void packTerm(byte[] term) {
            if (term == null) {
                makeRoom(0);
                writeVarint(DEFAULT_GRAPH);
                return;
            }
            makeRoom(term.length);
            boolean isLiteral = term[0] == '"';
            int from = isLiteral ? lastQuote(term) : 0;
            int to = isLiteral ? term.length : endOfNamespace(term);
            int number = to - from < 1 || to - from > MAX_NUMBERED_BYTES ? -1 : numberOf(term, from, to);
            if (number < 0) {
                writePart(WHOLE, term, 0, term.length);
            } else if (isLiteral) {
                writePart(FIRST_NUMBER + number, term, 1, from);
            } else {
                writePart(FIRST_NUMBER + number, term, to, term.length - 1);
            }
        }

        private int numberOf(byte[] term, int from, int to) {
            int slot = (int) Hashes.of(0, term, from, to - from) & KNOWN - 1;
            byte[] text = known[slot];
            if (text == null || !Arrays.equals(text, 0, text.length, term, from, to)) {
                known[slot] = Arrays.copyOfRange(term, from, to);
                knownNumbers[slot] = QuadPacking.this.numberOf(known[slot]);
            }
            return knownNumbers[slot];
        }

        private void makeRoom(int bytes) {
            int needed = end + 2 * MAX_VARINT_BYTES + bytes;
            if (needed > buffer.length) {
                buffer = Arrays.copyOf(buffer, Math.max(needed, 2 * buffer.length));
            }
        }

        private void writePart(int code, byte[] term, int from, int to) {
            writeVarint(code);
            writeVarint(to - from);
            System.arraycopy(term, from, buffer, end, to - from);
            end += to - from;
        }

        private void writeVarint(int value) {
            int rest = value;
            while (rest > 0x7F) {
                buffer[end++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            buffer[end++] = (byte) rest;
        }
    }

    /** Returns the start of what follows the lexical form of a literal. Quotes in it are escaped, and what follows has none. */
    private static int lastQuote(byte[] literal) {
        int at = literal.length - 1;
        while (literal[at] != '"') {
            at--;
        }
        return at;
    }

    /** Returns the end of the namespace of an IRI; 0 for one without, and for other terms. */
    private static int endOfNamespace(byte[] term) {
        if (term[0] != '<' || term.length < 2 || term[1] == '<') {
            return 0;
        }
        int at = term.length - 2;
        while (at > 0 && term[at] != '/' && term[at] != '#') {
            at--;
        }
        return at == 0 ? 0 : at + 1;
    }

    /** Returns the subject, predicate, object and graph of the quad whose form starts at an offset of an array. */
    public byte[][] unpack(byte[] bytes, int offset) {
        Unpacker in = new Unpacker(bytes, offset);
        return new byte[][] {in.term(), in.term(), in.term(), in.term()};
    }

    private final class Unpacker {
        private final byte[] bytes;
        private int at;

        Unpacker(byte[] bytes, int offset) {
            this.bytes = bytes;
            this.at = offset;
        }

        byte[] term() {
            int code = varint();
            if (code == DEFAULT_GRAPH) {
                return null;
            }
            int length = varint();
            int from = at;
            at += length;
            if (code == WHOLE) {
                return Arrays.copyOfRange(bytes, from, at);
            }
            byte[] text = texts[code - FIRST_NUMBER];
            byte[] term = new byte[text.length + length + 1];
            boolean isLiteral = text[0] == '"';
            System.arraycopy(text, 0, term, isLiteral ? 1 + length : 0, text.length);
            System.arraycopy(bytes, from, term, isLiteral ? 1 : text.length, length);
            term[isLiteral ? 0 : term.length - 1] = (byte) (isLiteral ? '"' : '>');
            return term;
        }

        private int varint() {
            int value = 0;
            int shift = 0;
            byte next;
            do {
                next = bytes[at++];
                value |= (next & 0x7F) << shift;
                shift += 7;
            } while (next < 0);
            return value;
        }
    }
}
