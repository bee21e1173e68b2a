package io.jellybridge;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files of the repository: below the folder that the system property {@value #PROPERTY} names, else below the one above
 * the working directory that holds the build.
 */
public final class ProjectFiles {
    private static final String PROPERTY = "jellybridge.root";

    private ProjectFiles() {
    }

    public static Path folder(String path) {
        String named = System.getProperty(PROPERTY);
        Path folder = Path.of(named != null ? named : "").toAbsolutePath();
        while (named == null && !Files.exists(folder.resolve("settings.gradle"))) {
            folder = folder.getParent();
            assertNotNull(folder, "no settings.gradle above the working directory; set " + PROPERTY);
        }
        return folder.resolve(path);
    }
}
