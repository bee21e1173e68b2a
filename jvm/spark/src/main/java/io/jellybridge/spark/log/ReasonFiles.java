package io.jellybridge.spark.log;

import io.jellybridge.log.LogEntry;
import io.jellybridge.log.Quarantine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A quarantine that writes the reason for each patch to a file named by its version. The patch itself stays in the log. */
record ReasonFiles(String folder) implements Quarantine {

    @Override
    public void put(LogEntry patch, RuntimeException reason) throws IOException {
        Path file = new Path(folder, patch.version() + ".reason.txt");
        FileSystem files = file.getFileSystem(new Configuration());
        // A retried task writes the same file again.
        try (OutputStream out = files.create(file, true)) {
            out.write((patch.name() + ": " + reason.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
