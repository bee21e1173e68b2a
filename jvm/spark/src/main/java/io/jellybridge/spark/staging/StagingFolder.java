package io.jellybridge.spark.staging;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that the driver creates and deletes while tasks create files in it. A stopped task may still create a file, until it
 * notices. Such files do not stay. A task checks the driver's marker file after it has created its file, and the driver deletes
 * until nothing is left.
 */
final class StagingFolder {
    private static final Logger LOGGER = LoggerFactory.getLogger(StagingFolder.class);
    private static final String MARK = "_staging";
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int ATTEMPTS = 10;

    private final FileSystem files;
    private final Path folder;

    StagingFolder(Path folder, Configuration hadoop) throws IOException {
        this.files = folder.getFileSystem(hadoop);
        this.folder = folder;
    }

    /** Creates the folder. Deletes the remains of a killed run first. */
    void make() throws IOException {
        remove();
        files.create(mark(), true).close();
    }

    /**
     * Creates a file for a task.
     *
     * @throws FileNotFoundException the driver has deleted the folder
     */
    OutputStream createFile(Path file) throws IOException {
        OutputStream out = null;
        IOException stopped;
        try {
            // Some file systems recreate a folder that is deleted between their check and the creation.
            out = files.createNonRecursive(file, false, BUFFER_BYTES, files.getDefaultReplication(file),
                    files.getDefaultBlockSize(file), null);
            if (files.exists(mark())) {
                return out;
            }
            stopped = new FileNotFoundException(folder + " was removed: the write was stopped");
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            stopped = e; // an interrupted task may have created the file
        }
        try {
            if (out != null) {
                out.close(); // some stores create the file only then
            }
            deleteFile(file);
            if (!files.exists(mark())) {
                files.delete(folder, false);
            }
        } catch (IOException e) {
            stopped.addSuppressed(e); // another task has a file in it, and deletes it too
        }
        throw stopped;
    }

    void deleteFile(Path file) throws IOException {
        files.delete(file, false);
        if (files instanceof ChecksumFileSystem local) {
            // Its delete leaves the checksums of a file that the driver has deleted before they were created.
            local.getRawFileSystem().delete(local.getChecksumFile(file), false);
        }
    }

    /** Deletes the folder with all files. */
    void remove() throws IOException {
        // A file that is created during the deletion may keep the folder alive.
        for (int attempt = 1; !files.delete(folder, true) && files.exists(folder); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IOException("files are made in it all the time");
            }
        }
    }

    /** Deletes a folder with all files. Logs a warning if that fails, so that a batch keeps its outcome. */
    static void removeOrWarn(Path folder, Configuration hadoop) {
        try {
            new StagingFolder(folder, hadoop).remove();
        } catch (IOException e) {
            LOGGER.warn("can't remove {}: {}; its rows are no longer needed, remove it by hand", folder, e.getMessage());
        }
    }

    private Path mark() {
        return new Path(folder, MARK);
    }
}
