package io.jellybridge.checkpoint;

import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Path;

/** A process that makes the checkpoint of each version of a log, or prunes it version by version; it says each. */
final class CheckpointWorker {

    private CheckpointWorker() {
    }

    public static void main(String[] arguments) throws IOException {
        StoreLog log = StoreLog.open(Path.of(arguments[0]));
        Checkpoints checkpoints = new Checkpoints(log);
        long head = log.head().version();
        System.out.println("ready");
        for (long version = log.first(); version <= head; version++) {
            if (arguments[1].equals("prune")) {
                Pruning.before(log, version + 1);
            } else {
                CheckpointFiles.make(log, version, ProgressListener.NONE);
            }
            System.out.println(version);
        }
    }
}
