package io.jellybridge.log;

import io.jellybridge.codec.Io;
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
     * Finds patches of files that the log has: the first patches of the files, if they equal the last patches of the log.
     *
     * @param files opens each file, once
     * @return the patches of the log, for each file; an empty list if any patch has an {@code id} or a {@code prev}, by which the
     *     log would recognize it
     */
    public static List<List<LogHead>> find(PatchLog log, List<Io.Supplier<PatchSource<byte[]>>> files) throws IOException {
        List<String> hashes = new ArrayList<>();
        List<Integer> ends = new ArrayList<>();
        for (Io.Supplier<PatchSource<byte[]>> file : files) {
            try (PatchSource<byte[]> patches = file.get()) {
                for (CheckedPatch patch = CheckedPatch.next(patches); patch != null; patch = CheckedPatch.next(patches)) {
                    if (patch.header().id() != null || patch.header().prev() != null) {
                        return List.of();
                    }
                    hashes.add(hashOf(patch));
                }
            }
            ends.add(hashes.size());
        }
        List<LogHead> there = findOverlap(log, hashes);
        List<List<LogHead>> ofFiles = new ArrayList<>();
        int start = 0;
        for (int end : ends) {
            int last = Math.min(end, there.size());
            ofFiles.add(there.subList(Math.min(start, last), last));
            start = end;
        }
        return ofFiles;
    }

    /** Skips the next patch of a source. */
    static void skip(PatchSource<byte[]> patches) throws IOException {
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
    private static List<LogHead> findOverlap(PatchLog log, List<String> given) throws IOException {
        List<String> hashes = new ArrayList<>();
        for (String hash : given) {
            if (hashes.isEmpty() || !hash.equals(hashes.get(hashes.size() - 1))) {
                hashes.add(hash);
            }
        }
        long head = log.head().version();
        List<LogHead> last = new ArrayList<>();
        List<String> found = new ArrayList<>();
        log.forEach(Math.max(1, head - hashes.size() + 1), head, entry -> {
            String hash = hashOf(entry);
            found.add(hash);
            last.add(hash == null ? null : new LogHead(entry.version(), entry.header().id()));
        });
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
