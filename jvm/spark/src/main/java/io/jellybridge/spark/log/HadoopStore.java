package io.jellybridge.spark.log;

import io.jellybridge.log.LogStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A log's folder on one of Hadoop's file systems, which differ in how they create a file. */
abstract class HadoopStore implements LogStore {
    private final Path folder;
    private final FileSystem files;

    HadoopStore(Path folder, FileSystem files) {
        this.folder = folder;
        this.files = files;
    }

    final FileSystem files() {
        return files;
    }

    /** Returns where a file is. */
    final Path path(String file) {
        return new Path(folder, file);
    }

    @Override
    public final String name() {
        return folder.toString();
    }

    @Override
    public final Map<String, Long> list(String subfolder) throws IOException {
        Map<String, Long> lengths = new HashMap<>();
        try {
            RemoteIterator<FileStatus> found = files.listStatusIterator(subfolder.isEmpty() ? folder : path(subfolder));
            while (found.hasNext()) {
                FileStatus file = found.next();
                lengths.put(file.getPath().getName(), file.isFile() ? file.getLen() : -1);
            }
        } catch (FileNotFoundException e) {
            return Map.of();
        }
        return lengths;
    }

    @Override
    public final long length(String file) throws IOException {
        try {
            FileStatus found = files.getFileStatus(path(file));
            return found.isFile() ? found.getLen() : -1;
        } catch (FileNotFoundException e) {
            return -1;
        }
    }

    @Override
    public final InputStream open(String file, long offset) throws IOException {
        FSDataInputStream in = files.open(path(file));
        try {
            in.seek(offset);
            return in;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    @Override
    public final void delete(String file) throws IOException {
        files.delete(path(file), false);
    }

    @Override
    public final void deleteFolder(String name, String first) throws IOException {
        delete(name + "/" + first);
        files.delete(path(name), true);
    }
}
