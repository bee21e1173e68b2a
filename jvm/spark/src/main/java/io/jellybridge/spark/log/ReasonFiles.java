package io.jellybridge.spark.log;

import io.jellybridge.log.LogEntry;
import io.jellybridge.log.Quarantine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A quarantine that keeps the reason of each patch in a file of its version; the patch itself stays in the log. */
record ReasonFiles(String folder) implements Quarantine {

    @Override
    public void put(LogEntry patch, RuntimeException reason) throws IOException {
        Path file = new Path(folder, patch.version() + ".reason.txt");
        FileSystem files = file.getFileSystem(new Configuration());
        // A task that is tried again finds the same, and replaces it.
        try (OutputStream out = files.create(file, true)) {
            out.write((patch.name() + ": " + reason.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
