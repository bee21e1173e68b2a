package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.newId;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
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

    final Set<String> names() throws IOException {
        Set<String> names = new HashSet<>();
        for (FileStatus file : files().listStatus(new Path(address))) {
            names.add(file.getPath().getName());
        }
        return names;
    }

    @Test
    void aLogIsThePropertiesAndAFileForEachAppendAndNothingElse() throws IOException {
        append(log, patch(null, null, add(1)));
        append(log, patch(null, null, add(2)));
        assertEquals(Set.of(LogProperties.NAME, LogObject.fileName(1), LogObject.fileName(2)), names());
    }

    @Test
    void objectsAreJoinedAndPrunedAsInAFolder() throws IOException {
        for (int number = 1; number <= 5; number++) {
            append(open(), patch(newId(), null, add(number)));
        }
        List<String> before = texts(open(), 1, 9);
        assertEquals(1, LogCompaction.run(open().stored(), Long.MAX_VALUE).after());
        assertEquals(Set.of(LogProperties.NAME, new LogObject(1, 5).name()), names());
        assertEquals(before, texts(log, 1, 9), "who had it open reads on");
        append(log, patch(newId(), null, add(6)));
        assertEquals(6, LogPruning.run(open().stored(), 5).first());
        assertEquals(6, open().head().version());
    }

    /** Each is in once, whoever was first. */
    @Test
    void whoeverAppendsTheSamePatchesAtOnceHasThemInOnce() throws Exception {
        int patches = 25;
        List<String> texts = new ArrayList<>();
        for (int number = 0; number < patches; number++) {
            texts.add(patch(newId(), null, add(number)));
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                writers.add(pool.submit(() -> appendAll(texts)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(patches, open().head().version());
        assertEquals(patches, new HashSet<>(texts(open(), 1, 999)).size());
        assertFalse(names().stream().anyMatch(name -> name.startsWith(".")), "nobody left a file");
    }

    private Void appendAll(List<String> texts) throws IOException {
        PatchLog mine = open();
        for (int next = 0; next < texts.size();) {
            try {
                append(mine, texts.get(next));
                next++;
            } catch (LogConflictException e) {
                assertFalse(e.isTaken(), e.getMessage());
            }
        }
        return null;
    }
}
