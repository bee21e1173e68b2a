package io.jellybridge.jena.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.tdb2.store.DatasetGraphSwitchable;

/**
 * A file beside the data of a TDB2 database, with the position of the database while its changes are captured. The stored
 * position is a reference to this file meanwhile, an IRI with its name. To change the stored position in each transaction would
 * make TDB2 flush all its indexes of named graphs to the disk each time.
 *
 * <p>The file has one line of a fixed length, so overwriting it costs little, and no crash leaves a half of it: whether a commit
 * has begun or is done, and the id of its patch. The line of a commit is on the disk before TDB2 commits. So after a crash, the
 * database is at the id of a line that is done. If it has begun, the database is there, or one patch before.
 */
public final class PositionFile implements Closeable {
    private static final String REFERENCE = "urn:jellybridge:file:";
    private static final Pattern REFERENCES = Pattern.compile(REFERENCE + "([0-9a-f-]{36})");
    private static final String SUFFIX = ".position";
    private static final Pattern NAMES = Pattern.compile("jellybridge-([0-9a-f-]{36})" + Pattern.quote(SUFFIX));
    private static final String BEGUN = "begun";
    private static final String DONE = "done";
    private static final int LINE_BYTES = 256;
    /** The open files of this JVM. What is in them is known without reading them, also during a commit. */
    private static final Map<Path, PositionFile> OPEN = new ConcurrentHashMap<>();

    private final Path path;
    private final Node reference;
    private final FileChannel channel;
    private boolean isForced;
    private volatile String begun;
    private volatile String done;

    /**
     * The content of a file.
     *
     * @param id     the id of a patch, in canonical N-Triples
     * @param isDone true if the database has the patch; otherwise it may have it
     */
    record Line(String id, boolean isDone) {
    }

    private PositionFile(Path folder, UUID name) throws IOException {
        this.path = pathOf(folder, name.toString());
        this.reference = NodeFactory.createURI(REFERENCE + name);
        this.channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /**
     * Creates a new file, and deletes older ones that no position refers to. The caller is in a transaction of the dataset.
     *
     * @return null if the dataset is no TDB2 database on a disk
     * @throws IOException the file can't be created
     */
    public static PositionFile create(DatasetGraph dataset) throws IOException {
        Path folder = folderOf(dataset);
        if (folder == null) {
            return null;
        }
        try (DirectoryStream<Path> older = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : older) {
                Matcher name = NAMES.matcher(file.getFileName().toString());
                if (name.matches() && !OPEN.containsKey(file)
                        && !StoredPosition.isStored(dataset, NodeFactory.createURI(REFERENCE + name.group(1)))) {
                    Files.delete(file);
                }
            }
        }
        PositionFile created = new PositionFile(folder, UUID.randomUUID());
        OPEN.put(created.path, created);
        return created;
    }

    private static Path folderOf(DatasetGraph dataset) {
        DatasetGraph inner = dataset;
        while (!(inner instanceof DatasetGraphSwitchable) && inner instanceof DatasetGraphWrapper wrapper) {
            inner = wrapper.getWrapped();
        }
        return inner instanceof DatasetGraphSwitchable database && database.hasContainerPath()
                ? database.getContainerPath().toAbsolutePath().normalize() : null;
    }

    private static Path pathOf(Path folder, String name) {
        return folder.resolve("jellybridge-" + name + SUFFIX);
    }

    /** Returns the position that refers to this file. */
    public Node reference() {
        return reference;
    }

    /** Returns the id of the last patch if it is committed; null if none was, or it is not known to be. */
    public synchronized String position() {
        return done != null && done.equals(begun) ? done : null;
    }

    /** Writes that the database is about to commit a patch. When this returns, that is on the disk. */
    public synchronized void begin(String id) throws IOException {
        done = begun; // a writer waits for the one before
        write(BEGUN, id);
        channel.force(false);
        if (!isForced) {
            try (FileChannel folder = FileChannel.open(path.getParent())) {
                folder.force(true);
            }
            isForced = true;
        }
        begun = id;
    }

    /** Writes that the database has committed a patch. Does nothing if another one has begun since. */
    public synchronized void end(String id) {
        if (!id.equals(begun)) {
            return;
        }
        done = id;
        try {
            write(DONE, id);
        } catch (IOException e) {
            // It is known to have begun. The next start applies it once more, which changes nothing.
        }
    }

    private void write(String state, String id) throws IOException {
        String text = state + " " + id + " ";
        byte[] line = (text + checksum(text)).getBytes(UTF_8);
        if (line.length >= LINE_BYTES) {
            throw new IOException(id + " is too long for " + path);
        }
        ByteBuffer bytes = ByteBuffer.allocate(LINE_BYTES).put(line);
        while (bytes.position() < LINE_BYTES - 1) {
            bytes.put((byte) ' ');
        }
        bytes.put((byte) '\n').flip();
        channel.write(bytes, 0);
    }

    private static String checksum(String text) {
        CRC32 checksum = new CRC32();
        checksum.update(text.getBytes(UTF_8));
        return Long.toHexString(checksum.getValue());
    }

    /** Closes the file, which stays. */
    @Override
    public void close() throws IOException {
        OPEN.remove(path, this);
        channel.close();
    }

    /** Closes the file and deletes it. */
    public void delete() throws IOException {
        close();
        Files.deleteIfExists(path);
    }

    /** Returns the file that a position refers to, whether it is there or not; null if the position is no reference. */
    private static Path find(DatasetGraph dataset, Node position) {
        Matcher name = REFERENCES.matcher(position.isURI() ? position.getURI() : "");
        Path folder = name.matches() ? folderOf(dataset) : null;
        return folder == null ? null : pathOf(folder, name.group(1));
    }

    /** Checks whether a position is a reference to a file. */
    public static boolean isReference(String position) {
        return position.startsWith("<" + REFERENCE);
    }

    /** Reads the file that a position refers to; null if the position is no reference, or the file is not there or damaged. */
    static Line read(DatasetGraph dataset, Node position) {
        Path path = find(dataset, position);
        PositionFile open = path == null ? null : OPEN.get(path);
        if (open != null && open.begun != null) {
            return new Line(open.done == null ? open.begun : open.done, true);
        }
        try {
            String[] parts = path == null ? new String[0] : Files.readString(path).split(" ");
            boolean isWhole = parts.length > 2 && parts[2].strip().equals(checksum(parts[0] + " " + parts[1] + " "));
            return isWhole ? new Line(parts[1], parts[0].equals(DONE)) : null;
        } catch (IOException e) {
            return null;
        }
    }
}
