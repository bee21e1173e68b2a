package io.jellybridge.spark.log;

import io.jellybridge.log.LogStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A log's folder on HDFS. A file is written under a hidden name, forced to the datanodes' disks, and renamed. The namenode
 * renames atomically, and rejects an existing name.
 */
final class HadoopStore implements LogStore {
    private final Path folder;
    private final Configuration configuration;
    private final FileSystem files;
    /**
     * The context for renames, which reject an existing name; those of {@link FileSystem} may not. Null before the first use.
     */
    private FileContext context;

    HadoopStore(Path folder, Configuration configuration) throws IOException {
        this.folder = folder;
        this.configuration = configuration;
        this.files = folder.getFileSystem(configuration);
    }

    @Override
    public String name() {
        return folder.toString();
    }

    @Override
    public Map<String, Long> list(String subfolder) throws IOException {
        Map<String, Long> lengths = new HashMap<>();
        try {
            RemoteIterator<FileStatus> found =
                    files.listStatusIterator(subfolder.isEmpty() ? folder : new Path(folder, subfolder));
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
    public long length(String file) throws IOException {
        try {
            FileStatus found = files.getFileStatus(new Path(folder, file));
            return found.isFile() ? found.getLen() : -1;
        } catch (FileNotFoundException e) {
            return -1;
        }
    }

    @Override
    public InputStream open(String file, long offset) throws IOException {
        FSDataInputStream in = files.open(new Path(folder, file));
        try {
            in.seek(offset);
            return in;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    @Override
    public void create(String file, java.nio.file.Path content) throws IOException {
        if (context == null) {
            context = FileContext.getFileContext(files.getUri(), forSmallFiles());
        }
        Path made = new Path(folder, ".append-" + UUID.randomUUID());
        try {
            try (FSDataOutputStream out =
                    context.create(made, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())) {
                Files.copy(content, out);
                out.hsync();
            }
            context.rename(made, new Path(folder, file));
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
            remove(made);
            throw new FileAlreadyExistsException(name() + "/" + file);
        } catch (IOException | RuntimeException e) {
            remove(made);
            throw e;
        }
    }

    @Override
    public void delete(String file) throws IOException {
        files.delete(new Path(folder, file), false);
    }

    /**
     * Returns a configuration with shorter polling intervals for closing a file. The client polls until the namenode knows the
     * last block. Hadoop's defaults are for large files, and would take most of the time of an append.
     */
    private Configuration forSmallFiles() {
        Configuration small = new Configuration(configuration);
        small.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
        small.setInt("dfs.client.block.write.locateFollowingBlock.retries", 14);
        return small;
    }

    /** Deletes a temporary file. An error is ignored: nobody reads the file, and the original error matters more. */
    private void remove(Path made) {
        try {
            context.delete(made, false);
        } catch (IOException e) {
            // It remains hidden.
        }
    }
}
