package io.jellybridge.codec;

import io.jellybridge.wire.FrameReader;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Iterates over the frames and rows of a stream, delimited or a single bare frame, and tracks the position. Subclasses read the
 * rows by the grammar of one of the two formats.
 *
 * <p>One thread may call at a time. After an exception the reader can only be closed.
 * @param <T> the type of a term
 * @param <H> the type of the handler
 */
public abstract class StreamReader<T, H> implements Closeable {
    private static final int ROWS = 1 << 3 | WireReader.LENGTH_DELIMITED;
    private static final int OPTIONS = 1;
    private static final int LAST_ROW_FIELD = 15;
    /** The smallest size of a row with a key and a length of three bytes in total. Shorter rows are rare. */
    private static final int MIN_ROW_BYTES = 6;

    final WireReader wire = new WireReader();
    final ReadOptions limits;
    /** Reads terms; null until the options were read. */
    TermReader<T> terms;
    Selection<T> selection = Selection.all();

    private final TermFactory<T> factory;
    private final FrameReader frames;
    private final StreamSplit part;
    private final String file;
    private boolean inFrame;
    private int frameEnd;
    /** The offset in the stream of the frame and its length. */
    private long frameOffset;
    private boolean ended;
    private long frame = -1;
    private long frameRow = -1;
    private int rowStart;
    /** The listener for tolerated faults. It is null if there is none, since creating an error is slow. */
    private Consumer<FormatException> toldOfFaults;

    /** The mark of the stream's first file, whose restart points delimit the parts; null if it has none. */
    private byte[] firstMark;
    /** The start of the current frame's file, since files may be joined; null without restart points. */
    private Restart fileStart;
    /** True if the frame began with a restart point, and its options have not come yet. */
    private boolean optionsDue;
    private final FrameChecksum checksum = new FrameChecksum();
    /** Whether the frames of the file end with checksums; null before the first frame. */
    private Boolean checksums;

    StreamReader(StreamSplit part, String file, TermFactory<T> factory, ReadOptions limits) {
        this.factory = factory;
        this.part = part;
        this.frames = new FrameReader(part.in(), limits.maxFrameBytes(), part.start());
        this.file = file;
        this.limits = limits;
    }

    /**
     * Sets the listener for broken MUSTs that this reader tolerates. A strict reader throws them instead.
     *
     * @param listener receives the errors; an exception of it ends the reading
     */
    public final void onWarning(Consumer<FormatException> listener) {
        toldOfFaults = listener;
    }

    /**
     * Returns the use of the lookups so far.
     *
     * @return the use of names, prefixes and datatypes, in this order; empty before the options were read
     */
    public final List<TableUse> tables() {
        return terms == null ? List.of() : terms.tables();
    }

    /**
     * Selects the statements to pass on. A strict reader creates all terms, so that it finds every fault, but passes on only the
     * selected statements. Terms that were not selected before can't be selected later, since later rows may repeat them. In
     * Jelly-RDF, all statements count as additions.
     *
     * @return true
     */
    public final boolean select(Selection<T> statements) {
        selection = statements;
        if (terms != null) {
            terms.select(statements);
        }
        return true;
    }

    /** Creates the reader of terms by the options that were read. */
    final void beginFrame(OptionsReader options) {
        terms = options.termReader(factory);
        terms.select(selection);
    }

    /** Returns the number of rows that this reader does not pass on, see {@link StreamSplit#toCount}. */
    public final long skippedRows() {
        return part.skippedRows();
    }

    /** Returns the number of frames that were read so far. */
    public final long frames() {
        return frame + 1;
    }

    /**
     * Reads the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws FormatException the stream breaks the format
     * @throws IOException the stream can't be read
     */
    public final boolean next(H handler) throws IOException {
        return nextEvent(handler, false);
    }

    /** Reads all remaining events. */
    public final void readAll(H handler) throws IOException {
        while (nextEvent(handler, true)) {
            // the handler does the work
        }
    }

