package io.jellybridge;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The conformance data, which is kept outside of the repository: in the folder that the system property or the
 * environment variable {@value #VARIABLE} names, else beside the repository. Tests that need it are skipped where it is
 * not there.
 */
public final class SharedFiles {
    private static final String VARIABLE = "JELLYBRIDGE_SHARED";

    private SharedFiles() {
    }

    public static Path folder(String path) {
        Path folder = Path.of(System.getProperty(VARIABLE, System.getenv().getOrDefault(VARIABLE, "../shared")))
                .resolve(path);
        assumeTrue(Files.isDirectory(folder), folder + " is not there; set " + VARIABLE);
        return folder;
    }
}
