package io.jellybridge.log;

import com.google.gson.JsonObject;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpCalls.Answer;
import io.jellybridge.http.HttpException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What logs behind HTTP have in common: patches are fetched into a file. */
abstract class RemoteLog extends StagedLog {
    final HttpCalls calls;

    RemoteLog(String name, HttpCalls calls) {
        super(name);
        this.calls = calls;
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

    /** A reader of patches as this log hands them out. */
    abstract <T> PatchSource<T> reader(Path file, String patch, TermFactory<T> terms) throws IOException;

    /** The path under which a patch is. */
    abstract String patchPath(long version);

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
}