    /** Reads the next event or, with {@code many}, several consecutive events. */
    private boolean nextEvent(H handler, boolean many) throws IOException {
        try {
            return advanceTo(handler, many);
        } catch (WireException e) {
            if (!inFrame || e.position() <= frameEnd) {
                rowStart = e.position(); // bytes after the frame are a message that was joined from pieces
            }
            throw withSniffedFormat(e.aboveLimit()
                    ? newError(Rule.LIMIT, e.getMessage(), Advice.raise("maxFrameBytes"))
                    : newError(Rule.WHOLE_BYTES, e.getMessage(), Advice.DAMAGED));
        } catch (FormatException e) {
            throw withSniffedFormat(e);
        }
    }

    /** Converts the error of a stream that can't be read. If the stream looks like another format, the new error says so. */
    private FormatException withSniffedFormat(FormatException e) {
        return e.of(SniffedFormat.of(frames.bytes(), 0, frames.headBytes()), format(), format().toString());
    }

    /** Returns the frame of the last event, from 0. It counts from the start of the stream, even if only a part is read. */
    public final long frame() {
        return Math.max(frame, 0);
    }

    /** Returns the last event's row in its frame, from 0; lookup entries and options are rows too. */
    public final long frameRow() {
        return Math.max(frameRow, 0);
    }

    /** Returns the byte offset in the stream of the last event's row. */
    public final long offset() {
        return frames.offsetOf(rowStart);
    }

    /** Returns the number of bytes that were read up to the last event's row, from the start of the part. */
    final long bytesRead() {
        return offset() - part.start();
    }

    /**
     * Creates an error at the position of the last event, for a handler that rejects something the format allows.
     *
     * @param rule   the id of the rule, or a word for the component that rejects the data
     * @param found  a clause without a full stop that says what was found
     * @param advice a clause without a full stop that says what to do
     */
    public final FormatException newError(String rule, String found, String advice) {
        return FormatException.inStream(rule, file, frame(), frameRow(), offset(), found, advice);
    }

    @Override
    public final void close() throws IOException {
        frames.close();
    }

    final FormatException newError(Rule rule, String found, String advice) {
        return newError(idOf(rule), found, advice);
    }

    final FormatException noOptionsError() {
        return newError(Rule.OPTIONS_FIRST, "no options row in the whole stream",
                "check that this is a " + format() + " file and is complete");
    }

    /**
     * Handles a broken MUST that a tolerant reader can read over. It throws the error if the reader is strict; otherwise the
     * listener receives it.
     */
    final void tolerate(Rule rule, String found) {
        tolerate(idOf(rule), found);
    }

    /** Handles a broken MUST, given by the rule's id. */
    final void tolerate(String rule, String found) {
        if (limits.strict()) {
            throw newError(rule, found, Advice.READ_TOLERANTLY);
        }
        if (toldOfFaults != null) {
            toldOfFaults.accept(newError(rule, found, Advice.READ_TOLERANTLY));
        }
    }

    private boolean advanceTo(H handler, boolean many) throws IOException {
        while (true) {
            if (sendPending(handler)) {
                return true;
            }
            if (ended) {
                return false;
            }
            if (!inFrame) {
                if (!nextFrame()) {
                    ended = true;
                    rowStart = frames.end();
                    checkNextPart(frames.offsetOf(frames.end()));
                    return endStream(handler);
                }
                if (beginsNextPart()) {
                    ended = true;
                    checkNextPart(frameOffset);
                    return false;
                }
            } else if (wire.position() == frameEnd) {
                inFrame = false;
                if (optionsDue) {
                    throw newError(Rule.RESTART, "a restart point without the options row that its frame begins with",
                            Advice.DAMAGED);
                }
                if (endFrame(handler)) {
                    return true;
                }
            } else if (readRows(handler, many) || wire.position() != frameEnd && readFrameField(handler)) {
                return true;
            }
        }
    }

    /**
     * Reads rows of the most common form: a single field with a length of one byte or two. It is a loop of its own, since many
     * rows create no event.
     *
     * @return true if there was an event: of the last row or, with {@code many}, of any row
     */
    private boolean readRows(H handler, boolean many) {
        if (optionsDue || terms == null) {
            return false;
        }
        byte[] bytes = wire.bytes();
        int at = wire.position();
        boolean events = false;
        while (frameEnd - at >= MIN_ROW_BYTES && bytes[at] == ROWS) {
            int start = at + 2;
            int size = bytes[at + 1];
            if (size < 0) {
                size = size & 0x7F | bytes[start++] << 7;
            }
            int end = start + size;
            int kind = bytes[start] >>> 3;
            int first = start + 2;
            int length = bytes[start + 1];
            if (length < 0) {
                length = length & 0x7F | bytes[first++] << 7;
            }
            if (size < 2 || end > frameEnd || length < 0 || first + length != end || kind <= OPTIONS || kind > LAST_ROW_FIELD
                    || (bytes[start] & 7) != WireReader.LENGTH_DELIMITED || !isRowKind(kind)) {
                break;
            }
            rowStart = at;
            frameRow++;
            wire.setWindow(first, end);
            at = end;
            if (readRow(kind, handler)) {
                events = true;
                if (!many) {
                    break;
                }
            }
        }
        wire.setWindow(at, frameEnd);
        return events;
    }

