package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
 * @param hash    which these are, the sum, modulo 2^256, of SHA-256 of each quad's line in canonical N-Quads, in 64
 *                hexadecimal digits
 */
public record Checkpoint(Path folder, String log, long version, String id, Instant time, long quads, String hash) {
    static final String DESCRIPTION = "checkpoint.json";
    private static final long FORMAT = 1;

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
                return new Checkpoint(folder, log, version, id, time == null ? null : PatchTimes.parse(time), quads,
                        hash);
            }
        } catch (NoSuchFileException e) {
            throw e; // it was removed, or is none
        } catch (IOException e) {
            throw new IOException(file + " can't be read: " + e.getMessage() + "; " + anew(folder), e);
        }
        throw new IOException(file + " is none of this version of jellybridge; " + anew(folder));
    }

    /** What to do about a checkpoint that is damaged. */
    public static String anew(Path folder) {
        return "remove the folder " + folder + ", and make the checkpoint anew";
    }

    /** Writes what {@link #read} reads into a folder that is to be the checkpoint. */
    public void write(Path target) throws IOException {
        JsonObject said = new JsonObject();
        said.addProperty("format", FORMAT);
        said.addProperty("log", log);
        said.addProperty("version", version);
        said.addProperty("id", id);
        if (time != null) {
            said.addProperty("time", PatchTimes.MILLISECONDS.format(time));
        }
        said.addProperty("quads", quads);
        said.addProperty("hash", hash);
        Files.writeString(target.resolve(DESCRIPTION), said + "\n", UTF_8);
    }

    /** The files of quads, in their order. */
    public List<Path> parts() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("part-.*\\.jelly")).sorted().toList();
        }
    }

    /** The id as a patch's header says it, a term in canonical N-Triples. */
    public String position() {
        return PatchIds.term(id);
    }
}
