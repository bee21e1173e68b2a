package io.jellybridge.codec;

/**
 * A patch stream breaks the format, or a call would have made a writer break it. Says which rule, where, what was found
 * and what to do. Serializable, with plain fields only, so that it crosses from an executor to the driver.
 */
public final class PatchFormatException extends RuntimeException {
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
     * @param frame  the frame, from 0
     * @param row    the row in that frame, from 0; lookup entries and options are rows too
     * @param offset the byte offset in the (uncompressed) stream, from 0
     * @param found  what was found, a clause without a full stop
     * @param advice what to do about it, a clause without a full stop
     */
    public PatchFormatException(String rule, String file, long frame, long row, long offset, String found, String advice) {
        super("[" + rule + "] " + (file == null ? "" : file + ", ") + "frame " + frame + ", row " + row + ", byte " + offset
                + ": " + found + "; " + advice);
        this.rule = rule;
        this.file = file;
        this.frame = frame;
        this.row = row;
        this.offset = offset;
        this.found = found;
        this.advice = advice;
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