    private boolean nextFrame() throws IOException {
        if (terms != null) {
            terms.settle(); // since the bytes of the frame are about to change
        }
        long lastRow = frameRow;
        frameOffset = frames.offsetOf(frames.end());
        frame++; // before the read, so that a read error has the number of this frame
        frameRow = -1;
        if (!frames.next()) {
            frame--;
            frameRow = lastRow;
            return false;
        }
        inFrame = true;
        frameEnd = frames.end();
        rowStart = frames.start();
        wire.reset(frames.bytes(), frames.start(), frameEnd);
        if (!Restart.mayBegin(frames.bytes(), frames.start(), frameEnd)) {
            compareChecksum();
        }
        return true;
    }

    /** Reads one field of the frame. Returns true if it was a row with an event. */
    private boolean readFrameField(H handler) {
        rowStart = wire.position();
        int tag = wire.tag();
        if (tag == Restart.TAG) {
            return readRestart(handler);
        }
        if (tag == FrameChecksum.TAG) {
            skipChecksum(tag);
            return false;
        }
        if (tag != ROWS) {
            readOtherFrameField(tag);
            return false;
        }
        frameRow++;
        int rowEnd = enterMessage();
        boolean event = readRowOfAnyForm(handler);
        leaveMessage(rowEnd);
        return event;
    }

    // --- checksums

    /**
     * Compares the checksum of the frame, before anything is made of it. A frame of a file that has none may look as if it
     * ended with one; then its fields tell.
     */
    private void compareChecksum() {
        byte[] bytes = frames.bytes();
        boolean seems = FrameChecksum.endsFrame(bytes, frames.start(), frameEnd);
        int stated = seems ? checksum.statedChecksum(bytes, frameEnd) : 0;
        int found = seems ? checksum.of(bytes, frames.start(), frameEnd) : 0;
        boolean declared = Boolean.TRUE.equals(checksums);
        if (seems && stated != found && (declared || endsWithChecksumField())) {
            throw newError(Rule.CHECKSUM, "a checksum of %08x in a frame whose bytes have %08x".formatted(stated, found),
                    Advice.DAMAGED);
        }
        boolean same = seems && stated == found;
        if (checksums == null) {
            checksums = same;
        } else if (same != declared) {
            throw newError(Rule.CHECKSUM, declared ? "a frame without a checksum, in a file whose frames have one"
                    : "a frame with a checksum, in a file whose first frame has none", Advice.DAMAGED);
        }
    }

    /** Returns whether a field of the frame begins where its checksum would, or its fields are damaged. */
    private boolean endsWithChecksumField() {
        int position = wire.position();
        int at = frameEnd - FrameChecksum.BYTES;
        wire.setWindow(frames.start(), frameEnd);
        try {
            while (wire.position() < at) {
                wire.skip(wire.tag());
            }
            return wire.position() == at;
        } catch (WireException e) {
            return true;
        } finally {
            wire.setWindow(position, frameEnd);
        }
    }

    /** Goes over the checksum, which was compared when the frame began. */
    private void skipChecksum(int tag) {
        wire.skip(tag);
        if (!wire.atEnd() || wire.position() - rowStart != FrameChecksum.BYTES) {
            throw newError(Rule.CHECKSUM, "a checksum that does not end its frame", Advice.WRITER_BUG);
        }
    }

    // --- restart points

    private Restart restartOfFrame() {
        wire.setWindow(frames.start(), frameEnd);
        if (wire.atEnd() || wire.tag() != Restart.TAG) {
            return null;
        }
        enterMessage();
        try {
            return readsAsFound() ? Restart.readMessage(wire, frameEnd - frames.start()) : null;
        } catch (WireException e) {
            return null; // rejected later as a field of its frame
        }
    }

