package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The state of a dataset at a version of a log, in a folder of files that any reader of Jelly-RDF reads: {@code
 * part-*.jelly}, streams of quads that are sorted by their lines in N-Quads, from file to file in the order of their names,
 * with the prefixes as the first rows of the first; and {@code checkpoint.json}, which is this record.
 *
 * @param folder  where it is
 * @param log     the log's id
 * @param version which version
 * @param id      the id of the patch of that version
 * @param time    the time that this patch has; null: none
 * @param quads   how many there are
 * @param hash    which these are, see {@link QuadsHash}
 */
public record Checkpoint(Path folder, String log, long version, String id, Instant time, long quads, String hash) {
    static final String DESCRIPTION = "checkpoint.json";
    private static final long FORMAT = 1;
    private static final int QUADS_BETWEEN_REPORTS = 1 << 12;

    /**
     * Reads what a checkpoint says of itself.
     *
     * @throws IOException it is damaged, or none that this version of jellybridge reads
     */
    static Checkpoint read(Path folder) throws IOException {
        Path file = folder.resolve(DESCRIPTION);
        try {
            JsonObject said = JsonText.object(Files.readString(file));
            Long format = JsonText.whole(said, "format");
            Long version = JsonText.whole(said, "version");
            Long quads = JsonText.whole(said, "quads");
            String log = JsonText.string(said, "log");
            String id = JsonText.string(said, "id");
            String time = JsonText.string(said, "time");
            String hash = JsonText.string(said, "hash");
            if (format != null && format == FORMAT && version != null && quads != null && log != null && id != null
                    && hash != null) {
                return new Checkpoint(folder, log, version, id, time == null ? null : Instant.parse(time), quads, hash);
            }
        } catch (NoSuchFileException e) {
            throw e; // it was removed, or is none
        } catch (IOException | DateTimeException e) {
            throw new IOException(file + " can't be read (" + e.getMessage() + "); " + anew(folder), e);
        }
        throw new IOException(file + " is none of this version of jellybridge; " + anew(folder));
    }

    /** What to do about a checkpoint that is damaged. */
    static String anew(Path folder) {
        return "take the folder " + folder + " away, and make the checkpoint anew";
    }

    void write(Path target) throws IOException {
        JsonObject said = new JsonObject();
        said.addProperty("format", FORMAT);
        said.addProperty("log", log);
        said.addProperty("version", version);
        said.addProperty("id", id);
        if (time != null) {
            said.addProperty("time", time.toString());
        }
        said.addProperty("quads", quads);
        said.addProperty("hash", hash);
        Files.writeString(target.resolve(DESCRIPTION), said + "\n", UTF_8);
    }

    /** The files of quads, in their order. */
    List<Path> parts() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("part-.*\\.jelly")).sorted().toList();
        }
    }

    /**
     * Reads all of it.
     *
     * @param progress hears how many quads were read
     * @throws IOException      it can't be read, or the quads are not those that it had
     * @throws RuntimeException a file breaks its format: the error of that
     */
    public void check(ProgressListener progress) throws IOException {
        try (CheckpointQuads all = new CheckpointQuads(this)) {
            for (long read = 1; all.next() != null; read++) { // the reader compares
                if (read % QUADS_BETWEEN_REPORTS == 0) {
                    progress.reading(read);
                }
            }
        }
    }

    /** What adds it to an empty dataset: one patch of one transaction. */
    public Patches patches() {
        return new CheckpointPatches(this);
    }

    /** The id as a patch's header says it, a term in canonical N-Triples. */
    public String position() {
        return "<urn:uuid:" + id + ">";
    }
}
