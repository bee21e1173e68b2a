package io.jellybridge.log;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What is in the folder of a log: the versions that are there, and what does not belong. */
final class FolderListing {
    private final TreeSet<Long> versions = new TreeSet<>();
    private final List<Path> strangers = new ArrayList<>();
    private final List<Path> unfinished = new ArrayList<>();

    FolderListing(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                add(file);
            }
        }
        strangers.sort(null);
        unfinished.sort(null);
    }

    private void add(Path file) {
        String name = file.getFileName().toString();
        long version = FolderLog.versionOf(name);
        if (version > 0) {
            versions.add(version);
        } else if (name.startsWith(FolderLog.APPEND_PREFIX)) {
            unfinished.add(file);
        } else if (!name.equals(FolderLog.PROPERTIES) && !name.equals(FolderLog.QUARANTINE) && !FolderLog.isHidden(file)) {
            strangers.add(file);
        }
    }

    /** The versions of which there is a file, ascending. */
    TreeSet<Long> versions() {
        return versions;
    }

    /** Files that a log does not have, by name. */
    List<Path> strangers() {
        return strangers;
    }

    /** Files of appends that are under way, or were cut off. */
    List<Path> unfinished() {
        return unfinished;
    }

    /** The last version of which there is a file; 0 where there is none. */
    long last() {
        return versions.isEmpty() ? 0 : versions.last();
    }

    /** The last version without a gap before it. */
    long head() {
        long head = 0;
        for (long version : versions) {
            if (version != head + 1) {
                return head;
            }
            head = version;
        }
        return head;
    }
}
