package io.jellybridge.spark.log;

import io.jellybridge.log.LogProperties;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;

/**
 * A log in an object store, whose client creates an object only if there is none of that name. S3A sends
 * {@code If-None-Match: *} with the object, so that it appears at once and whole.
 *
 * <p>If the response is lost, the client repeats the request and finds the name taken by its own object. So a name that is
 * taken by the same bytes counts as created. A patch has an id, and its repetition changes nothing.
 */
final class ConditionalStore extends HadoopStore {
    /** The option of a new file, and the capability of file systems that know it. */
    static final String CONDITION = "fs.option.create.conditional.overwrite";

    private static final int BUFFER_BYTES = 1 << 16;
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
            put(path(file), in);
        } catch (IOException e) {
            requireOwn(file, content, e);
        }
        if (isLog) {
            requireConditions();
        }
    }

    /** Puts an object if there is none. An error before the end aborts the upload, so that no part of it becomes an object. */
    private void put(Path file, InputStream content) throws IOException {
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
            isOwn = isEqual(there, own);
        } catch (IOException e) {
            error.addSuppressed(e);
            throw error;
        }
        if (!isOwn) {
            throw (IOException) new FileAlreadyExistsException(name() + "/" + file).initCause(error);
        }
    }

    private static boolean isEqual(InputStream one, InputStream other) throws IOException {
        byte[] bytes;
        do {
            bytes = one.readNBytes(BUFFER_BYTES);
            if (!Arrays.equals(bytes, other.readNBytes(BUFFER_BYTES))) {
                return false;
            }
        } while (bytes.length > 0);
        return true;
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
            put(path(LogProperties.NAME), new ByteArrayInputStream(there));
        } catch (PathIOException e) {
            TRIED.add(files());
            return;
        }
        throw new IOException(name() + " is on a server that replaces objects although it is told not to (If-None-Match: *), so "
                + "that two processes could both append; keep the log on a server that knows conditional writes");
    }
}
