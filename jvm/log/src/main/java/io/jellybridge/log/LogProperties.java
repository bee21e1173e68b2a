package io.jellybridge.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The file that makes a folder a log: what it says, and what a folder is without. */
final class LogProperties {
    static final String NAME = "patch-log.properties";
    private static final Pattern ID_LINE = Pattern.compile("^id=(" + PatchIds.UUID_TEXT + ")\\s*$", Pattern.MULTILINE);
    private static final String FORMAT_LINE = "format=2\n";

    private LogProperties() {
    }

    /** Of a log with an id. */
    static String text(String id) {
        return FORMAT_LINE + "id=" + id + "\n";
    }

    /**
     * The log's id.
     *
     * @param file what errors call it
     * @throws IOException it is damaged, or of another format
     */
    static String id(String text, String file) throws IOException {
        Matcher line = ID_LINE.matcher(text);
        if (!text.contains(FORMAT_LINE) || !line.find()) {
            throw new IOException(file + " is none of this version of jellybridge; it must say " + FORMAT_LINE.trim()
                    + " and id=UUID");
        }
        return PatchIds.parse(line.group(1));
    }

    /** The folder has none. */
    static FileNotFoundException missing(String folder) {
        return new FileNotFoundException(
                folder + " is no patch log: it has no " + NAME + "; create one, or correct the path");
    }

    /** A new log is to be where one is. */
    static FileAlreadyExistsException present(String folder) {
        return new FileAlreadyExistsException(folder, null, "it is a patch log already; open it");
    }

    /** A new log is to be where other files are. */
    static IOException occupied(String folder, String file) {
        return new IOException(
                folder + " has files in it, such as " + file + "; a new patch log needs a folder of its own");
    }
}