    /** Checks that the bytes before this message have the form that {@link StreamSplit.RestartScanner} searches for. */
    private boolean readsAsFound() {
        return frames.offsetOf(wire.position()) - frameOffset == Restart.bytesBefore(frameEnd - frames.start());
    }

    /** Checks whether the next part of the file begins with this frame. */
    private boolean beginsNextPart() {
        if (frameOffset < part.end() || firstMark == null) {
            return false;
        }
        Restart restart = restartOfFrame();
        wire.setWindow(frames.start(), frameEnd);
        if (restart == null || !restart.isOfFile(firstMark) || restart.offset() != frameOffset) {
            return false;
        }
        checkNumbers(restart, readNumbers(firstMark, frameOffset, frame));
        return true;
    }

    private void checkNumbers(Restart restart, Restart here) {
        if (!restart.equals(here)) {
            throw newError(Rule.RESTART, "a restart point of " + restart + " where " + here + " is due", Advice.DAMAGED);
        }
    }

    private void checkNextPart(long offset) {
        if (!part.nextBeginsAt(offset)) {
            throw newError(Rule.RESTART, "bytes that look like a restart point inside of a frame, after offset "
                    + part.end(), "read the file whole, in one part, or write it anew");
        }
    }

    /** Reads a restart point at the start of its frame. Returns true if it ended a file, and that was an event. */
    private boolean readRestart(H handler) {
        int end = enterMessage();
        Restart restart = restartHere();
        leaveMessage(end);
        if (restart == null) {
            if (rowStart == frames.start()) {
                compareChecksum();
            }
            return false;
        }
        boolean event = false;
        if (frameOffset == part.start()) {
            checksums = restart.checksums();
            compareChecksum();
            beginFrame(restart);
        } else if (fileStart != null && restart.isOfFile(fileStart.mark()) && !restart.isFirst()) {
            compareChecksum();
            if (restart.checksums() != checksums) {
                throw newError(Rule.CHECKSUM, "a restart point that does not say as the file's first one does whether its frames have "
                        + "checksums", Advice.WRITER_BUG);
            }
            checkNumbers(restart, readNumbers(restart.mark(), frameOffset, frame).relativeTo(fileStart));
        } else {
            checksums = restart.checksums();
            compareChecksum();
            checkFirst(restart);
            event = endStream(handler);
            terms = null; // the options, too, are those of the file that follows
            fileStart = readNumbers(restart.mark(), frameOffset, frame);
        }
        optionsDue = true;
        return event;
    }

    /** Returns the restart point whose message ends at the bound; null if it is a foreign field. */
    private Restart restartHere() {
        boolean beginsFrame = rowStart == frames.start();
        boolean asFound = readsAsFound();
        Restart restart;
        try {
            restart = Restart.readMessage(wire, frameEnd - frames.start());
        } catch (WireException e) {
            throw newError(Rule.RESTART, e.getMessage(), Advice.DAMAGED);
        }
        if (restart != null && !beginsFrame) {
            throw newError(Rule.RESTART, "a restart point that does not begin its frame", Advice.DAMAGED);
        }
        if (restart != null && !asFound) {
            throw newError(Rule.RESTART, "a restart point whose length, or whose frame's, takes more bytes than it needs",
                    Advice.WRITER_BUG);
        }
        return restart;
    }

    private void beginFrame(Restart restart) {
        if (part.start() == 0) {
            checkFirst(restart);
        } else {
            frame = restart.frame();
            startAt(restart);
        }
        firstMark = restart.mark();
        fileStart = new Restart(firstMark, 0, 0, 0, 0, 0, false, false);
    }

    private void checkFirst(Restart restart) {
        if (!restart.isFirst()) {
            throw newError(Rule.RESTART, "a file that begins with a restart point of " + restart,
                    "what comes before is missing; get the whole file");
        }
    }

    /** Returns true if the file has restart points. Rows after one may then not refer to anything before it. */
    final boolean hasRestarts() {
        return fileStart != null;
    }

    /** Checks that repeated options may occur in this frame. In a file with restart points they occur only with one. */
    final void checkOptionsAgain() {
        if (fileStart != null && !optionsDue) {
            throw newError(Rule.RESTART,
                    "options in a frame that does not begin with a restart point, as the others of the file",
                    "another file was joined behind this one; convert that one first, and join what comes out");
        }
    }

