package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.jellybridge.http.HttpException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The state of a dataset at a version of a log, in files. Any reader of Jelly-RDF can read {@code part-*.jelly}.
 * These files are streams of quads, sorted by their lines in N-Quads, from file to file in the order of the list. The
 * prefixes are the first rows of the first file. The file {@code checkpoint.json} has the content of this record. It lists the
 * files, and readers ignore all others, see {@link #files}.
 *
 * @param name    the name in errors
 * @param store   the store of its files; null on a server
 * @param log     the log's id
 * @param version the version
 * @param id      the id of the patch of that version
 * @param time    the time of that patch; null if it has none
 * @param chain   the header {@code chain} of that patch; at the beginning of a log, the chain of a patch in its place
 * @param quads   the number of quads
 * @param hash    the hash of the quads: the sum, modulo 2^256, of the SHA-256 of each quad's line in canonical N-Quads, in 64
 *                hexadecimal digits
 * @param parts   the descriptions of its files, in their order
 */
public record Checkpoint(String name, LogStore store, String log, long version, String id, Instant time, Chain chain,
        long quads, String hash, List<Part> parts) {
    static final String DESCRIPTION = "checkpoint.json";
    private static final long FORMAT = 3;
    private static final String DIGEST = "[0-9a-f]{64}";
    private static final int PART_DIGITS = 5;
    private static final Pattern FILE = Pattern.compile("part-[0-9]{5}(-[0-9a-f]{16})?\\.jelly");
    /** The names of files in a folder that appears complete, so that another such file is damage. */
    private static final Pattern NUMBERED = Pattern.compile("part-[0-9]{5}\\.jelly");

    public Checkpoint {
        parts = List.copyOf(parts);
    }

    /**
     * The description of a file of quads, in the list of a checkpoint.
     *
     * @param file   its name
     * @param quads  the number of quads
     * @param bytes  the length
     * @param sha256 the SHA-256 of its bytes, in 64 hexadecimal digits
     */
    public record Part(String file, long quads, long bytes, String sha256) {

        /** Parses an object; null if it does not describe a file. */
        private static Part of(JsonElement said, int number) {
            if (!(said instanceof JsonObject object)) {
                return null;
            }
            Long quads = JsonText.getWhole(object, "quads");
            Long bytes = JsonText.getWhole(object, "bytes");
            String sha256 = JsonText.getString(object, "sha256");
            String file = object.has("file") ? JsonText.getString(object, "file") : partName(number);
            return quads == null || quads < 0 || bytes == null || bytes < 0 || sha256 == null || !sha256.matches(DIGEST)
                    || file == null || !FILE.matcher(file).matches() ? null : new Part(file, quads, bytes, sha256);
        }

        private JsonObject json() {
            JsonObject said = new JsonObject();
            if (!NUMBERED.matcher(file).matches()) {
                said.addProperty("file", file);
            }
            said.addProperty("quads", quads);
            said.addProperty("bytes", bytes);
            said.addProperty("sha256", sha256);
            return said;
        }
    }

    /**
     * Reads the description of a checkpoint.
     *
     * @throws FileNotFoundException there is none
     * @throws IOException           it is damaged, or this version of jellybridge can't read it
     */
    static Checkpoint read(LogStore store, long version) throws IOException {
        String folder = folderOf(version);
        String name = store.name() + "/" + folder;
        try (InputStream in = store.open(folder + "/" + DESCRIPTION, 0)) {
            Checkpoint found = of(JsonText.parseObject(new String(in.readAllBytes(), UTF_8)), name, store);
            if (found != null) {
                return found;
            }
        } catch (FileNotFoundException | HttpException e) {
            throw e; // it was deleted, or never existed, or its server is in trouble
        } catch (IOException e) {
            throw new IOException(name + "/" + DESCRIPTION + " can't be read: " + e.getMessage() + "; " + rebuildAdvice(name), e);
        }
        throw new IOException(name + "/" + DESCRIPTION + " is damaged, or none of this version of jellybridge; " + rebuildAdvice(name));
    }

    /** Returns the path of the files of a checkpoint in the store of the log. */
    public static String folderOf(long version) {
        return Checkpoints.FOLDER + "/" + LogObject.toDigits(version);
    }

    /** Parses the text of a description, as {@link #of(JsonObject, String, LogStore)} does. */
    public static Checkpoint of(LogStore store, String text) throws IOException {
        JsonObject said = JsonText.parseObject(text);
        Long version = JsonText.getWhole(said, "version");
        return version == null ? null : of(said, store.name() + "/" + folderOf(version), store);
    }

    /**
     * Parses a JSON object. Returns null if it is not a checkpoint that this version of jellybridge can read, or if it
     * contradicts itself.
     */
    public static Checkpoint of(JsonObject said, String name, LogStore store) {
        Long format = JsonText.getWhole(said, "format");
        Long version = JsonText.getWhole(said, "version");
        Long quads = JsonText.getWhole(said, "quads");
        String log = JsonText.getString(said, "log");
        String id = JsonText.getString(said, "id");
        String time = JsonText.getString(said, "time");
        Chain chain = Chain.parse(JsonText.getString(said, "chain"));
        String hash = JsonText.getString(said, "hash");
        List<Part> parts = parseParts(said.get("parts"));
        if (format == null || format != FORMAT || version == null || quads == null || log == null || id == null
                || chain == null || hash == null || !hash.matches(DIGEST) || parts == null
                || parts.stream().mapToLong(Part::quads).sum() != quads) {
            return null;
        }
        return new Checkpoint(name, store, log, version, id, time == null ? null : PatchTimes.parseTime(time), chain, quads,
                hash, parts);
    }

    /** Parses the list of files; null if an element does not describe a file. */
    private static List<Part> parseParts(JsonElement said) {
        if (!(said instanceof JsonArray array)) {
            return null;
        }
        List<Part> parts = new ArrayList<>();
        for (JsonElement element : array) {
            Part part = Part.of(element, parts.size());
            if (part == null) {
                return null;
            }
            parts.add(part);
        }
        return parts;
    }

    /** Returns the remedy for a damaged checkpoint. */
    public static String rebuildAdvice(String folder) {
        return "get it from a backup or, where the log has the patches up to it, remove the folder " + folder
                + " and make the checkpoint anew";
    }

    /** Returns the error that the quads are not those of this checkpoint. */
    public IOException otherStateError(long found, String hashFound) {
        return new IOException(name + " has " + found + " quads of the hash " + hashFound + ", and had " + quads
                + " of the hash " + hash + " when it was made; " + advice());
    }

    private String advice() {
        return store != null && store.server() == null && name.equals(store.name() + "/" + folderOf(version)) ? rebuildAdvice(name)
                : "try once more, and if it stays so, have it made anew where it is";
    }

    /** Returns the error that the checkpoint does not exist any more. */
    NoSuchFileException goneError() {
        return goneError(name);
    }

    static NoSuchFileException goneError(String name) {
        return new NoSuchFileException(name + " is not there any more, it was pruned meanwhile; do it once more, from a newer "
                + "one");
    }

    /** Returns the JSON object that {@link #of} parses. */
    public JsonObject json() {
        JsonObject said = new JsonObject();
        said.addProperty("format", FORMAT);
        said.addProperty("log", log);
        said.addProperty("version", version);
        said.addProperty("id", id);
        if (time != null) {
            said.addProperty("time", PatchTimes.MILLISECONDS.format(time));
        }
        said.addProperty("chain", chain.text());
        said.addProperty("quads", quads);
        said.addProperty("hash", hash);
        JsonArray listed = new JsonArray();
        parts.forEach(part -> listed.add(part.json()));
        said.add("parts", listed);
        return said;
    }

    /** Writes the description that {@link #read} reads, into the folder of a new checkpoint. */
    public void write(Path target) throws IOException {
        Files.writeString(target.resolve(DESCRIPTION), json() + "\n", UTF_8);
    }

    /**
     * Returns the same checkpoint with its files in another folder, after writing its description there.
     */
    Checkpoint in(Path files) throws IOException {
        write(pathOf(files, ""));
        return new Checkpoint(name, new FolderStore(files), log, version, id, time, chain, quads, hash, parts);
    }

    /** Returns the place of one of its files in another folder, which has the same subfolders. */
    Path pathOf(Path files, String file) throws IOException {
        return Files.createDirectories(files.resolve(folderOf(version))).resolve(file);
    }

    /** Returns true if a file may be of an unfinished checkpoint, in a store where a folder does not appear complete. */
    static boolean isHashed(String file) {
        return FILE.matcher(file).matches() && !NUMBERED.matcher(file).matches();
    }

    /** Returns the name of a file of quads in a folder, by its number from 0. */
    public static String partName(int number) {
        return "part-" + LogObject.toDigits(number, PART_DIGITS) + ".jelly";
    }

    /**
     * Returns the files of quads in their order. Readers of a state read exactly these.
     *
     * @throws NoSuchFileException the folder does not exist any more
     * @throws IOException         the files in the folder are not those listed, or one has another length
     */
    public List<PartFile> files() throws IOException {
        Set<String> there = new TreeSet<>(store.list(folderOf(version)).keySet());
        if (there.isEmpty()) {
            throw goneError();
        }
        there.removeIf(file -> !NUMBERED.matcher(file).matches());
        List<PartFile> files = new ArrayList<>();
        for (Part part : parts) {
            files.add(new PartFile(store.address(), store.server(), folderOf(version) + "/" + part.file(), name + "/" + part.file(),
                    part.bytes(), part.sha256(), advice()));
            files.get(files.size() - 1).requireLength(store);
            there.remove(part.file());
        }
        if (!there.isEmpty()) {
            throw new IOException(name + "/" + there.iterator().next() + " is none of the " + parts.size()
                    + " files of the checkpoint; remove it if it came there by mistake, else " + advice());
        }
        return files;
    }

    /** Returns the bytes of its files. */
    public long bytes() {
        return parts.stream().mapToLong(Part::bytes).sum();
    }

    /** Returns the headers of the patch of its version. */
    public PatchHeader header() {
        return new PatchHeader(id, null, time, chain);
    }

    /** Returns this checkpoint with the chain of a log that begins with it. */
    public Checkpoint asBeginning() {
        String own = new ChainPlace(log, version, Chain.START).hashOfState(this);
        return new Checkpoint(name, store, log, version, id, time, new Chain(Chain.START, own), quads, hash, parts);
    }

    /** Returns the id as the header of a patch has it: a term in canonical N-Triples. */
    public String position() {
        return PatchIds.toTerm(id);
    }
}
