package io.jellybridge.log;

import com.google.gson.JsonObject;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What logs behind HTTP have in common: patches are written to a file before they are sent, and fetched into one. */
abstract class RemoteLog implements PatchLog {
    final HttpCalls calls;
    private final String name;

    RemoteLog(String name, HttpCalls calls) {
        this.name = name;
        this.calls = calls;
    }

    @Override
    public final String name() {
        return name;
    }

    /**
     * The JSON object that an answer is.
     *
     * @throws HttpException it is an error, or something else
     */
    final JsonObject json(Answer<String> answer) throws IOException {
        if (!answer.isFine()) {
            throw calls.failure(answer.response());
        }
        try {
            return JsonText.object(answer.body());
        } catch (IOException e) {
            throw calls.unexpected(answer.response(), "a patch log");
        }
    }

    /** A writer of patches in the form in which this log takes them. */
    abstract PatchHandler<byte[]> writer(OutputStream out);

    /** A reader of patches as this log hands them out. */
    abstract <T> PatchSource<T> reader(Path file, String patch, TermFactory<T> terms) throws IOException;

    /** The path under which a patch is. */
    abstract String patchPath(long version);

    /** Sends a patch that is in a file; where it is in the log then. */
    abstract LogHead send(Path patch, PatchHeader header, Follows follows, LogHead head) throws IOException;

    /** The id before a patch that is sent; null: the log adds it. */
    abstract String prev(Follows follows, LogHead head);

    /** Where the patch with an id is; null where the log has none, or finds out by itself when it is sent. */
    abstract LogHead find(String id, LogHead head) throws IOException;

    @Override
    public final LogHead append(PatchIntake patch, Follows follows) throws IOException {
        LogHead head = head();
        String given = patch.header().id();
        LogHead there = given == null ? null : find(given, head);
        if (there != null) {
            return again(patch, follows, there);
        }
        PatchHeader header = patch.header(given != null ? given : PatchIds.random(), prev(follows, head));
        Path file = Files.createTempFile("jellybridge-", ".patch");
        try {
            ContentHash content = write(patch, header, file);
            Known last = given == null && follows.isHead() && head.id() != null
                    ? entry(head.version()) : null;
            if (last != null && content.hash().equals(last.hash())) {
                return head; // the same patch once more, which changes nothing
            }
            return send(file, header, follows, head);
        } finally {
            Files.delete(file);
        }
    }

    private ContentHash write(PatchIntake patch, PatchHeader header, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            PatchHandler<byte[]> writer = writer(out);
            ContentHash content = new ContentHash(writer);
            patch.copyTo(content, header);
            ((Closeable) writer).close();
            return content;
        }
    }

    /** A patch comes whose id the log has. */
    private LogHead again(PatchIntake patch, Follows follows, LogHead there) throws IOException {
        Known known = entry(there.version());
        ContentHash content = new ContentHash();
        patch.copyTo(content, there.id(), known.prev());
        if (!follows.allows(known.prev()) || !content.hash().equals(known.hash())) {
            throw LogConflictException.taken(name, there);
        }
        return there;
    }

    private record Known(String prev, String hash) {
    }

    /** Null where no patch is that version. */
    private Known entry(long version) throws IOException {
        try (LogEntries entries = fetch(version, version)) {
            LogEntry entry = entries.next();
            return entry == null ? null : new Known(entry.header().prev(), entry.hash());
        }
    }

    /** A patch that is fetched when it is read, and kept until the next one is asked for. */
    final class Fetched extends StoredEntry implements Closeable {
        private Path file;

        /** @param header null: in the patch */
        Fetched(long version, PatchHeader header) {
            super(version, header);
        }

        /** Fetches the patch, if that is not done; false where there is no such version. */
        boolean fetch() throws IOException {
            if (file != null) {
                return true;
            }
            Path made = Files.createTempFile("jellybridge-", ".patch");
            boolean done = false;
            try {
                Answer<Path> answer = calls.file(calls.request(patchPath(version())), made);
                if (answer.status() != 200 && answer.status() != 404) {
                    throw calls.failure(answer.response());
                }
                done = answer.status() == 200;
            } finally {
                if (!done) {
                    Files.delete(made);
                }
            }
            file = done ? made : null;
            return done;
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            if (!fetch()) {
                throw new IOException(name() + " is not there, although the log names it; check the log");
            }
            return reader(file, name(), terms);
        }

        @Override
        public String name() {
            return RemoteLog.this.name() + ", version " + version();
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                Files.deleteIfExists(file);
                file = null;
            }
        }
    }

    /** Patches of a range, of which the last one that was asked for is kept. */
    abstract class Range implements LogEntries {
        private Fetched current;

        /** The next one; null after the last. */
        abstract Fetched advance() throws IOException;

        @Override
        public final LogEntry next() throws IOException {
            close();
            current = advance();
            return current;
        }

        @Override
        public final void close() throws IOException {
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }

    @Override
    public void close() {
        // connections end by themselves
    }
}
