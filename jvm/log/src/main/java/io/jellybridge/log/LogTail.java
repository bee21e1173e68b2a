package io.jellybridge.log;

import io.jellybridge.codec.PatchSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds patches to append that are the last patches of a log already. This is for patches without ids, which nothing else
 * tells apart. Appending them again would change nothing.
 */
public final class LogTail {

    private LogTail() {
    }

    /**
     * Adds the {@link LogEntry#hash} of every patch of a source to a list. Returns false at the first patch with an {@code id}
     * or a {@code prev}, by which a log would recognize it.
     */
    public static boolean addHashes(PatchSource<byte[]> patches, List<String> hashes) throws IOException {
        for (CheckedPatch patch = CheckedPatch.next(patches); patch != null; patch = CheckedPatch.next(patches)) {
            if (patch.headerFor().id() != null || patch.headerFor().prev() != null) {
                return false;
            }
            hashes.add(hashOf(patch));
        }
        return true;
    }

    /** Skips the next patch of a source. */
    public static void skip(PatchSource<byte[]> patches) throws IOException {
        hashOf(CheckedPatch.next(patches));
    }

    private static String hashOf(CheckedPatch patch) throws IOException {
        ContentHash content = new ContentHash();
        patch.copyTo(content, PatchIds.random(), null);
        return content.hash();
    }

    /**
     * Returns the longest prefix of the given patches that a log ends with, as patches of the log. The log has one patch for
     * several equal ones in a row.
     */
    public static List<LogHead> findOverlap(PatchLog log, List<String> given) throws IOException {
        List<String> hashes = new ArrayList<>();
        for (String hash : given) {
            if (hashes.isEmpty() || !hash.equals(hashes.get(hashes.size() - 1))) {
                hashes.add(hash);
            }
        }
        long head = log.head().version();
        List<LogHead> last = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (LogEntries entries = log.fetch(Math.max(1, head - hashes.size() + 1), head)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                String hash = hashOf(entry);
                found.add(hash);
                last.add(hash == null ? null : new LogHead(entry.version(), entry.header().id()));
            }
        }
        int most = Math.min(found.size(), hashes.size());
        while (!hashes.subList(0, most).equals(found.subList(found.size() - most, found.size()))) {
            most--;
        }
        List<LogHead> there = new ArrayList<>();
        int place = -1;
        for (int patch = 0; patch < given.size(); patch++) {
            place += patch > 0 && given.get(patch).equals(given.get(patch - 1)) ? 0 : 1;
            if (place < most) {
                there.add(last.get(last.size() - most + place));
            }
        }
        return there;
    }

    private static String hashOf(LogEntry entry) throws IOException {
        try {
            return entry.hash();
        } catch (RuntimeException e) {
            return null; // it can't be read, so it is none of the given patches
        }
    }
}
