package io.jellybridge.jena.data;

import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.jena.dboe.base.file.BinaryDataFile;

/**
 * A view of the file of terms of a TDB2 database, at one moment. Jena asks the operating system for each byte of a term and builds a
 * node, from which we would build the text again. {@link #readTerm} makes the text from the mapped file. Terms that are written
 * later are not in the mapping, and Jena's own file has them. It serves one thread, in a transaction.
 *
 * <p>It touches no byte behind a term: those may belong to a transaction of another thread, which cuts the file when it aborts.
 */
final class TdbTermFile implements BinaryDataFile {
    /** The number of bits of a position in a segment: a gigabyte. */
    private static final int SEGMENT_BITS = 30;
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
    private final int segmentBits;
    private final ByteBuffer[] segments;
    private final long mappedBytes;

    private final Utf8Terms terms = new Utf8Terms();
    /** The segment of a term, the place of its next byte, and the last text. */
    private ByteBuffer segment;
    private int at;
    private int textAt;
    private int textLength;
    /** A copy of the texts of a term. */
    private byte[] bytes = new byte[1 << 10];
    /** The last datatype, as text and as a term. */
    private byte[] datatypeText = NOTHING;
    private byte[] datatype;

    /**
     * Maps a file.
     *
     * @param file Jena's view of it
     * @param path its path; null if it is in memory, and each term is read as a node
     */
    TdbTermFile(BinaryDataFile file, Path path) {
        this(file, path, SEGMENT_BITS);
    }

    /** Maps a file in segments of another size. */
    TdbTermFile(BinaryDataFile file, Path path, int segmentBits) {
        this.file = file;
        this.segmentBits = segmentBits;
        try {
            mappedBytes = path == null || !Files.isRegularFile(path) ? 0 : Files.size(path);
            segments = new ByteBuffer[(int) (mappedBytes + (1L << segmentBits) - 1 >>> segmentBits)];
            if (segments.length > 0) {
                map(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void map(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            for (int i = 0; i < segments.length; i++) {
                long start = (long) i << segmentBits;
                segments[i] = channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(1L << segmentBits, mappedBytes - start));
            }
        }
    }

    /**
     * Returns the canonical text of a term. The file has it in Thrift's compact protocol, as Jena's {@code RDF_Term}.
     *
     * @return null for other terms than IRIs, blank nodes and literals without a base direction, for those at the end of a
     *         segment, and for those outside the mapping. They are read as nodes
     */
    byte[] readTerm(long position) {
        if (position >= mappedBytes) {
            return null;
        }
        segment = segmentOf(position);
        at = inSegment(position);
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
        if (kind == IRI) {
            byte[] iri = new byte[textLength];
            segment.get(textAt, iri);
            return terms.iri(NOTHING, iri);
        }
        copy(textAt, textLength);
        return terms.blankNode(bytes, 0, textLength);
    }

    private byte[] ofLiteral() {
        if (take() != FIRST_TEXT || !takeText()) {
            return null;
        }
        int lexicalAt = textAt;
        int lexicalLength = textLength;
        int next = take();
        if (next == STOP) {
            copy(lexicalAt, lexicalLength);
            return terms.literal(bytes, 0, lexicalLength);
        }
        if (next != LANGUAGE && next != DATATYPE || !takeText() || textLength == 0 || take() != STOP) {
            return null;
        }
        int tag = textAt - lexicalAt;
        copy(lexicalAt, tag + textLength);
        return next == LANGUAGE
                ? terms.langLiteral(bytes, 0, lexicalLength, tag, textLength)
                : terms.typedLiteral(bytes, 0, lexicalLength, datatype(tag));
    }

    /** Returns the term of the last text, a datatype. Few are in use. */
    private byte[] datatype(int start) {
        if (!Arrays.equals(datatypeText, 0, datatypeText.length, bytes, start, start + textLength)) {
            datatypeText = Arrays.copyOfRange(bytes, start, start + textLength);
            datatype = terms.iri(NOTHING, datatypeText);
        }
        return datatype;
    }

    private void copy(int start, int length) {
        if (length > bytes.length) {
            bytes = new byte[Math.max(length, 2 * bytes.length)];
        }
        segment.get(start, bytes, 0, length);
    }

    /** Takes the next byte; -1 at the end of the segment. */
    private int take() {
        return at < segment.limit() ? segment.get(at++) & 0xFF : -1;
    }

    /** Takes a text with its length, a number of seven bits a byte. Returns false if the segment does not have all of it. */
    private boolean takeText() {
        int length = 0;
        int bits = 0;
        int next = 0x80;
        while (next >= 0x80 && bits <= 28) {
            next = take();
            if (next < 0) {
                return false;
            }
            length |= (next & 0x7F) << bits;
            bits += 7;
        }
        textAt = at;
        textLength = length;
        if (next >= 0x80 || length < 0 || length > segment.limit() - at) {
            return false;
        }
        at += length;
        return true;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) {
        if (position >= mappedBytes) {
            return file.read(position, into, offset, length);
        }
        ByteBuffer from = segmentOf(position);
        int start = inSegment(position);
        int count = Math.min(length, from.limit() - start);
        from.get(start, into, offset, count);
        return count;
    }

    private ByteBuffer segmentOf(long position) {
        return segments[(int) (position >>> segmentBits)];
    }

    private int inSegment(long position) {
        return (int) position & (1 << segmentBits) - 1;
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
