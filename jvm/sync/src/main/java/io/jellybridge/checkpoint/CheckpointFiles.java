package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.FolderLog;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;

/** Makes checkpoints, and reads them to see whether they are whole. */
public final class CheckpointFiles {
    private static final String PART = "part-00000.jelly";
    private static final int QUADS_BETWEEN_REPORTS = 1 << 12;

    private CheckpointFiles() {
    }

    /**
     * Makes the checkpoint of a version, see {@link State#at}.
     *
     * @return the one that is there, made by this or by another one at the same time
     */
    public static Checkpoint make(FolderLog log, long version, ProgressListener progress) throws IOException {
        Checkpoints checkpoints = new Checkpoints(log);
        try (State state = State.at(log, version, progress); AtomicFolder making = checkpoints.begin(version)) {
            QuadsHash written = write(state, making.path().resolve(PART));
            Checkpoint made = new Checkpoint(making.target(), log.id(), version, state.id(), state.time(), written.quads(),
                    written.hash());
            made.write(making.path());
            return making.commit() ? made : Objects.requireNonNull(checkpoints.at(version), "it is there");
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static QuadsHash write(State state, Path file) throws IOException {
        QuadsHash written = new QuadsHash();
        try (RdfWriter<byte[]> out = new RdfWriter<>(
                new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), 1 << 16),
                file.toString(), new Utf8Terms(), StateFile.options(state), WriteOptions.DEFAULT.withTerms(TermRules.ANY))) {
            for (Map.Entry<String, byte[]> prefix : state.prefixes().entrySet()) {
                out.namespace(prefix.getKey().getBytes(UTF_8), prefix.getValue());
            }
            Items<CanonicalQuad> quads = state.quads();
            for (CanonicalQuad quad = quads.next(); quad != null; quad = quads.next()) {
                out.statement(quad.subject(), quad.predicate(), quad.object(), quad.graph());
                written.add(quad);
            }
        }
        return written;
    }

    /**
     * Reads all of a checkpoint.
     *
     * @param progress hears how many quads were read
     * @throws IOException      it can't be read, or the quads are not those that it had
     * @throws RuntimeException a file breaks its format: the error of that
     */
    public static void check(Checkpoint checkpoint, ProgressListener progress) throws IOException {
        try (CheckpointQuads all = new CheckpointQuads(checkpoint)) {
            for (long read = 1; all.next() != null; read++) { // the reader compares
                if (read % QUADS_BETWEEN_REPORTS == 0) {
                    progress.reading(read);
                }
            }
        }
    }
}
