package io.jellybridge.codec;

/**
 * Thrown when data breaks its format, or when a call would make a writer break it. It has the rule, the position, the finding
 * and the advice. All formats share it. In a binary stream the position is a frame, a row and a byte; in text it is a line and
 * a column; for a row to write it is the row's place in the data. It reaches a Spark driver as a plain message.
 */
public final class FormatException extends SerializableException {
    private static final long serialVersionUID = 1L;

    private final String rule;
    private final String file;
    private final long frame;
    private final long row;
    private final long line;
    private final long column;
    private final long offset;
    private final String found;
    private final String advice;
    private long wholeBytes = -1;

    private FormatException(String rule, String file, long frame, long row, long line, long column, long offset,
            String found, String advice) {
        super("[" + rule + "] " + placeOf(file, frame, row, line, column, offset) + ": " + found + "; " + advice);
        this.rule = rule;
        this.file = file;
        this.frame = frame;
        this.row = row;
        this.line = line;
        this.column = column;
        this.offset = offset;
        this.found = found;
        this.advice = advice;
    }

    private static String placeOf(String file, long frame, long row, long line, long column, long offset) {
        if (frame >= 0) {
            return (file == null ? "" : file + ", ") + "frame " + frame + ", row " + row + ", byte " + offset;
        }
        return (file == null ? "input" : file) + (line > 0 ? ", line " + line : "")
                + (column > 0 ? ", column " + column : "") + (offset >= 0 ? " (byte " + offset + ")" : "");
    }

    /**
     * Creates the error of a binary stream.
     *
     * @param rule   the rule's id, such as {@code P-62}, or a word for the component that rejects the data
     * @param file   the file, or another name of the stream; null if it has none
     * @param frame  the frame, from 0
     * @param row    the row in that frame, from 0; lookup entries and options are rows too
     * @param offset the byte offset in the (uncompressed) stream, from 0
     * @param found  a clause without a full stop that says what was found
     * @param advice a clause without a full stop that says what to do
     */
    public static FormatException inStream(
            String rule, String file, long frame, long row, long offset, String found, String advice) {
        return new FormatException(rule, file, frame, row, 0, 0, offset, found, advice);
    }

    /**
     * Creates the error of a text.
     *
     * @param format the format's name, such as {@code N-Quads}; it stands in the place of a rule's id
     * @param file   the file; null if it is unknown
     * @param line   the line, from 1; 0 if it is unknown, as in a split that does not start the file
     * @param column the character in the line, from 1; 0 if it is unknown
     * @param offset the byte in the (uncompressed) file, from 0; -1 if it is unknown
     * @param found  a clause without a full stop that says what was found
     * @param advice a clause without a full stop that says what to do
     */
    public static FormatException inText(
            String format, String file, long line, long column, long offset, String found, String advice) {
        return new FormatException(format, file, -1, -1, line, column, offset, found, advice);
    }

    /**
     * Creates the error of a row to write. Its position is the row's place in the data, not in the unfinished file.
     *
     * @param rule  the rule's id, or a name for such rows
     * @param place the row's place in the data, which becomes the {@link #file()}; null if it is unknown
     */
    public static FormatException ofRow(String rule, String place, String found, String advice) {
        return inText(rule, place, 0, 0, -1, found, advice);
    }

    /** Returns the same error for a row to write, with the row's place in the data. */
    public FormatException at(String place) {
        return at(place, advice);
    }

    /** Returns the same error as {@link #at(String)}, with other advice. */
    public FormatException at(String place, String advice) {
        return ofRow(rule, place, found, advice);
    }

    /** Returns the same error with another finding. */
    public FormatException with(String found) {
        return new FormatException(rule, file, frame, row, line, column, offset, found, advice);
    }

    /**
     * Returns an error that says which format the file seems to have, if that is not the expected one. It helps more than the
     * original error.
     *
     * @param sniffed the format that the first bytes suggest; null if unknown
     * @param own     the expected format; null if unknown
     * @param due     the name of the expected format
     * @return this error if the format is the expected one or unknown
     */
    public FormatException of(SniffedFormat sniffed, SniffedFormat own, String due) {
        return sniffed == null || sniffed == own ? this
                : new FormatException(rule, file, frame, row, line, column, offset, sniffed.describeFound(due),
                        sniffed.adviceFor(file));
    }

    /**
     * Notes that the data may still be being written. It is complete up to this byte, and after it the end of the data cuts off
     * a transaction. Returns this.
     */
    public FormatException wholeUpTo(long bytes) {
        wholeBytes = bytes;
        return this;
    }

    /**
     * Returns the number of bytes that are complete transactions, for data that may still be being written; -1 for other
     * errors.
     */
    public long wholeBytes() {
        return wholeBytes;
    }

    /** Returns the rule's id or, for text, the format's name. */
    public String rule() {
        return rule;
    }

    /** Returns the file, or another name of the data; null if it has none. */
    public String file() {
        return file;
    }

    /** Returns the frame, from 0; -1 for text and for a row to write. */
    public long frame() {
        return frame;
    }

    /** Returns the row in the {@link #frame()}, from 0; -1 if there is no frame. */
    public long row() {
        return row;
    }

    /** Returns the line, from 1; 0 for a binary stream or if it is unknown. */
    public long line() {
        return line;
    }

    /** Returns the character in the {@link #line()}, from 1; 0 if it is unknown. */
    public long column() {
        return column;
    }

    /** Returns the byte in the uncompressed file, from 0; -1 if it is unknown. */
    public long offset() {
        return offset;
    }

    public String found() {
        return found;
    }

    public String advice() {
        return advice;
    }
}