    private boolean readRowOfAnyForm(H handler) {
        // In a protobuf oneof, the last member wins, and pieces of it are one message. Only unusual writers write more than
        // one.
        int kind = 0;
        int start = 0;
        int end = 0;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            int field = tag >>> 3;
            if (field <= LAST_ROW_FIELD && (tag & 7) == WireReader.LENGTH_DELIMITED && isRowKind(field)) {
                int length = wire.length();
                int piece = wire.position();
                wire.skipBytes(length);
                if (field == kind) {
                    int size = end - start + length;
                    start = joinOffsets(start, end, piece, piece + length);
                    end = start + size;
                } else {
                    checkOverridden(kind, start, end);
                    kind = field;
                    start = piece;
                    end = piece + length;
                }
            } else {
                wire.skip(tag);
            }
        }
        if (kind == 0) {
            throw newError(Rule.ROW_KIND, "a row of no kind that the format has",
                    "the file is damaged, or of a newer version of the format");
        }
        wire.setWindow(start, end);
        return readRowOfKind(kind, handler);
    }

    /** Checks a row that is not used, since another one follows in its oneof. */
    private void checkOverridden(int kind, int start, int end) {
        if (kind != 0) {
            rowShape(kind).checkMessage(wire, start, end);
        }
    }

    private boolean readRowOfKind(int kind, H handler) {
        if (kind == OPTIONS) {
            readOptions();
            if (optionsDue) {
                optionsDue = false;
                restart();
            }
            return false;
        }
        if (optionsDue || terms == null) {
            throw newError(Rule.OPTIONS_FIRST, "a first row that is not the options",
                    "check that this is a " + format() + " file and is complete");
        }
        return readRow(kind, handler);
    }

    /**
     * Sets the bound to the end of the message that begins here. Returns the index after the message, for {@link
     * #leaveMessage}.
     */
    final int enterMessage() {
        int length = wire.length();
        int end = wire.position() + length;
        wire.setWindow(wire.position(), end);
        return end;
    }

    /** Moves to the end of a message of the frame. */
    final void leaveMessage(int end) {
        wire.setWindow(end, frameEnd);
    }

    /** Joins two pieces as {@link TermSpans.Pieces#join} does. */
    final int joinOffsets(int firstStart, int firstEnd, int start, int end) {
        int position = wire.position();
        int limit = wire.limit();
        int joined = frames.join(firstStart, firstEnd, start, end);
        wire.reset(frames.bytes(), start, end);
        wire.skipAll(); // or a field could begin in one piece and end in the other
        if (joined != firstStart) {
            wire.setWindow(firstStart, firstEnd);
            wire.skipAll();
        }
        wire.setWindow(position, limit);
        return joined;
    }

    /** Returns the structure of a row's message, by its kind. */
    abstract Shape rowShape(int kind);

    /** Checks whether the format has a kind of row with this field. */
    abstract boolean isRowKind(int field);

    /**
     * Reads a row other than the options. Its message ends at the bound of {@link #wire}.
     *
     * @return true if it had an event
     */
    abstract boolean readRow(int kind, H handler);

    /** Returns the format that is read. */
    abstract SniffedFormat format();

    /** Reads the options row. Its message ends at the bound of {@link #wire}. */
    abstract void readOptions();

    /** Starts at a restart point in the middle of a file. */
    abstract void startAt(Restart restart);

    /** Creates a restart point for the current position. */
    abstract Restart readNumbers(byte[] mark, long frameOffset, long frameNumber);

    /** Clears all lookup entries and repeated terms, at a restart point whose options were read. */
    abstract void restart();

    /** Reads a field of the frame that is not a row. */
    void readOtherFrameField(int tag) {
        wire.skip(tag);
    }

    /** Sends an event that is due before anything else is read. Returns false if there is none. */
    boolean sendPending(H handler) {
        return false;
    }

    /** Ends the frame. Returns true if that is an event. */
    abstract boolean endFrame(H handler);

    /** Ends the stream. Returns true if that is an event. */
    abstract boolean endStream(H handler);

    /** Returns the rule's id in the format that is read. */
    abstract String idOf(Rule rule);
}
