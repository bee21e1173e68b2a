package io.jellybridge.codec;

import io.jellybridge.wire.FrameReader;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;

/**
 * Walks the frames and rows of a stream, delimited or a single bare frame, and knows where it is. What rows mean is for the
 * subclass: the grammar of one of the two formats.
 *
 * <p>One thread at a time. After an exception the reader can only be closed.
 *
 * @param <H> takes the events
 */
public abstract class StreamReader<H> implements Closeable {
    private static final int ROWS = 1 << 3 | WireReader.LENGTH_DELIMITED;
    private static final int LAST_ROW_FIELD = 15;

    final WireReader wire = new WireReader();
    final ReadOptions limits;

    private final FrameReader frames;
    private final String file;
    private boolean inFrame;
    private int frameEnd;
    private boolean ended;
    private long frame = -1;
    private long frameRow = -1;
    private int rowStart;
    /** Null when nobody listens: making an error is dear. */
    private Consumer<PatchFormatException> toldOfFaults;

    StreamReader(InputStream in, String file, ReadOptions limits) {
        this.frames = new FrameReader(in, limits.maxFrameBytes());
        this.file = file;
        this.limits = limits;
    }

    /**
     * Sets who is told of each broken MUST that this reader gets over, since it is not strict. A strict one throws.
     *
     * @param listener gets the errors that a strict reader would throw; one that throws ends the reading
     */
    public final void onTolerated(Consumer<PatchFormatException> listener) {
        toldOfFaults = listener;
    }

    /**
     * How the lookups are used so far.
     *
     * @return of names, prefixes and datatypes, in this order; empty before the options were read
     */
    public abstract List<TableUse> tables();

    /** How many frames were read so far. */
    public final long frames() {
        return frame + 1;
    }

    /**
     * Hands over the next event.
     *
     * @return false, with no event, at the end of the stream
     * @throws PatchFormatException the stream breaks the format
     * @throws IOException          the stream can't be read
     */
    public final boolean next(H handler) throws IOException {
        try {
            return advance(handler);
        } catch (WireException e) {
            rowStart = e.position();
            throw e.aboveLimit()
                    ? error(Rule.LIMIT, e.getMessage(), Advice.raise("maxFrameBytes"))
                    : error(Rule.WHOLE_BYTES, e.getMessage(), Advice.DAMAGED);
        }
    }

    /** Hands over all events that are left. */
    public final void readAll(H handler) throws IOException {
        while (next(handler)) {
            // the handler does the work
        }
    }

    /** The frame of the last event, from 0. */
    public final long frame() {
        return Math.max(frame, 0);
    }

    /** The last event's row in its frame, from 0; lookup entries and options are rows too. */
    public final long frameRow() {
        return Math.max(frameRow, 0);
    }

    /** The byte offset in the stream of the last event's row. */
    public final long offset() {
        return frames.offset(rowStart);
    }

    /**
     * An error at the place of the last event, for handlers that refuse what the format allows.
     *
     * @param rule   the id of the rule, or a word for what refuses
     * @param found  what was found, a clause without a full stop
     * @param advice what to do, a clause without a full stop
     */
    public final PatchFormatException error(String rule, String found, String advice) {
        return new PatchFormatException(rule, file, frame(), frameRow(), offset(), found, advice);
    }

    @Override
    public final void close() throws IOException {
        frames.close();
    }

    final PatchFormatException error(Rule rule, String found, String advice) {
        return error(id(rule), found, advice);
    }

    /** A broken MUST that reading can get over: thrown when strict, else told to the listener. */
    final void tolerate(Rule rule, String found) {
        if (limits.strict()) {
            throw error(rule, found, Advice.READ_TOLERANTLY);
        }
        if (toldOfFaults != null) {
            toldOfFaults.accept(error(rule, found, Advice.READ_TOLERANTLY));
        }
    }

    private boolean advance(H handler) throws IOException {
        while (true) {
            if (pending(handler)) {
                return true;
            }
            if (ended) {
                return false;
            }
            if (!inFrame) {
                if (!nextFrame()) {
                    ended = true;
                    rowStart = frames.end();
                    return endStream(handler);
                }
            } else if (wire.position() == frameEnd) {
                inFrame = false;
                if (endFrame(handler)) {
                    return true;
                }
            } else if (readFrameField(handler)) {
                return true;
            }
        }
    }

    private boolean nextFrame() throws IOException {
        long lastRow = frameRow;
        frame++; // before the frame is there, so that an error in fetching it names it
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
        return true;
    }

    /** Reads one field of the frame; true when it was a row that made an event. */
    private boolean readFrameField(H handler) {
        rowStart = wire.position();
        int tag = wire.tag();
        if (tag != ROWS) {
            readOtherFrameField(tag);
            return false;
        }
        frameRow++;
        int rowEnd = enterMessage();
        boolean event = readRow(handler);
        leaveMessage(rowEnd);
        return event;
    }

    private boolean readRow(H handler) {
        // Protobuf's rule for a oneof is that the last member wins; more than one is an oddity of other writers.
        int kind = 0;
        int start = 0;
        int end = 0;
        while (!wire.atEnd()) {
            int tag = wire.tag();
            int field = tag >>> 3;
            if (field <= LAST_ROW_FIELD && (tag & 7) == WireReader.LENGTH_DELIMITED && isRowKind(field)) {
                int length = wire.length();
                kind = field;
                start = wire.position();
                end = start + length;
                wire.skipBytes(length);
            } else {
                wire.skip(tag);
            }
        }
        if (kind == 0) {
            throw error(Rule.ROW_KIND, "a row of no kind that the format has",
                    "the file is damaged, or of a newer version of the format");
        }
        wire.window(start, end);
        return readRow(kind, handler);
    }

    /** Bounds reading to the message that begins here; the index after it, for {@link #leaveMessage}. */
    final int enterMessage() {
        int length = wire.length();
        int end = wire.position() + length;
        wire.window(wire.position(), end);
        return end;
    }

    /** Goes on after a message of the frame. */
    final void leaveMessage(int end) {
        wire.window(end, frameEnd);
    }

    /** Whether the field of a row is one of its kinds. */
    abstract boolean isRowKind(int field);

    /**
     * Reads a row, whose message is all up to the bound of {@link #wire}.
     *
     * @return whether it made an event
     */
    abstract boolean readRow(int kind, H handler);

    /** Reads a field of the frame that is not a row. */
    void readOtherFrameField(int tag) {
        wire.skip(tag);
    }

    /** Hands over an event that is due before anything else is read; false when there is none. */
    boolean pending(H handler) {
        return false;
    }

    /** The frame is over; whether that is an event. */
    abstract boolean endFrame(H handler);

    /** The stream is over; whether that is an event. */
    abstract boolean endStream(H handler);

    /** The rule's id in the format that is read. */
    abstract String id(Rule rule);
}
