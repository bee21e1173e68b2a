package io.jellybridge.jena.capture;

import io.jellybridge.codec.PatchWriter;
import io.jellybridge.files.AtomicFile;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.jena.graph.Node;

/** A log that is one file, which appears when it is closed. */
final class CaptureFile implements CaptureLog {
    private final Path file;
    private final AtomicFile target;
    private final PatchWriter<Node> writer;
    private Node head;
    private Exception broken;

    CaptureFile(Path file, CaptureOptions options) throws IOException {
        this.file = file;
        this.target = new AtomicFile(file);
        this.writer = new PatchWriter<>(target.out(), file.toString(), new NodeTerms(), options.patchOptions(),
                options.writeOptions());
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
    public void append(Node id, Rows rows) throws IOException {
        refuseWhenBroken();
        try {
            rows.copyTo(writer);
        } catch (IOException | RuntimeException e) {
            broken = e;
            throw e;
        }
        head = id;
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
            writer.close();
            target.commit();
        }
    }

    @Override
    public void abort() throws IOException {
        target.close();
    }
}
