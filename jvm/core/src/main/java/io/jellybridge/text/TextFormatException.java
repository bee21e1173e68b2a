package io.jellybridge.text;

import io.jellybridge.codec.CarriedException;
import io.jellybridge.codec.Look;

/**
 * Text breaks its format, or a row can't be written in it. Says where, what was found and what to do. Serializable,
 * with plain fields only, so that it crosses from an executor to the driver.
 */
public final class TextFormatException extends CarriedException {
    private static final long serialVersionUID = 1L;

    private final String format;
    private final String file;
    private final long line;
    private final long column;
    private final long offset;
    private final String found;
    private final String advice;

    /**
     * @param format the format's name, such as {@code N-Quads}
     * @param file   the file; null when it is not known
     * @param line   the line, from 1; 0 when it is not known, as in a split that does not start the file
     * @param column the character in the line, from 1; 0 when it is not known
     * @param offset the byte in the (uncompressed) file, from 0; -1 when it is not known
     * @param found  what was found, a clause without a full stop
     * @param advice what to do about it, a clause without a full stop
     */
    public TextFormatException(
            String format, String file, long line, long column, long offset, String found, String advice) {
        super("[" + format + "] " + place(file, line, column, offset) + ": " + found + "; " + advice);
        this.format = format;
        this.file = file;
        this.line = line;
        this.column = column;
        this.offset = offset;
        this.found = found;
        this.advice = advice;
    }

    /**
     * The error of a text that looks like something else, which says more than what is wrong with it.
     *
     * @param look what it looks like; null where that is not known
     * @param own  what it should look like
     * @return this one where it looks as it should, or like nothing
     */
    public TextFormatException of(Look look, Look own) {
        return look == null || look == own ? this : new TextFormatException(format, file, line, column, offset, look.found(format), look.advice());
    }

    private static String place(String file, long line, long column, long offset) {
        StringBuilder place = new StringBuilder(file == null ? "input" : file);
        if (line > 0) {
            place.append(", line ").append(line);
        }
        if (column > 0) {
            place.append(", column ").append(column);
        }
        if (offset >= 0) {
            place.append(" (byte ").append(offset).append(')');
        }
        return place.toString();
    }

    /**
     * The same error, of a row that was to be written: it is found where the row came from, not in a text that was not
     * finished.
     *
     * @param place  the row's place; becomes the {@link #file()}, and line, column and offset are not known
     * @param advice what to do about it there
     */
    public TextFormatException at(String place, String advice) {
        return new TextFormatException(format, place, 0, 0, -1, found, advice);
    }

    public String format() {
        return format;
    }

    public String file() {
        return file;
    }

    public long line() {
        return line;
    }

    public long column() {
        return column;
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
