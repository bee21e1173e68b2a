package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A folder for patches that can't be applied: it gets a copy of what is stored of one and, beside it, a text {@code
 * NAME.reason.txt} that says which patch it is and what is wrong with it.
 */
final class QuarantineFolder {

    private QuarantineFolder() {
    }

    static void put(Path folder, SyncPatch patch, RuntimeException fault) throws IOException {
        Files.createDirectories(folder);
        patch.copyTo(folder);
        String reason = "patch: " + patch.name() + "\nid: " + patch.id() + "\nprev: " + patch.prev() + "\ntime: "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\nreason: " + fault.getMessage() + "\n";
        Files.writeString(folder.resolve(patch.name() + ".reason.txt"), reason, UTF_8);
    }
}
