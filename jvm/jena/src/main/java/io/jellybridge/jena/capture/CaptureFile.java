package io.jellybridge.jena.capture;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.files.AtomicFile;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.ChainPlace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.jena.graph.Node;

/** A log in one new file, which appears when it is closed. It never replaces a file. */
final class CaptureFile implements CaptureLog {
    private final Path file;
    private final CaptureOptions options;
    private final AtomicFile target;
    private Node head;
    private IOException broken;

    /**
     * Begins the file.
     *
     * @throws FileAlreadyExistsException there is a file of that name
     */
    CaptureFile(Path file, CaptureOptions options) throws IOException {
        this.file = file;
        this.options = options;
        this.target = new AtomicFile(file, file.toString());
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            target.close();
            throw new FileAlreadyExistsException(file.toString(), null, "it exists already, and a capture replaces no file; "
                    + "give a new name, or capture into a folder, which the next capture continues");
        }
    }

    @Override
    public Node head() {
        return head;
    }

    @Override
    public ChainPlace next() {
        return null;
    }

    @Override
    public Path folder() {
        return file.toAbsolutePath().getParent();
    }

    @Override
    public void prepare() throws IOException {
        if (broken != null) {
            throw new IOException(ExceptionMessages.cannotWrite(file.toString(), broken).getMessage(), broken);
        }
    }

    @Override
    public void append(OpenPatch patch) throws IOException {
        prepare();
        try (InputStream bytes = patch.end()) {
            bytes.transferTo(target.out());
            head = patch.id();
        } catch (IOException e) {
            broken = e;
            throw e;
        } catch (RuntimeException e) {
            broken = new IOException(ExceptionMessages.text(e), e);
            throw e;
        }
    }

    @Override
    public void rotate() {
        throw new UnsupportedOperationException(file + " is one file, which appears when the capture is closed; capture "
                + "into a folder for files that appear before");
    }

    @Override
    public void close() throws IOException {
        try (target) {
            prepare();
            if (head == null) {
                // A file without any patch also has its options.
                new PatchWriter<>(target.out(), null, new NodeTerms(), options.patchOptions(), options.writeOptions())
                        .close();
            }
            commit();
        }
    }

    private void commit() throws IOException {
        Path other = file.resolveSibling(UUID.randomUUID() + "-" + file.getFileName());
        if (!target.commitNew(other)) {
            throw new FileAlreadyExistsException(file.toString(), null, "another program created it during the capture, and it "
                    + "stays; the captured patches are in " + other);
        }
    }

    @Override
    public void abort() throws IOException {
        target.close();
    }

    @Override
    public void discard() throws IOException {
        abort();
    }
}
