package io.jellybridge.log;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.grpc.GrpcException;
import io.jellybridge.grpc.PatchStreams;
import io.jellybridge.grpc.PatchStreams.Deliveries;
import io.jellybridge.grpc.PatchStreams.Delivery;
import io.jellybridge.grpc.PatchStreams.Head;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.UnreachableException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A log that {@code jellybridge serve} serves over gRPC: {@code grpc://host:port/TOPIC}. */
public final class GrpcLog implements PatchLog {
    private final HttpOptions options;
    private final PatchStreams server;
    /** The id; null before the first response. */
    private String id;
    /** The head that was seen last; null before the first response. */
    private Head known;

    /**
     * Creates a client of a log.
     *
     * @param options the options of {@link HttpOptions#ofGrpc}
     */
    public GrpcLog(HttpOptions options) {
        this.options = options;
        this.server = new PatchStreams(options);
    }

    @Override
    public String name() {
        return options.base().toString();
    }

    private Head state() throws IOException {
        try {
            Head head = server.head();
            if (id == null && PatchIds.isId(head.log())) {
                id = head.log();
            } else if (id != null && !id.equals(head.log())) {
                throw new IOException(name() + " was opened as the log " + id + ", and is the log " + head.log()
                        + " now: another one took its place; open it again if that is right");
            }
            requireHistory(head);
            known = head;
            return head;
        } catch (GrpcException e) {
            if (e.is("NOT_FOUND")) {
                throw (IOException) new FileNotFoundException(e.getMessage()).initCause(e);
            }
            throw e;
        }
    }

    /** Checks that the log still has the patch that was its head when last seen, unless it was pruned. */
    private void requireHistory(Head head) throws IOException {
        if (known == null || known.chain().isEmpty() || known.version() == 0) {
            return;
        }
        String found = head.chain();
        if (head.version() > known.version()) {
            try (LogEntries entries = new Subscription(known.version(), known.version())) {
                found = known.version() < head.first() ? known.chain() : entries.next().header().hash();
            }
        }
        if (head.version() < known.version() || !known.chain().equals(found)) {
            throw new IOException(name() + " was opened as the log " + id + " with version " + known.version() + " of the hash "
                    + known.chain() + ", and " + (head.version() < known.version() ? "ends with version " + head.version()
                            : "has another patch as that version") + " now: another copy took its place, or patches were taken away;"
                    + " nothing was done, open it again if that is right");
        }
    }

    @Override
    public String headHash() {
        return known == null || known.version() == 0 ? Chain.START : known.chain();
    }

    @Override
    public String id() throws IOException {
        return PatchIds.parseId(state().log());
    }

    @Override
    public LogHead head() throws IOException {
        Head state = state();
        return state.version() == 0 ? LogHead.EMPTY : new LogHead(state.version(), PatchIds.parseId(state.id()));
    }

    @Override
    public long first() throws IOException {
        return state().first();
    }

    // --- checkpoints

    @Override
    public Checkpoint findCheckpoint(long upTo) throws IOException {
        return upTo < 1 ? null : server.runWithRetries(() -> {
            try (Deliveries deliveries = server.subscribeCheckpoint(upTo)) {
                return parseCheckpoint(deliveries.next(), upTo);
            } catch (GrpcException e) {
                if (e.is("OUT_OF_RANGE")) {
                    return null; // the log does not have such old versions any more
                }
                throw e;
            }
        });
    }

    /** Returns the checkpoint that a frame belongs to; null if it belongs to none. */
    private Checkpoint parseCheckpoint(Delivery first, long upTo) throws IOException {
        if (first == null || !first.isState()) {
            return null;
        }
        Checkpoint found = Checkpoint.of(JsonText.parseObject(first.checkpoint()),
                name() + ", checkpoint of version " + first.version(), null);
        if (found == null || found.version() > upTo || !found.log().equals(id())) {
            throw new IOException(name() + " gives a checkpoint that is none of this log up to version " + upTo
                    + ", or of another version of jellybridge");
        }
        return found;
    }

    @Override
    public Checkpoint fetchFiles(Checkpoint checkpoint, Path folder) throws IOException {
        return server.runWithRetries(() -> {
            try (Deliveries deliveries = server.subscribeCheckpoint(checkpoint.version())) {
                Delivery frame = deliveries.next();
                if (!checkpoint.equals(parseCheckpoint(frame, checkpoint.version()))) {
                    throw checkpoint.goneError();
                }
                if (!checkpoint.parts().isEmpty()) {
                    receiveFile(deliveries, frame, checkpoint, folder);
                }
                return checkpoint.in(folder);
            }
        });
    }

    private void receiveFile(Deliveries deliveries, Delivery first, Checkpoint checkpoint, Path folder) throws IOException {
        Delivery frame = first;
        while (true) {
            int part = frame.part();
            if (part < 0 || part >= checkpoint.parts().size()) {
                throw new IOException(name() + " gives a file of a checkpoint that the checkpoint does not list");
            }
            Path file = checkpoint.pathOf(folder, checkpoint.parts().get(part).file());
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                while (frame.part() == part) {
                    frame.writeTo(out);
                    if (frame.isLast()) {
                        return;
                    }
                    frame = deliveries.next();
                    if (frame == null) {
                        throw cutOffError();
                    }
                }
            }
        }
    }

    private UnreachableException cutOffError() {
        return new UnreachableException(options.base(), 0, "ended before the end of what it sent", null);
    }

    // --- patches

    @Override
    public LogEntries fetch(long from, long to) throws IOException {
        Head state = state();
        return new Subscription(Math.max(from, state.first()), Math.min(to, state.version()));
    }

    /**
     * The patches of a range. Each is received when it is requested. If the connection is lost, the rest is requested again.
     */
    private final class Subscription implements LogEntries {
        private final long to;
        private long next;
        private Path file;
        private Deliveries deliveries;

        Subscription(long from, long to) {
            this.next = from;
            this.to = to;
        }

        @Override
        public LogEntry next() throws IOException {
            if (next > to) {
                return null;
            }
            if (file == null) {
                file = Files.createTempFile("jellybridge-", ".jellyp");
            }
            server.runWithRetries(this::receive);
            return new Delivered(next++, file);
        }

        private Void receive() throws IOException {
            if (deliveries == null) {
                deliveries = server.subscribePatches(next - 1, to);
            }
            boolean done = false;
            try (OutputStream out = new BufferedOutputStream(
                    Files.newOutputStream(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING))) {
                Delivery frame;
                do {
                    frame = deliveries.next();
                    if (frame == null) {
                        throw cutOffError();
                    }
                    if (frame.isState() || frame.version() != next) {
                        throw new IOException(name() + " gives version " + frame.version() + " where " + next
                                + " is to come; is it a server of patch logs?");
                    }
                    frame.writeTo(out);
                } while (!frame.isLast());
                done = true;
            } finally {
                if (!done) {
                    stop();
                }
            }
            return null;
        }

        private void stop() {
            if (deliveries != null) {
                deliveries.close();
                deliveries = null;
            }
        }

        @Override
        public void close() throws IOException {
            stop();
            next = Long.MAX_VALUE;
            if (file != null) {
                Files.deleteIfExists(file);
                file = null;
            }
        }
    }

    private final class Delivered extends StoredEntry {
        private final Path file;

        Delivered(long version, Path file) {
            super(version);
            this.file = file;
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return new PatchReader<>(
                    new BufferedInputStream(Files.newInputStream(file), 1 << 16), name(), terms, ReadOptions.DEFAULT);
        }

        @Override
        public String log() {
            return id;
        }

        @Override
        public String name() {
            return GrpcLog.this.name() + ", version " + version();
        }
    }

    // --- appending

    /** {@inheritDoc} The patch is written to a local file and checked completely before it is sent. */
    @Override
    public LogHead append(CheckedPatch patch, ExpectedPrevious follows) throws IOException {
        LogHead head = head();
        String given = patch.header().id();
        PatchHeader header = patch.newHeader(given != null ? given : PatchIds.random(), follows.id());
        Path made = Files.createTempFile("jellybridge-", ".patch");
        try {
            ContentHash content = writePatch(patch, header, made);
            if (given == null && follows.isHead() && head.id() != null && content.hash().equals(hashOf(head.version()))) {
                return head; // a repeated patch, which changes nothing
            }
            return sendPatch(made, header, follows);
        } finally {
            Files.delete(made);
        }
    }

    private ContentHash writePatch(CheckedPatch patch, PatchHeader header, Path made) throws IOException {
        try (OutputStream out = Files.newOutputStream(made)) {
            PatchWriter<byte[]> writer = ChainedFile.openWriter(out, name());
            ContentHash content = new ContentHash(writer);
            patch.copyTo(content, header);
            writer.close();
            return content;
        }
    }

    /** Returns the hash of a version; null if no patch has it. */
    private String hashOf(long version) throws IOException {
        return LogVersions.readPatch(this, version, entry -> entry == null ? null : entry.hash());
    }

    private LogHead sendPatch(Path patch, PatchHeader header, ExpectedPrevious follows) throws IOException {
        try {
            String prev = follows.isHead() ? null : follows.patch() == null ? "" : follows.patch();
            return new LogHead(server.publish(patch, prev), header.id());
        } catch (GrpcException e) {
            if (!e.is("ABORTED")) {
                throw e;
            }
            throw conflictError(e, header.id(), follows);
        }
    }

    /** Returns the error that the server gave for a patch, after asking what has its id. */
    private LogConflictException conflictError(GrpcException error, String id, ExpectedPrevious follows) throws IOException {
        Long version = findVersion(id);
        if (version == null) {
            return new LogConflictException(false, follows.patch(), head(), error.getMessage());
        }
        LogHead there = new LogHead(version, id);
        return version == 0 ? new LogConflictException(true, null, there, error.getMessage())
                : LogConflictException.idTakenError(name(), there);
    }

    /** Finds a patch by its id. Receives its first frame only. */
    @Override
    public long versionWith(String patchId) throws IOException {
        Long version = findVersion(patchId);
        return version == null ? 0 : version;
    }

    /** Returns the version of the patch with an id; 0 if it was pruned; null if the log does not know it. */
    private Long findVersion(String patchId) throws IOException {
        return server.runWithRetries(() -> {
            try (Deliveries deliveries = server.subscribePatches(patchId)) {
                Delivery first = deliveries.next();
                return first == null ? null : first.version();
            } catch (GrpcException e) {
                if (e.is("NOT_FOUND")) {
                    return null;
                }
                if (e.is("OUT_OF_RANGE")) {
                    return 0L;
                }
                throw e;
            }
        });
    }

    @Override
    public void close() {
        server.close();
    }
}
