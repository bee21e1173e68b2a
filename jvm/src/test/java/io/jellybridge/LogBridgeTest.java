package io.jellybridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.log.LogHead;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.PatchLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogBridgeTest {
    @TempDir
    Path folder;

    /** Appends a file of patches without ids, as Python does. */
    private List<Long> append(PatchLog log, String... rows) throws IOException {
        String text = "";
        for (String row : rows) {
            text += (text.isEmpty() ? "" : "Z .\n") + "TX .\n" + row.charAt(0) + " <urn:s> <urn:p> \"" + row.charAt(1) + "\" .\nTC .\n";
        }
        String file = Files.writeString(folder.resolve("patches.rdfp"), text).toString();
        List<LogHead> known = LogBridge.known(log, Arrays.asList(file, "patches", null), null, false, List.of()).get(0);
        List<LogHead> all = new ArrayList<>(known);
        all.addAll(LogBridge.append(log, file, "patches", null, false, null, known.size(), List.of(), Bridge.newProgress()));
        return all.stream().map(LogHead::version).toList();
    }

    @Test
    void aFileWithoutIdsThatIsAppendedAgainChangesNothingThoughAPatchComesTwiceInARow() throws IOException {
        String[][] files = {{"A1", "A1", "D1"}, {"A1", "A1"}, {"A1", "D1", "D1"}, {"A1", "D1", "A1", "D1"}};
        for (String[] file : files) {
            try (PatchLog log = PatchLogs.create(folder.resolve("log" + String.join("", file)).toString())) {
                List<Long> first = append(log, file);
                assertEquals(first, append(log, file));
                assertEquals(first, append(log, file));
                assertEquals(log.head().version(), first.get(first.size() - 1));
            }
        }
    }

    @Test
    void aFileWithoutIdsGoesOnWhereItsAppendStopped() throws IOException {
        for (int done = 0; done <= 5; done++) {
            String[] file = {"A1", "A1", "A2", "A2", "A3"};
            try (PatchLog log = PatchLogs.create(folder.resolve("stopped" + done).toString())) {
                append(log, "D9");
                if (done > 0) {
                    append(log, Arrays.copyOf(file, done));
                }
                assertEquals(List.of(2L, 2L, 3L, 3L, 4L), append(log, file));
            }
        }
    }
}
