package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.jena.apply.ProgressListener;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

/** The contract of a log on one of Hadoop's file systems. */
abstract class HadoopLogContract extends PatchLogContract {
    private static int logs;

    /** The address of the log of this test. */
    String address;

    /** Returns the file system. */
    abstract FileSystem files() throws IOException;

    @Override
    int rounds() {
        return 50;
    }

    @Override
    PatchLog create() throws IOException {
        address = files().getUri() + "/logs of tests/" + ++logs;
        return PatchLogs.create(address);
    }

    @Override
    PatchLog open() throws IOException {
        return PatchLogs.open(address);
    }

    @Override
    void createAgain() throws IOException {
        PatchLogs.create(address).close();
    }

    /** The folder of checkpoints has another time after each, and on S3 always. */
    @Test
    void aNewCheckpointLeavesWhatIsKnownOfThePatches() throws IOException {
        fill(2);
        LogStore store = original().store();
        CheckpointFiles.make(original(), 1, ProgressListener.NONE);
        store.list("");
        String before = store.stampOf(LogStore.LISTED);
        CheckpointFiles.make(original(), 2, ProgressListener.NONE);
        store.list("");
        assertEquals(before, store.stampOf(LogStore.LISTED));
    }
}
