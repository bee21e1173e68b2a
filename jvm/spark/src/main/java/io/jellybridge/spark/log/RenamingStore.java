package io.jellybridge.spark.log;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;

/**
 * A log's folder on HDFS. A file is written under a hidden name, forced to the datanodes' disks, and renamed. The namenode
 * renames atomically, and rejects an existing name.
 */
final class RenamingStore extends HadoopStore {
    /**
     * The context for renames, which reject an existing name; those of {@link FileSystem} may not. Null before the first use.
     */
    private FileContext context;

    RenamingStore(Path folder, FileSystem files) {
        super(folder, files);
    }

    @Override
    public void create(String file, java.nio.file.Path content) throws IOException {
        if (context == null) {
            context = FileContext.getFileContext(files().getUri(), forSmallFiles());
        }
        Path made = path(".append-" + UUID.randomUUID());
        try {
            if (file.contains("/")) {
                files().mkdirs(path(file).getParent());
            }
            try (FSDataOutputStream out =
                    context.create(made, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())) {
                Files.copy(content, out);
                out.hsync();
            }
            context.rename(made, path(file));
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
            remove(made);
            throw new FileAlreadyExistsException(name() + "/" + file);
        } catch (IOException | RuntimeException e) {
            remove(made);
            throw e;
        }
    }

    /**
     * Returns a configuration with shorter polling intervals for closing a file. The client polls until the namenode knows the
     * last block. Hadoop's defaults are for large files, and would take most of the time of an append.
     */
    private Configuration forSmallFiles() {
        Configuration small = new Configuration(files().getConf());
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
