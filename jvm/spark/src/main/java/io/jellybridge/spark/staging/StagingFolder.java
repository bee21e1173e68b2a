package io.jellybridge.spark.staging;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A folder that the driver makes and removes, and in which tasks make files meanwhile, also when Spark has stopped them and
 * they have not noticed yet. What comes too late does not stay: a task looks for the driver's mark when it has made its
 * file, and the driver removes until nothing is left.
 */
final class StagingFolder {
    private static final String MARK = "_staging";
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int ATTEMPTS = 10;

    private final FileSystem files;
    private final Path folder;

    StagingFolder(Path folder, Configuration hadoop) throws IOException {
        this.files = folder.getFileSystem(hadoop);
        this.folder = folder;
    }

    /** Makes the folder anew: what a run that was killed left in it is gone. */
    void make() throws IOException {
        remove();
        files.create(mark(), true).close();
    }

    /**
     * Makes a file for a task.
     *
     * @throws FileNotFoundException the driver has removed the folder
     */
    OutputStream create(Path file) throws IOException {
        OutputStream out = null;
        IOException stopped;
        try {
            // Some file systems make the folder all the same, where it goes between their look and the making.
            out = files.createNonRecursive(file, false, BUFFER_BYTES, files.getDefaultReplication(file),
                    files.getDefaultBlockSize(file), null);
            if (files.exists(mark())) {
                return out;
            }
            stopped = new FileNotFoundException(folder + " was removed: the write was stopped");
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            stopped = e; // a task that is interrupted may have made the file already
        }
        try {
            if (out != null) {
                out.close(); // some stores have the file only then
            }
            files.delete(file, false);
            if (!files.exists(mark())) {
                files.delete(folder, false);
            }
        } catch (IOException e) {
            stopped.addSuppressed(e); // another task has a file in it, and removes it too
        }
        throw stopped;
    }

    void delete(Path file) throws IOException {
        files.delete(file, false);
    }

    /** Removes it with all that is in it. */
    void remove() throws IOException {
        // A file that is made while its folder is removed may keep that there.
        for (int attempt = 1; !files.delete(folder, true) && files.exists(folder); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IOException("files are made in it all the time");
            }
        }
    }

    private Path mark() {
        return new Path(folder, MARK);
    }
}
