package io.jellybridge.log;

import io.jellybridge.files.AtomicFolder;
import io.jellybridge.http.HttpOptions;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * The objects of one log, as files in a folder. Each file is written once and completely. A {@link StoreLog} needs the methods
 * without a default. The others are what a folder of this machine can do in addition, see {@link FolderStore}.
 */
public interface LogStore {

    /** Returns its location, for messages. */
    String name();

    /** Returns the address at which {@link PatchLogs} finds it, also in other processes. */
    default String address() {
        return name();
    }

    /**
     * Returns the names in a folder: files with their lengths, and folders with -1. Returns an empty map if it does not exist.
     * A store that would have to ask for each length may give -1 for files, too.
     *
     * @param folder a subfolder, or the empty string for the folder of the log
     */
    Map<String, Long> list(String folder) throws IOException;

    /** Waits for a newer version, see {@link PatchLog#awaitNewer}. */
    default boolean awaitNewer(long after, Duration longest) throws IOException {
        return false;
    }

    /** Returns the length of a file, which may be in a subfolder; -1 if there is no such file. */
    long lengthOf(String file) throws IOException;

    /** Returns the number of patches of an object, if the list of the store has it; null if the object is to be read for it. */
    default Integer countOf(String file) {
        return null;
    }

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

    /** Returns the connection options that {@link PatchLogs} needs for that address; null if it needs none. */
    default HttpOptions server() {
        return null;
    }

    /**
     * Returns the version of the patch with an id; 0 if there is none. By default, it returns null: the patches have to be read.
     *
     * @param patchId the id, a UUID
     */
    default Long versionWith(String patchId) throws IOException {
        return null;
    }

    /** Creates or replaces a file that is no object of the log. By default, there is none for a moment. */
    default void replace(String file, Path content) throws IOException {
        delete(file);
        create(file, content);
    }

    // --- what a folder of this machine can do in addition

    /**
     * Returns the folder of this machine that has the files.
     *
     * @throws IllegalArgumentException it is elsewhere
     */
    default FolderStore folder() {
        throw new IllegalArgumentException(name() + " is no folder of this machine, which this needs; capture and repair in a "
                + "folder, and copy the log");
    }

    /** The name of all objects together, for {@link #stampOf}. */
    String LISTED = "";

    /**
     * Returns a text that changes when a file of that name is replaced; null if unknown, or the file does not exist.
     *
     * @param file its name, or {@link #LISTED} for the objects as they were listed last
     */
    default String stampOf(String file) throws IOException {
        return null;
    }

    /** Returns the local file for the {@link IndexCache}; null to keep the index in memory only. */
    default Path index() {
        return null;
    }

    /** Returns a local file to be written and forced to the disk, for {@link #create}. The caller deletes it. */
    default Path temporary() throws IOException {
        return Files.createTempFile("jellybridge-", ".object");
    }

    /**
     * Acquires the lock to hold for appending; null if a capture holds it. Without locks, several writers may append after
     * the same patch at once. {@link #create} lets one win, and a writer looks afterwards whether it was still right.
     */
    default Closeable lockForAppend() throws IOException {
        return () -> { };
    }

    /** Returns whether {@link #lockForAppend} locks anything. */
    default boolean hasLocks() {
        return false;
    }

    /**
     * Returns whether {@link #create} compares the head itself, and creates no patch that does not follow it. A writer then need
     * not read the head before it appends.
     */
    default boolean comparesHeads() {
        return false;
    }

    /** Acquires the lock to hold for deleting patches; null if another process holds it. */
    default Closeable lockForCompaction() throws IOException {
        return () -> { };
    }

    /** Returns true if a capture that was killed left patches from this version on. */
    default boolean hasPart(long first) throws IOException {
        return false;
    }

    /** Returns the name of a file of a checkpoint. By default, equal names have equal contents. */
    default String partName(int number, String sha256) {
        return String.format(Locale.ROOT, "part-%05d-%.16s.jelly", number, sha256);
    }

    /** Creates a local folder to be filled, for {@link #createFolder}. */
    default AtomicFolder makeFolder(String folder) throws IOException {
        return new AtomicFolder(null, Path.of(System.getProperty("java.io.tmpdir"), "jellybridge-" + UUID.randomUUID()));
    }

    /**
     * Creates a folder with files, of which the last one makes the others count. By default, that one is created last.
     *
     * @param last the name of that file
     * @return false if there is one already
     */
    default boolean createFolder(String folder, AtomicFolder made, String last) throws IOException {
        try {
            for (Path file : made.files()) {
                String name = file.getFileName().toString();
                if (!name.equals(last)) {
                    createIfAbsent(folder + "/" + name, file);
                }
            }
            create(folder + "/" + last, made.path().resolve(last));
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        return true;
    }

    private void createIfAbsent(String file, Path content) throws IOException {
        try {
            create(file, content);
        } catch (FileAlreadyExistsException e) {
            // Its name says that it has the same content.
        }
    }

    /** Returns true if a folder of {@link #createFolder} appears in one step, so that its last file is never missing. */
    default boolean hasWholeFolders() {
        return false;
    }

    /** Deletes a folder of files, beginning with the given one. */
    default void deleteFolder(String folder, String first) throws IOException {
        delete(folder + "/" + first);
        for (String file : list(folder).keySet()) {
            delete(folder + "/" + file);
        }
    }

    /** Deletes unfinished work of processes that were killed. */
    default void removeUnfinished() throws IOException {
        // Nobody sees it.
    }

    /** Releases what it keeps for the next call. It can still be used. */
    default void release() throws IOException {
        // It keeps nothing.
    }
}
