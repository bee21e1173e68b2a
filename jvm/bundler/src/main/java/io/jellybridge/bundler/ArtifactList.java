package io.jellybridge.bundler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The checked-in list of the bundle's content.
 *
 * <p>A line is {@code group:artifact:version} and the SPDX id of its licence. If the artifact's jar has no licence file, the
 * path of one of ours follows, relative to the project; likewise for its notice. If you change a dependency, you must change
 * this list too, and so check the licence.
 */
final class ArtifactList {

    /** An artifact of the list. {@code licenseFile} and {@code noticeFile} are null if the jar has its own. */
    record Artifact(String coordinates, String license, Path licenseFile, Path noticeFile) {

        /** Returns {@code artifact-version}, the folder of its licences in the bundle. */
        String name() {
            String[] parts = coordinates.split(":");
            return parts[1] + "-" + parts[2];
        }
    }

    private final Path file;
    private final Map<String, Artifact> artifacts = new LinkedHashMap<>();

    /**
     * @param file    the list
     * @param project the folder that licence paths are relative to
     * @throws IllegalArgumentException a line does not have the form above
     */
    ArtifactList(Path file, Path project) throws IOException {
        this.file = file;
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] columns = line.trim().split("\\s+");
            if (columns.length < 2 || columns.length > 4 || columns[0].split(":").length != 3) {
                throw new IllegalArgumentException(file + ": \"" + line
                        + "\" is not \"group:artifact:version license-id [license-file [notice-file]]\"");
            }
            Path licenseFile = columns.length > 2 ? project.resolve(columns[2]) : null;
            Path noticeFile = columns.length > 3 ? project.resolve(columns[3]) : null;
            artifacts.put(columns[0], new Artifact(columns[0], columns[1], licenseFile, noticeFile));
        }
    }

    /**
     * Checks that exactly the listed artifacts were resolved.
     *
     * @throws IllegalArgumentException they differ; the message names the difference
     */
    void check(Set<String> resolved) {
        Set<String> unlisted = new TreeSet<>(resolved);
        unlisted.removeAll(artifacts.keySet());
        Set<String> missing = new TreeSet<>(artifacts.keySet());
        missing.removeAll(resolved);
        if (!unlisted.isEmpty() || !missing.isEmpty()) {
            throw new IllegalArgumentException("The bundle's contents changed: not in " + file + ": " + unlisted
                    + "; only there: " + missing
                    + ". Look at the licence of what is new, then correct the list and the relocation rules");
        }
    }

    Artifact get(String coordinates) {
        return artifacts.get(coordinates);
    }
}
