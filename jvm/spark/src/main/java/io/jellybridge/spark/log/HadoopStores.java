package io.jellybridge.spark.log;

import io.jellybridge.codec.Io;
import io.jellybridge.http.Redaction;
import io.jellybridge.log.LogProperties;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.LogStores;
import io.jellybridge.spark.HadoopFiles;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.util.VersionInfo;

/**
 * The stores of logs on Hadoop's file systems. HDFS renames a file atomically and rejects an existing name. Other file systems
 * must promise to create a file only if there is none, as S3A does since Hadoop 3.4.2. They are rejected otherwise, since two
 * processes could both append.
 */
public final class HadoopStores implements LogStores {
    private static final Set<String> OTHERS = Set.of("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "oss",
            "cosn", "obs", "viewfs", "webhdfs", "swebhdfs", "har");

    @Override
    public LogStore at(String address) throws IOException {
        String scheme = address.substring(0, address.indexOf("://")).toLowerCase(Locale.ROOT);
        if (scheme.equals("hdfs")) {
            Path folder = new Path(address);
            return new RenamingStore(folder, folder.getFileSystem(HadoopFiles.configuration()));
        }
        return OTHERS.contains(scheme) ? withConditions(scheme, address) : null;
    }

    private static LogStore withConditions(String scheme, String address) throws IOException {
        Path folder = new Path(address);
        FileSystem files;
        try {
            files = folder.getFileSystem(HadoopFiles.configuration());
        } catch (IOException | RuntimeException e) {
            // Without Hadoop, a class that catches one of its exceptions could not be loaded.
            if (e instanceof UnsupportedFileSystemException || e.getCause() instanceof ClassNotFoundException) {
                throw noClientError(scheme, address, e);
            }
            throw e;
        }
        if (!files.hasPathCapability(folder, ConditionalStore.CONDITION)) {
            throw new IllegalArgumentException("a patch log can't be kept on " + scheme + " with this client of Hadoop "
                    + VersionInfo.getVersion() + ": of several processes that append there, none is sure to win, since it does "
                    + "not promise " + ConditionalStore.CONDITION + "; " + (scheme.equals("s3a")
                            ? "take Hadoop 3.4.2 or later, and leave fs.s3a.create.conditional.enabled at true"
                            : "keep the log on s3a or hdfs, in a folder, or on a server"));
        }
        return new ConditionalStore(folder, files);
    }

    private static IllegalArgumentException noClientError(String scheme, String address, Exception e) {
        return new IllegalArgumentException(Redaction.redactAddress(address) + ": Hadoop's client of " + scheme + " is not here; "
                + (scheme.startsWith("s3") ? "write s3a://, and add org.apache.hadoop:hadoop-aws:" + VersionInfo.getVersion()
                        + " to spark.jars.packages" : "add it to spark.jars.packages"), e);
    }

    /**
     * A log's folder on HDFS. A file is written under a hidden name, forced to the datanodes' disks, and renamed. The namenode
     * renames atomically, and rejects an existing name.
     */
    private static final class RenamingStore extends HadoopStore {
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
            Path made = pathOf(".append-" + UUID.randomUUID());
            try {
                if (file.contains("/")) {
                    files().mkdirs(pathOf(file).getParent());
                }
                try (FSDataOutputStream out =
                        context.create(made, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())) {
                    Files.copy(content, out);
                    out.hsync();
                }
                context.rename(made, pathOf(file));
            } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
                removeFile(made);
                throw new FileAlreadyExistsException(name() + "/" + file);
            } catch (IOException | RuntimeException e) {
                removeFile(made);
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
        private void removeFile(Path made) {
            try {
                context.delete(made, false);
            } catch (IOException e) {
                // It remains hidden.
            }
        }
    }

    /**
     * A log in an object store, whose client creates an object only if there is none of that name. S3A sends
     * {@code If-None-Match: *} with the object, so that it appears at once and whole.
     *
     * <p>If the response is lost, the client repeats the request and finds the name taken by its own object. So a name that is
     * taken by the same bytes counts as created. A patch has an id, and its repetition changes nothing.
     */
    private static final class ConditionalStore extends HadoopStore {
        /** The option of a new file, and the capability of file systems that know it. */
        static final String CONDITION = "fs.option.create.conditional.overwrite";

        /** The file systems whose server was seen to reject an existing name. */
        private static final Set<FileSystem> TRIED = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

        ConditionalStore(Path folder, FileSystem files) {
            super(folder, files);
        }

