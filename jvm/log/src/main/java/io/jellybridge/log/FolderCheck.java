package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds what is wrong in a {@link FolderLog}, and mends what can be mended without losing a patch that can be read.
 *
 * <p>Every patch is read to its end. A repair
 * <ul>
 *   <li>puts a file that can't be read, and one whose name a log does not have, into the folder {@code quarantine}, with
 *       the reason beside it;</li>
 *   <li>gives a misnamed file its place back, where it is the patch that is missing there;</li>
 *   <li>fills the place of a patch that is lost and has others after it with a stand-in: a patch with the lost one's id
 *       and prev, which the neighbours know, and a header {@code lost}. The chain is whole again, and readers stop at the
 *       stand-in, or quarantine it, so nobody takes the log for complete;</li>
 *   <li>removes appends that were cut off more than an hour ago.</li>
 * </ul>
 * A fork is reported and left as it is: which side is right, a human must say. A repair is to run while nobody appends; a
 * check at any time.
 */
public final class FolderCheck {
    /** An append takes less than this, so an older unfinished one is of a process that died. */
    private static final Duration UNFINISHED_AGE = Duration.ofHours(1);

    private final FolderLog log;
    private final boolean repairs;
    private final List<LogFault> faults = new ArrayList<>();
    /** The patches that can be read, by version. */
    private final Map<Long, PatchHeader> sound = new HashMap<>();

    private FolderCheck(FolderLog log, boolean repairs) {
        this.log = log;
        this.repairs = repairs;
    }

    /** What is wrong, in the order of the versions; nothing is changed. */
    public static List<LogFault> check(FolderLog log) throws IOException {
        return new FolderCheck(log, false).run();
    }

    /** Repairs what can be repaired; what was wrong, and what was done about it. */
    public static List<LogFault> repair(FolderLog log) throws IOException {
        return new FolderCheck(log, true).run();
    }

    private List<LogFault> run() throws IOException {
        FolderListing listing = new FolderListing(log.folder());
        for (long version : listing.versions()) {
            read(version);
        }
        for (Path file : listing.strangers()) {
            stranger(file);
        }
        long last = sound.keySet().stream().max(Long::compare).orElse(0L);
        lookForGaps(last);
        lookForForks(last);
        for (Path file : listing.unfinished()) {
            unfinished(file);
        }
        if (repairs) {
            Files.deleteIfExists(log.folder().resolve(FolderLog.HEAD_HINT));
            FolderLog.force(log.folder());
        }
        return faults;
    }

    /** Reads the patch of a version; one that can't be read goes aside. */
    private void read(long version) throws IOException {
        Path file = log.file(version);
        try (PatchSource<byte[]> patch = FolderLog.read(file, file.toString(), new Utf8Terms())) {
            sound.put(version, EntryCheck.check(patch));
        } catch (RuntimeException e) {
            PatchHeader header = headerOfStandIn(file);
            if (header != null) {
                sound.put(version, header);
                faults.add(new LogFault(LogFault.Kind.LOST, version, name(file), e.getMessage(), null));
            } else {
                faults.add(aside(new LogFault(LogFault.Kind.DAMAGED, version, name(file), e.getMessage(), null), file));
            }
        }
    }

    /** The header of a stand-in; null where the file is none. */
    private static PatchHeader headerOfStandIn(Path file) throws IOException {
        try (PatchSource<byte[]> patch = FolderLog.read(file, file.toString(), new Utf8Terms())) {
            return HeaderReader.readStandIn(patch);
        } catch (RuntimeException e) {
            return null; // whatever is wrong with it is known already
        }
    }

    /** A file with another name: the patch that is missing somewhere, or something that does not belong here. */
    private void stranger(Path file) throws IOException {
        LogFault fault = new LogFault(LogFault.Kind.MISNAMED, 0, name(file),
                "a log has no file of this name; its patches are named like " + FolderLog.fileName(1), null);
        long version = placeOf(file);
        if (version == 0) {
            faults.add(aside(fault, file));
        } else if (repairs) {
            FolderLog.link(log.file(version), file);
            Files.delete(file);
            faults.add(fault.repaired("renamed to " + FolderLog.fileName(version)));
        } else {
            faults.add(fault);
        }
    }

