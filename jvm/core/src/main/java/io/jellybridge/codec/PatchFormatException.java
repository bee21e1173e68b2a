package io.jellybridge.codec;

/**
 * A patch stream breaks the format, or a call would have made a writer break it. Says which rule, where, what was found
 * and what to do. Crosses from an executor to the driver as its message.
 */
public final class PatchFormatException extends CarriedException {
    private static final long serialVersionUID = 1L;

    private final String rule;
    private final String file;
    private final long frame;
    private final long row;
    private final long offset;
    private final String found;
    private final String advice;

    /**
     * @param rule   the rule's id in the checklist of the format, such as {@code P-62}
     * @param file   the file, or another name of the stream; null when it has none
     * @param frame  the frame, from 0; -1 where it is not known, as then the row and the offset
     * @param row    the row in that frame, from 0; lookup entries and options are rows too
     * @param offset the byte offset in the (uncompressed) stream, from 0
     * @param found  what was found, a clause without a full stop
     * @param advice what to do about it, a clause without a full stop
     */
    public PatchFormatException(String rule, String file, long frame, long row, long offset, String found, String advice) {
        super("[" + rule + "] " + place(file, frame, row, offset) + ": " + found + "; " + advice);
        this.rule = rule;
        this.file = file;
        this.frame = frame;
        this.row = row;
        this.offset = offset;
        this.found = found;
        this.advice = advice;
    }

    private static String place(String file, long frame, long row, long offset) {
        String inStream = "frame " + frame + ", row " + row + ", byte " + offset;
        if (file == null) {
            return offset < 0 ? "input" : inStream;
        }
        return offset < 0 ? file : file + ", " + inStream;
    }

    /**
     * The same error, of a row that was to be written: it is found where the row came from, not in a stream that was not
     * finished.
     *
     * @param place  the row's place; becomes the {@link #file()}, and frame, row and offset are not known
     * @param advice what to do about it there
     */
    public PatchFormatException at(String place, String advice) {
        return new PatchFormatException(rule, place, -1, -1, -1, found, advice);
    }

    /** As {@link #at(String, String)}, with the same advice. */
    public PatchFormatException at(String place) {
        return at(place, advice);
    }

    /**
     * The error of a stream that looks like something else, which says more than what is wrong with it.
     *
     * @param look   what its first bytes look like; null where that is not known
     * @param format what it should be
     * @return this one where it looks as it should, or like nothing
     */
    public PatchFormatException of(Look look, String format) {
        return look == null || look.toString().equals(format) ? this
                : new PatchFormatException(rule, file, frame, row, offset, look.found(format), look.advice());
    }

    public String rule() {
        return rule;
    }

    public String file() {
        return file;
    }

    public long frame() {
        return frame;
    }

    public long row() {
        return row;
    }

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
