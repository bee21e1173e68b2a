package io.jellybridge.jena.data;

import io.jellybridge.codec.Utf8Terms;
import java.util.Arrays;
import org.apache.jena.dboe.base.file.BinaryDataFile;

/**
 * A buffered view of the file of terms of a TDB2 database, at one moment. Jena decodes a term from one byte at a time, for each of
 * which an unbuffered file would ask the operating system. It then builds a node, from which we would build the text again.
 * {@link #readTerm} makes the text from the bytes of the file. It serves one thread, in a transaction.
 */
final class TdbTermFile implements BinaryDataFile {
    private static final int BLOCK_BITS = 15;
    private static final int BLOCK_BYTES = 1 << BLOCK_BITS;
    /** The number of buffered blocks: eight megabytes. */
    private static final int BLOCKS = 1 << 8;
    /** The kinds of terms, as the head of a field: its number and the type of a struct. */
    private static final int IRI = 0x1C;
    private static final int BLANK_NODE = 0x2C;
    private static final int LITERAL = 0x3C;
    /** The head of a struct's first text, and those of a language and a datatype after a lexical form. */
    private static final int FIRST_TEXT = 0x18;
    private static final int LANGUAGE = 0x18;
    private static final int DATATYPE = 0x28;
    private static final int STOP = 0;
    private static final byte[] NOTHING = {};

    private final BinaryDataFile file;
    private final byte[][] blocks = new byte[BLOCKS][];
    /** The number of the file's block in each buffer, and the number of its valid bytes. */
    private final long[] numbers = new long[BLOCKS];
    private final int[] lengths = new int[BLOCKS];

    private final Utf8Terms terms = new Utf8Terms();
    /** The place of the next byte of a term, the end of its block, and the last text. */
    private byte[] block;
    private int at;
    private int end;
    private int textAt;
    private int textLength;
    /** The last datatype, as text and as a term. */
    private byte[] datatypeText = NOTHING;
    private byte[] datatype;

    TdbTermFile(BinaryDataFile file) {
        this.file = file;
    }

    /**
     * Returns the canonical text of a term. The file has it in Thrift's compact protocol, as Jena's {@code RDF_Term}.
     *
     * @return null for other terms than IRIs, blank nodes and literals without a base direction, and for those at the end of a
     *         block. They are read as nodes
     */
    byte[] readTerm(long position) {
        block = blockOf(position);
        at = (int) position & BLOCK_BYTES - 1;
        end = lengths[slotOf(position)];
        int kind = take();
        byte[] term = switch (kind) {
            case IRI, BLANK_NODE -> ofOneText(kind);
            case LITERAL -> ofLiteral();
            default -> null;
        };
        return term != null && take() == STOP ? term : null;
    }

    private byte[] ofOneText(int kind) {
        if (take() != FIRST_TEXT || !takeText() || take() != STOP) {
            return null;
        }
        return kind == IRI ? terms.iri(NOTHING, Arrays.copyOfRange(block, textAt, textAt + textLength))
                : terms.blankNode(block, textAt, textLength);
    }

    private byte[] ofLiteral() {
        if (take() != FIRST_TEXT || !takeText()) {
            return null;
        }
        int lexicalAt = textAt;
        int lexicalLength = textLength;
        int next = take();
        if (next == STOP) {
            return terms.literal(block, lexicalAt, lexicalLength);
        }
        if (next != LANGUAGE && next != DATATYPE || !takeText() || textLength == 0 || take() != STOP) {
            return null;
        }
        return next == LANGUAGE
                ? terms.langLiteral(block, lexicalAt, lexicalLength, textAt, textLength)
                : terms.typedLiteral(block, lexicalAt, lexicalLength, datatype());
    }

    /** Returns the term of the last text, a datatype. Few are in use. */
    private byte[] datatype() {
        if (!Arrays.equals(datatypeText, 0, datatypeText.length, block, textAt, textAt + textLength)) {
            datatypeText = Arrays.copyOfRange(block, textAt, textAt + textLength);
            datatype = terms.iri(NOTHING, datatypeText);
        }
        return datatype;
    }

    /** Takes the next byte; -1 at the end of the block. */
    private int take() {
        return at < end ? block[at++] & 0xFF : -1;
    }

    /** Takes a text with its length, a number of seven bits a byte. Returns false if the block does not have all of it. */
    private boolean takeText() {
        int length = 0;
        int bits = 0;
        int next = 0x80;
        while (next >= 0x80 && bits <= BLOCK_BITS) {
            next = take();
            if (next < 0) {
                return false;
            }
            length |= (next & 0x7F) << bits;
            bits += 7;
        }
        textAt = at;
        textLength = length;
        at += length;
        return next < 0x80 && length <= end - textAt;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) {
        byte[] from = blockOf(position);
        int start = (int) position & BLOCK_BYTES - 1;
        int count = Math.min(length, lengths[slotOf(position)] - start);
        if (count <= 0) {
            return -1;
        }
        System.arraycopy(from, start, into, offset, count);
        return count;
    }

    private static int slotOf(long position) {
        return (int) (position >>> BLOCK_BITS) & BLOCKS - 1;
    }

    /** Returns the block of a position, loaded. */
    private byte[] blockOf(long position) {
        int slot = slotOf(position);
        long number = position >>> BLOCK_BITS;
        if (blocks[slot] == null || numbers[slot] != number || ((int) position & BLOCK_BYTES - 1) >= lengths[slot]) {
            load(number, slot);
        }
        return blocks[slot];
    }

    private void load(long number, int slot) {
        if (blocks[slot] == null) {
            blocks[slot] = new byte[BLOCK_BYTES];
        }
        numbers[slot] = number;
        lengths[slot] = 0;
        long start = number << BLOCK_BITS;
        int wanted = (int) Math.min(BLOCK_BYTES, file.length() - start);
        while (lengths[slot] < wanted) {
            int count = file.read(start + lengths[slot], blocks[slot], lengths[slot], wanted - lengths[slot]);
            if (count <= 0) {
                return;
            }
            lengths[slot] += count;
        }
    }

    @Override
    public long length() {
        return file.length();
    }

    @Override
    public boolean isOpen() {
        return file.isOpen();
    }

    @Override
    public void open() {
        throw readOnly();
    }

    @Override
    public long write(byte[] bytes, int offset, int length) {
        throw readOnly();
    }

    @Override
    public void truncate(long length) {
        throw readOnly();
    }

    private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("this is to read a file that another has open");
    }

    @Override
    public void sync() {
        // read-only
    }

    @Override
    public void close() {
        // the database owns the file
    }
}