    /** The version whose missing patch a file is; 0 where it is none. */
    private long placeOf(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return 0;
        }
        PatchHeader header;
        try (PatchSource<byte[]> patch = FolderLog.read(file, file.toString(), new Utf8Terms())) {
            header = EntryCheck.check(patch);
        } catch (RuntimeException e) {
            return 0;
        }
        for (Map.Entry<Long, PatchHeader> after : sound.entrySet()) {
            long version = after.getKey() - 1;
            boolean missing = version > 0 && !Files.exists(log.file(version));
            if (missing && header.id().equals(after.getValue().prev()) && Objects.equals(header.prev(), idOf(version - 1))) {
                sound.put(version, header);
                return version;
            }
        }
        return 0;
    }

    /** The id of a version; null where there is none. */
    private String idOf(long version) {
        return sound.containsKey(version) ? sound.get(version).id() : null;
    }

    private void lookForGaps(long last) throws IOException {
        for (long version = last - 1; version > 0; version--) {
            if (sound.containsKey(version)) {
                continue;
            }
            Path file = log.file(version);
            boolean gap = !Files.exists(file);
            if (gap && !wasAside(version)) {
                faults.add(new LogFault(LogFault.Kind.GAP, version, name(file),
                        "there is no patch of this version, and there are later ones", null));
            }
            if (repairs && gap) {
                standIn(version);
            }
        }
        faults.sort((a, b) -> Long.compare(a.version(), b.version()));
    }

    private boolean wasAside(long version) {
        return faults.stream().anyMatch(fault -> fault.version() == version);
    }

    /** Fills the place of a lost patch with one that says so, under the id that the patch after it names. */
    private void standIn(long version) throws IOException {
        String named = sound.get(version + 1).prev();
        String before = idOf(version - 1);
        String id = named != null ? named : PatchIds.random();
        // Where the one before is lost as well, this is how its stand-in learns its id.
        String prev = version == 1 ? null : before != null ? before : PatchIds.random();
        String reason = faults.stream().filter(fault -> fault.version() == version)
                .map(LogFault::found).findFirst().orElseThrow();
        log.put(version, patch -> {
            PatchIds.write(patch, id, prev);
            byte[] text = reason.getBytes(StandardCharsets.UTF_8);
            patch.header(EntryCheck.LOST, new Utf8Terms().literal(text, 0, text.length));
            patch.endPatch();
        });
        sound.put(version, new PatchHeader(id, prev));
        faults.replaceAll(fault -> fault.version() != version ? fault
                : fault.repaired((fault.repaired() == null ? "" : fault.repaired() + ", ") + "a stand-in is in its place"));
    }

    private void lookForForks(long last) {
        Map<String, Long> versions = new HashMap<>();
        for (long version = 1; version <= last; version++) {
            PatchHeader patch = sound.get(version);
            if (patch == null) {
                continue;
            }
            String file = FolderLog.fileName(version);
            String before = idOf(version - 1);
            if ((version == 1 || before != null) && !Objects.equals(patch.prev(), before)) {
                faults.add(new LogFault(LogFault.Kind.FORK, version, file, "it follows "
                        + (patch.prev() == null ? "no patch" : "patch " + patch.prev()) + ", but the patch before it is "
                        + (before == null ? "none" : before), null));
            }
            Long same = versions.putIfAbsent(patch.id(), version);
            if (same != null) {
                faults.add(new LogFault(LogFault.Kind.FORK, version, file,
                        "it has the id of version " + same + ", " + patch.id(), null));
            }
        }
    }

    private void unfinished(Path file) throws IOException {
        Instant written;
        try {
            written = Files.getLastModifiedTime(file).toInstant();
        } catch (NoSuchFileException e) {
            return; // it has ended meanwhile
        }
        if (written.isAfter(Instant.now().minus(UNFINISHED_AGE))) {
            return; // it may be under way
        }
        LogFault fault = new LogFault(LogFault.Kind.UNFINISHED, 0, name(file),
                "an append of " + written + " was cut off; it was never in the log", null);
        if (repairs) {
            Files.deleteIfExists(file);
            fault = fault.repaired("removed");
        }
        faults.add(fault);
    }

    /** Puts a file into the quarantine, where this is a repair. */
    private LogFault aside(LogFault fault, Path file) throws IOException {
        if (!repairs) {
            return fault;
        }
        Path folder = log.folder().resolve(FolderLog.QUARANTINE);
        Files.createDirectories(folder);
        Path to = folder.resolve(name(file));
        for (int again = 1; Files.exists(to); again++) {
            to = folder.resolve(name(file) + "." + again);
        }
        Files.move(file, to);
        Files.writeString(folder.resolve(to.getFileName() + ".reason.txt"), fault.found() + "\n");
        FolderLog.force(folder);
        return fault.repaired("moved to " + FolderLog.QUARANTINE + "/" + to.getFileName());
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }
}
