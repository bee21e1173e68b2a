package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStormTest {
    @TempDir
    Path folder;

    @Test
    void ofWritersThatAreKilledWhileFilesAreJoinedNothingIsLostOrThereTwice() throws Exception {
        String seen = LogStorm.run(folder.resolve("log").toString(), folder, 3, 60, 8, 11, Map.of());
        assertTrue(seen.contains("0 lost, 0 twice"), seen);
    }
}
