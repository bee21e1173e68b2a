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
 * @param name    what errors call it
 * @param folder  where its files are; null: on a server
 * @param log     the log's id
 * @param version which version
 * @param id      the id of the patch of that version
 * @param time    the time that this patch has; null: none
 * @param quads   how many there are
 * @param hash    which these are, the sum, modulo 2^256, of SHA-256 of each quad's line in canonical N-Quads, in 64
 *                hexadecimal digits
 */
public record Checkpoint(String name, Path folder, String log, long version, String id, Instant time, long quads,
        String hash) {
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
            Checkpoint found = of(JsonText.object(Files.readString(file)), folder.toString(), folder);
            if (found != null) {
                return found;
            }
        } catch (NoSuchFileException e) {
            throw e; // it was removed, or is none
        } catch (IOException e) {
            throw new IOException(file + " can't be read: " + e.getMessage() + "; " + anew(folder), e);
        }
        throw new IOException(file + " is none of this version of jellybridge; " + anew(folder));
    }

    /** What an object in JSON says; null where it says no checkpoint that this version of jellybridge reads. */
    static Checkpoint of(JsonObject said, String name, Path folder) throws IOException {
        Long format = JsonText.whole(said, "format");
        Long version = JsonText.whole(said, "version");
        Long quads = JsonText.whole(said, "quads");
        String log = JsonText.string(said, "log");
        String id = JsonText.string(said, "id");
        String time = JsonText.string(said, "time");
        String hash = JsonText.string(said, "hash");
        return format == null || format != FORMAT || version == null || quads == null || log == null || id == null
                || hash == null ? null : new Checkpoint(name, folder, log, version, id,
                        time == null ? null : PatchTimes.parse(time), quads, hash);
    }

    /** What to do about a checkpoint that is damaged. */
    public static String anew(Path folder) {
        return "get it from a backup or, where the log has the patches up to it, remove the folder " + folder
                + " and make the checkpoint anew";
    }

    /** The error of quads that are others than this has. */
    public IOException isNot(long found, String hashFound) {
        return new IOException(name + " has " + found + " quads of the hash " + hashFound + ", and had " + quads
                + " of the hash " + hash + " when it was made; " + (name.equals(folder.toString()) ? anew(folder)
                        : "try once more, and if it stays so, have it made anew where it is"));
    }

    /** The error of one whose files a server does not have any more. */
    IOException gone() {
        return new IOException(name + " is not there any more, it was pruned meanwhile; do it once more, from a newer one");
    }

    /** What {@link #of} reads. */
    public JsonObject json() {
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
        return said;
    }

    /** Writes what {@link #read} reads into a folder that is to be the checkpoint. */
    public void write(Path target) throws IOException {
        Files.writeString(target.resolve(DESCRIPTION), json() + "\n", UTF_8);
    }

    /** The same, with its files in a folder. */
    Checkpoint in(Path files) {
        return new Checkpoint(name, files, log, version, id, time, quads, hash);
    }

    /** The name of a file of quads, by its place in their order, from 0. */
    public static String part(int number) {
        return String.format("part-%05d.jelly", number);
    }

    /** What errors call a file of quads. */
    public String nameOf(Path part) {
        return name + "/" + part.getFileName();
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
