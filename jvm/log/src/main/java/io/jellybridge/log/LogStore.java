package io.jellybridge.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The files of one log that is not in a local folder. Each file is written once and completely. {@link StoreLog} needs
 * nothing else.
 */
public interface LogStore {

    /** Returns its location, for messages. */
    String name();

    /**
     * Returns the names in a folder: files with their lengths, and folders with -1. Returns an empty map if it does not exist.
     *
     * @param folder a subfolder, or the empty string for the folder of the log
     */
    Map<String, Long> list(String folder) throws IOException;

    /** Returns the length of a file, which may be in a subfolder; -1 if there is no such file. */
    long length(String file) throws IOException;

    /**
     * Opens a file.
     *
     * @param offset the first byte to read
     * @throws FileNotFoundException there is none
     */
    InputStream open(String file, long offset) throws IOException;

    /**
     * Creates a file, and its folder if it does not exist. The file appears with all its bytes, which survive a crash, and it
     * is never replaced. If several processes create a file of one name, only one succeeds.
     *
     * @param content the content of the file
     * @throws FileAlreadyExistsException there is a file of that name; it does not change
     * @throws IOException                it can't be created, or it is unknown whether it was
     */
    void create(String file, Path content) throws IOException;

    /** Deletes a file, if it exists. */
    void delete(String file) throws IOException;
}