        @Override
        public void create(String file, java.nio.file.Path content) throws IOException {
            boolean isLog = file.equals(LogProperties.NAME);
            if (!isLog) {
                requireConditions();
            }
            try (InputStream in = Files.newInputStream(content)) {
                putObject(pathOf(file), in);
            } catch (IOException e) {
                requireOwn(file, content, e);
            }
            if (isLog) {
                requireConditions();
            }
        }

        /** Puts an object if there is none. An error before the end aborts the upload, so that no part of it becomes an object. */
        private void putObject(Path file, InputStream content) throws IOException {
            FSDataOutputStreamBuilder<?, ?> object = files().createFile(file);
            object.overwrite(false);
            object.recursive();
            object.must(CONDITION, true);
            FSDataOutputStream out = object.build();
            try {
                content.transferTo(out);
            } catch (IOException | RuntimeException e) {
                out.abort();
                throw e;
            }
            out.close();
        }

        /**
         * Checks after an error that the object is there with the same bytes: the response was lost.
         *
         * @throws FileAlreadyExistsException another object has the name
         * @throws IOException                the given error: there is no object, or it is unknown
         */
        private void requireOwn(String file, java.nio.file.Path content, IOException error) throws IOException {
            boolean isOwn;
            try (InputStream there = open(file, 0); InputStream own = Files.newInputStream(content)) {
                isOwn = Io.haveSameBytes(there, own);
            } catch (IOException e) {
                error.addSuppressed(e);
                throw error;
            }
            if (!isOwn) {
                throw (IOException) new FileAlreadyExistsException(name() + "/" + file).initCause(error);
            }
        }

        /**
         * Checks once that the server rejects an existing name. Some servers of S3's protocol ignore the condition. The object is
         * the log's properties with their own bytes, so that nothing changes even then.
         */
        private void requireConditions() throws IOException {
            if (TRIED.contains(files())) {
                return;
            }
            byte[] there;
            try (InputStream in = open(LogProperties.NAME, 0)) {
                there = in.readAllBytes();
            } catch (FileNotFoundException e) {
                return; // a log in the making, which ends with them
            }
            try {
                putObject(pathOf(LogProperties.NAME), new ByteArrayInputStream(there));
            } catch (PathIOException e) {
                TRIED.add(files());
                return;
            }
            throw new IOException(name() + " is on a server that replaces objects although it is told not to (If-None-Match: *), so "
                    + "that two processes could both append; keep the log on a server that knows conditional writes");
        }
    }

    /** A log's folder on one of Hadoop's file systems, which differ in how they create a file. */
    private static abstract class HadoopStore implements LogStore {
        private final Path folder;
        private final FileSystem files;
        /** The lengths and times of the objects when they were listed last. */
        private String stamp;

        HadoopStore(Path folder, FileSystem files) {
            this.folder = folder;
            this.files = files;
        }

        final FileSystem files() {
            return files;
        }

        /** Returns where a file is. */
        final Path pathOf(String file) {
            return new Path(folder, file);
        }

        @Override
        public final String name() {
            return folder.toString();
        }

        @Override
        public final Map<String, Long> list(String subfolder) throws IOException {
            Map<String, Long> lengths = new HashMap<>();
            Map<String, Long> times = new HashMap<>();
            try {
                RemoteIterator<FileStatus> found = files.listStatusIterator(subfolder.isEmpty() ? folder : pathOf(subfolder));
                while (found.hasNext()) {
                    FileStatus file = found.next();
                    lengths.put(file.getPath().getName(), file.isFile() ? file.getLen() : -1);
                    times.put(file.getPath().getName(), file.isFile() ? file.getModificationTime() : 0); // S3A has no time of a folder
                }
            } catch (FileNotFoundException e) {
                return Map.of();
            }
            stamp = subfolder.isEmpty() ? Integer.toHexString(times.hashCode()) + "-" + Integer.toHexString(lengths.hashCode()) : stamp;
            return lengths;
        }

        /** {@inheritDoc} Here, only the objects together have one. */
        @Override
        public final String stampOf(String file) {
            return file.equals(LISTED) ? stamp : null;
        }

        @Override
        public final long lengthOf(String file) throws IOException {
            try {
                FileStatus found = files.getFileStatus(pathOf(file));
                return found.isFile() ? found.getLen() : -1;
            } catch (FileNotFoundException e) {
                return -1;
            }
        }

        @Override
        public final InputStream open(String file, long offset) throws IOException {
            return Io.closeOnFailure(files.open(pathOf(file)), in -> {
                in.seek(offset);
                return in;
            });
        }

        @Override
        public final void delete(String file) throws IOException {
            files.delete(pathOf(file), false);
        }

        @Override
        public final void deleteFolder(String name, String first) throws IOException {
            delete(name + "/" + first);
            files.delete(pathOf(name), true);
        }
    }
}
