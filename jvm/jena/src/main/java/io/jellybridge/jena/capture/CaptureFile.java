package io.jellybridge.jena.capture;

import io.jellybridge.codec.PatchHandler;
import io.jellybridge.files.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.jena.graph.Node;

/** A log that is one file, which appears when it is closed. */
final class CaptureFile implements CaptureLog {
    private final Path file;
    private final AtomicFile target;
    private final CaptureStream stream;
    private Node head;
    private Node begun;
    private Exception broken;

    CaptureFile(Path file, CaptureOptions options) throws IOException {
        this.file = file;
        this.target = new AtomicFile(file);
        this.stream = new CaptureStream(folder(), options);
    }

    @Override
    public Node head() {
        return head;
    }

    @Override
    public Path folder() {
        return file.toAbsolutePath().getParent();
    }

    @Override
    public void begin(Node id) {
        begun = id;
        stream.begin(id, head);
    }

    @Override
    public PatchHandler<Node> rows() {
        return stream.rows();
    }

    @Override
    public long append() throws IOException {
        refuseWhenBroken();
        try {
            long rows = stream.append(target.out());
            head = begun;
            return rows;
        } catch (IOException | RuntimeException e) {
            broken = e;
            throw e;
        }
    }

    @Override
    public void drop() {
        stream.drop();
    }

    private void refuseWhenBroken() throws IOException {
        if (broken != null) {
            throw new IOException(file + " can't be written: " + broken.getMessage(), broken);
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
            refuseWhenBroken();
            stream.close(target.out());
            target.commit();
        }
    }

    @Override
    public void abort() throws IOException {
        target.close();
    }
}
