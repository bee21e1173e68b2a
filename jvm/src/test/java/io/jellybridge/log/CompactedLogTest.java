package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a log whose files are joined whenever it is opened, beneath those who have it open. */
class CompactedLogTest extends PatchLogContract {
    @TempDir
    Path temporary;

    @Override
    PatchLog create() throws IOException {
        return StoreLog.create(temporary.resolve("log"));
    }

    @Override
    synchronized PatchLog open() throws IOException {
        try {
            LogCompaction.run(StoreLog.open(temporary.resolve("log")), Long.MAX_VALUE);
        } catch (LogBusyException e) {
            assertTrue(e.getMessage().contains("a compaction, pruning or repair of this log is under way"), e.getMessage()); // that of many writers
        }
        return StoreLog.open(temporary.resolve("log"));
    }

    @Override
    StoreLog original() throws IOException {
        return StoreLog.open(temporary.resolve("log"));
    }

    @Override
    StoreLog stored() throws IOException {
        return original();
    }

    @Override
    boolean isFolder() {
        return true;
    }

    @Override
    void createAgain() throws IOException {
        StoreLog.create(temporary.resolve("log"));
    }
}
