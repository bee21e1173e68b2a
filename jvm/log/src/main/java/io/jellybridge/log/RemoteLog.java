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
import java.util.Objects;

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

    /** Sends a patch that follows {@code prev}. */
    abstract Answer<String> send(Path patch, String prev) throws IOException;

    /**
     * The version that an answer gives an appended patch; 0 where it says that the head is another.
     *
     * @throws IOException the answer says something else
     */
    abstract long versionIn(Answer<String> answer) throws IOException;

    @Override
    public final LogHead append(PatchIntake patch, String expectedPrev) throws IOException {
        String id = patch.header().id() != null ? patch.header().id() : PatchIds.random();
        if (id.equals(expectedPrev)) {
            throw new IllegalArgumentException(
                    "the patch has the id of the patch before it, " + id + "; give it one of its own");
        }
        LogHead head = head();
        if (!id.equals(head.id()) && !Objects.equals(expectedPrev, head.id())) {
            throw new LogConflictException(name, expectedPrev, head);
        }
        Path file = Files.createTempFile("jellybridge-", ".patch");
        try {
            write(patch, id, expectedPrev, file);
            Answer<String> answer = send(file, expectedPrev);
            long version = versionIn(answer);
            if (version == 0 && answer.repeated()) {
                version = versionAfter(head.version(), id);
            }
            if (version == 0) {
                throw new LogConflictException(name, expectedPrev, head());
            }
            return new LogHead(version, id);
        } finally {
            Files.delete(file);
        }
    }

    private void write(PatchIntake patch, String id, String prev, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            PatchHandler<byte[]> writer = writer(out);
            patch.copyTo(writer, id, prev);
            ((Closeable) writer).close();
        }
    }

    /** Where a patch is whose append had no answer, when others may have followed it; 0 where it is not. */
    private long versionAfter(long before, String id) throws IOException {
        try (LogEntries entries = fetch(before + 1, Long.MAX_VALUE)) {
            LogEntry next = entries.next();
            return next != null && id.equals(next.header().id()) ? next.version() : 0;
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
