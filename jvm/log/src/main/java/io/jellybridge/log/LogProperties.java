package io.jellybridge.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The properties file that makes a folder a log, and the errors of a folder without it. */
public final class LogProperties {
    public static final String NAME = "patch-log.properties";
    private static final Pattern ID_LINE = Pattern.compile("^id=(" + PatchIds.UUID_TEXT + ")\\s*$", Pattern.MULTILINE);
    private static final String FORMAT_LINE = "format=2\n";

    private LogProperties() {
    }

    /** Returns the content of the file for a log with an id. */
    static String contentFor(String id) {
        return FORMAT_LINE + "id=" + id + "\n";
    }

    /**
     * Parses the log's id.
     *
     * @param file the name of the file in messages
     * @throws IOException it is damaged, or has another format
     */
    static String parseId(String text, String file) throws IOException {
        Matcher line = ID_LINE.matcher(text);
        if (!text.contains(FORMAT_LINE) || !line.find()) {
            throw new IOException(file + " is none of this version of jellybridge; it must say " + FORMAT_LINE.trim()
                    + " and id=UUID");
        }
        return PatchIds.parseId(line.group(1));
    }

    /** Returns the error that a folder has no such file. */
    static FileNotFoundException missingFileError(String folder) {
        return new FileNotFoundException(
                folder + " is no patch log: it has no " + NAME + "; create one by `jellybridge log create` or PatchLog.create, or "
                        + "correct the path");
    }

    /** Returns the error that a new log can't be created, since one exists. */
    static FileAlreadyExistsException existsError(String folder) {
        return new FileAlreadyExistsException(folder, null, "it is a patch log already; open it");
    }

    /** Returns the error that a new log can't be created, since the folder has other files. */
    static IOException occupiedError(String folder, String file) {
        return new IOException(
                folder + " has files in it, such as " + file + "; a new patch log needs a folder of its own");
    }
}
