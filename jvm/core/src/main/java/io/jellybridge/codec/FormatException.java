package io.jellybridge.codec;

/**
 * Data breaks its format, or a call would have made a writer break it. Says which rule, where, what was found and what to
 * do. The one exception for all formats: of a binary stream the place is a frame, a row and a byte, of text a line and a column,
 * and of a row that was to be written it is the row's place in the data. Crosses from an executor to the driver as its
 * message.
 */
public final class FormatException extends CarriedException {
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
        super("[" + rule + "] " + place(file, frame, row, line, column, offset) + ": " + found + "; " + advice);
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

    private static String place(String file, long frame, long row, long line, long column, long offset) {
        if (frame >= 0) {
            return (file == null ? "" : file + ", ") + "frame " + frame + ", row " + row + ", byte " + offset;
        }
        return (file == null ? "input" : file) + (line > 0 ? ", line " + line : "")
                + (column > 0 ? ", column " + column : "") + (offset >= 0 ? " (byte " + offset + ")" : "");
    }

    /**
     * The error of a binary stream.
     *
     * @param rule   the rule's id, such as {@code P-62}, or a word for what refuses
     * @param file   the file, or another name of the stream; null when it has none
     * @param frame  the frame, from 0
     * @param row    the row in that frame, from 0; lookup entries and options are rows too
     * @param offset the byte offset in the (uncompressed) stream, from 0
     * @param found  what was found, a clause without a full stop
     * @param advice what to do about it, a clause without a full stop
     */
    public static FormatException inStream(
            String rule, String file, long frame, long row, long offset, String found, String advice) {
        return new FormatException(rule, file, frame, row, 0, 0, offset, found, advice);
    }

    /**
     * The error of a text.
     *
     * @param format the format's name, such as {@code N-Quads}; it stands where a rule's id would
     * @param file   the file; null when it is not known
     * @param line   the line, from 1; 0 when it is not known, as in a split that does not start the file
     * @param column the character in the line, from 1; 0 when it is not known
     * @param offset the byte in the (uncompressed) file, from 0; -1 when it is not known
     * @param found  what was found, a clause without a full stop
     * @param advice what to do about it, a clause without a full stop
     */
    public static FormatException inText(
            String format, String file, long line, long column, long offset, String found, String advice) {
        return new FormatException(format, file, -1, -1, line, column, offset, found, advice);
    }

    /**
     * The error of a row that was to be written: it is found where the row came from, not in a file that was not finished.
     *
     * @param rule  the rule's id, or what such rows are called
     * @param place the row's place in the data, which becomes the {@link #file()}; null when it is not known
     */
    public static FormatException ofRow(String rule, String place, String found, String advice) {
        return inText(rule, place, 0, 0, -1, found, advice);
    }

    /** The same error, of a row that was to be written, at its place in the data. */
    public FormatException at(String place) {
        return at(place, advice);
    }

    /** As {@link #at(String)}, with what to do about it there. */
    public FormatException at(String place, String advice) {
        return ofRow(rule, place, found, advice);
    }

    /** The same error, with more about what was found. */
    public FormatException with(String found) {
        return new FormatException(rule, file, frame, row, line, column, offset, found, advice);
    }

    /**
     * The error of a file that looks like something else, which says more than what is wrong with it.
     *
     * @param look what its first bytes look like; null where that is not known
     * @param own  what they should look like; null where that is not known
     * @param due  what the format is called
     * @return this one where it looks as it should, or like nothing
     */
    public FormatException of(Look look, Look own, String due) {
        return look == null || look == own ? this
                : new FormatException(rule, file, frame, row, line, column, offset, look.found(due), look.advice());
    }

    /**
     * Says that the data may still be being written: it is whole up to a byte, and from there on a transaction has begun that
     * the end of the data cuts off. Returns this.
     */
    public FormatException wholeUpTo(long bytes) {
        wholeBytes = bytes;
        return this;
    }

    /** How many bytes of data that may still be being written are whole transactions; -1 of other faults. */
    public long wholeBytes() {
        return wholeBytes;
    }

    /** The rule's id or, of text, the format's name. */
    public String rule() {
        return rule;
    }

    /** The file, or another name of the data; null when it has none. */
    public String file() {
        return file;
    }

    /** The frame, from 0; -1 of text, and of a row to be written. */
    public long frame() {
        return frame;
    }

    /** The row in the {@link #frame()}, from 0; -1 where that is. */
    public long row() {
        return row;
    }

    /** The line, from 1; 0 of a binary stream, and where it is not known. */
    public long line() {
        return line;
    }

    /** The character in the {@link #line()}, from 1; 0 where it is not known. */
    public long column() {
        return column;
    }

    /** The byte in the uncompressed file, from 0; -1 where it is not known. */
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
