package io.jellybridge.log;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;

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
}
