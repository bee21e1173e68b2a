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
import io.jellybridge.log.FolderLog;
import io.jellybridge.log.LogEntries;
import io.jellybridge.log.LogEntry;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The checkpoints of a log that is a folder: folders of their own below {@code checkpoints}, named like the files of patches
 * by their versions. Each appears whole, by its renaming, and does not change; of who makes the same one at once, one does.
 * What a process leaves that is killed in between has a hidden name, and the next one to make a checkpoint takes it away when
 * it was not written to for an hour.
 */
public final class Checkpoints {
    private static final String FOLDER = "checkpoints";
    private static final Pattern NAME = Pattern.compile("[0-9]{20}");
    private static final String PART = "part-00000.jelly";
    private static final Duration UNFINISHED_AGE = Duration.ofHours(1);

    private final FolderLog log;
    private final Path folder;

    public Checkpoints(FolderLog log) {
        this.log = log;
        this.folder = log.folder().resolve(FOLDER);
    }

    // --- finding

    /** The versions of which there is one. */
    public SortedSet<Long> versions() throws IOException {
        SortedSet<Long> versions = new TreeSet<>();
        try (DirectoryStream<Path> made = Files.newDirectoryStream(folder,
                path -> NAME.matcher(path.getFileName().toString()).matches())) {
            for (Path path : made) {
                versions.add(Long.valueOf(path.getFileName().toString()));
            }
        } catch (NoSuchFileException e) {
            // none was ever made
        }
        return versions;
    }

    /** The newest, up to a version; null where there is none. */
    public Checkpoint newest(long upTo) throws IOException {
        SortedSet<Long> found = upTo == Long.MAX_VALUE ? versions() : versions().headSet(upTo + 1);
        return found.isEmpty() ? null : at(found.last());
    }

    /**
     * The one of a version; null where there is none.
     *
     * @throws IOException it is damaged, or is of another log, or of another history of this one
     */
    public Checkpoint at(long version) throws IOException {
        Path place = place(version);
        Checkpoint found;
        try {
            found = Checkpoint.read(place);
        } catch (NoSuchFileException e) {
            if (!Files.exists(place)) {
                return null;
            }
            throw new IOException(place + " has no " + Checkpoint.DESCRIPTION + "; " + Checkpoint.anew(place), e);
        }
        if (found.version() != version || !found.log().equals(log.id())) {
            throw new IOException(place + " says that it is of version " + found.version() + " of the log " + found.log()
                    + ", and this log is " + log.id() + "; take the folder away");
        }
        String patch = idOf(version);
        if (patch != null && !patch.equals(found.id())) {
            throw new IOException(place + " is of the patch " + found.id() + ", and the log's patch of that version is "
                    + patch + ": the log's history was rewritten; take the folder away");
        }
        return found;
    }

    /** The id of a patch; null where the log does not have it any more, or it can't be read. */
    private String idOf(long version) throws IOException {
        try (LogEntries entries = version < log.first() ? null : log.fetch(version, version)) {
            LogEntry entry = entries == null ? null : entries.next();
            return entry == null ? null : entry.header().id();
        } catch (NoSuchFileException | RuntimeException e) {
            return null;
        }
    }

    /**
     * The version of a patch that a dataset may be at, which is one of the log, or the last one before them: that of which a
     * checkpoint is, or which the first patch names as the one before it. 0 where it is none.
     *
     * @param position the patch's id, a term in canonical N-Triples
     */
    public long versionWith(String position) throws IOException {
        long version = log.versionWith(position.getBytes(UTF_8));
        if (version >= log.first()) {
            return version;
        }
        long before = log.first() - 1;
        if (before > 0 && position.equals(term(prevOfFirst()))) {
            return before;
        }
        for (long one : versions()) {
            Checkpoint checkpoint = at(one);
            if (one >= before && checkpoint != null && checkpoint.position().equals(position)) {
                return one;
            }
        }
        return 0;
    }

    /** The id that the first patch names as the one before it; null: none. */
    private String prevOfFirst() throws IOException {
        try (LogEntries entries = log.fetch(log.first(), log.first())) {
            LogEntry first = entries.next();
            return first == null ? null : first.header().prev();
        }
    }

    /**
     * As {@link #versionWith}, of a patch that must be there.
     *
     * @throws IllegalArgumentException it is none
     */
    public long versionOf(String id) throws IOException {
        long version = versionWith(id);
        if (version == 0) {
            throw new IllegalArgumentException(log.name() + " has no patch with the id " + id);
        }
        return version;
    }

    /**
     * The version of the newest patch that is not later than a moment.
     *
     * @throws IllegalArgumentException there is none
     */
    public long versionAt(Instant moment) throws IOException {
        long first = log.first();
        for (long version = log.headVersion(); version >= first; version--) {
            try (LogEntries entries = log.fetch(version, version)) {
                Instant time = entries.next().header().time();
                if (time != null && !time.isAfter(moment)) {
                    return version;
                }
            }
        }
        Checkpoint before = newest(first - 1);
        if (before != null && before.time() != null && !before.time().isAfter(moment)) {
            return before.version();
        }
        throw new IllegalArgumentException(log.name() + " has no patch that is not later than " + moment);
    }

    private static String term(String id) {
        return "<urn:uuid:" + id + ">";
    }

    private Path place(long version) {
        return folder.resolve(String.format("%020d", version));
    }

    // --- making

    /**
     * Makes one, see {@link State#at}.
     *
     * @return the one that is there, made by this or by another one at the same time
     */
    public Checkpoint make(long version, ProgressListener progress) throws IOException {
        try (State state = State.at(log, version, progress)) {
            return put(state);
        }
    }

    private Checkpoint put(State state) throws IOException {
        Path place = place(state.version());
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            AtomicFolder.force(log.folder(), StandardOpenOption.READ);
        }
        removeUnfinished();
        try (AtomicFolder making = new AtomicFolder(place, folder.resolve(".making-" + UUID.randomUUID()))) {
            QuadsHash written = write(state, making.path().resolve(PART));
            Checkpoint made = new Checkpoint(place, log.id(), state.version(), state.id(), state.time(), written.quads(),
                    written.hash());
            made.write(making.path());
            return making.commit() ? made : Objects.requireNonNull(at(state.version()), "it is there");
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

    // --- taking away

    /** Takes a checkpoint away, which nobody sees half of. */
    void remove(long version) throws IOException {
        Path aside = folder.resolve(".removed-" + UUID.randomUUID());
        try {
            Files.move(place(version), aside, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return; // another one took it
        }
        AtomicFolder.delete(aside);
    }

    /** Takes away what processes left that were killed. */
    void removeUnfinished() throws IOException {
        Instant old = Instant.now().minus(UNFINISHED_AGE);
        try (DirectoryStream<Path> hidden = Files.newDirectoryStream(folder, ".{making,removed}-*")) {
            for (Path path : hidden) {
                if (lastWritten(path).isBefore(old)) {
                    AtomicFolder.delete(path);
                }
            }
        } catch (NoSuchFileException e) {
            // none was ever made
        }
    }

    private static Instant lastWritten(Path path) throws IOException {
        Instant last = Instant.EPOCH;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            last = Files.getLastModifiedTime(path).toInstant();
            for (Path file : files) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                last = written.isAfter(last) ? written : last;
            }
        } catch (NoSuchFileException e) {
            // it is being taken away, or gets its name
            last = Instant.now();
        }
        return last;
    }
}
