package io.jellybridge.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The files of one log, somewhere that is no folder of this machine. They are written once and whole: that is what {@link
 * StoreLog} asks for, and all.
 */
public interface LogStore {

    /** Where it is, for messages. */
    String name();

    /** The names of the files, each with how many bytes it has; none where the folder is not there. */
    Map<String, Long> list() throws IOException;

    /** How many bytes a file has, which may be in a folder of the folder; -1: there is no such file. */
    long length(String file) throws IOException;

    /**
     * Opens a file.
     *
     * @param offset where to begin, in bytes
     * @throws FileNotFoundException there is none
     */
    InputStream open(String file, long offset) throws IOException;

    /**
     * Makes a file, and the folder where that is not there. The file appears with all of its bytes, which are where a crash
     * leaves them, and its name never stands for another: of any number of processes that make one of that name, one does.
     *
     * @param content what is to be in it
     * @throws FileAlreadyExistsException there is a file of that name, which stays as it is
     * @throws IOException                it can't be made, or it is not known whether it was
     */
    void create(String file, Path content) throws IOException;
}
