package io.jellybridge.log;

import static io.jellybridge.log.LogPatches.add;
import static io.jellybridge.log.LogPatches.append;
import static io.jellybridge.log.LogPatches.patch;
import static io.jellybridge.log.LogPatches.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a log on HDFS, whose namenode and datanode run in this process. */
@EnabledForJreRange(max = JRE.JAVA_21) // Hadoop asks for Subject.getSubject, which is not there since 24
@Full("starts an HDFS")
class HdfsLogTest extends HadoopLogContract {
    private static final Configuration CONFIGURATION = new HdfsConfiguration();
    private static MiniDFSCluster cluster;

    @BeforeAll
    static void startCluster(@TempDir File disks) throws IOException {
        cluster = new MiniDFSCluster.Builder(CONFIGURATION, disks).numDataNodes(1).build();
        cluster.waitActive();
    }

    @AfterAll
    static void stopCluster() {
        cluster.shutdown();
    }

    @Override
    FileSystem files() throws IOException {
        return cluster.getFileSystem();
    }

    /** With files of several patches, one of several mebibytes, and what a folder has besides. */
    @Test
    void aFolderThatIsCopiedHereIsTheSameLogAndGoesBackAsOne(@TempDir java.nio.file.Path temporary) throws IOException {
        java.nio.file.Path here = temporary.resolve("here");
        try (StoreLog folder = StoreLog.create(here)) {
            for (int number = 1; number <= 7; number++) {
                append(folder, patch(null, null, add(number)));
                if (number == 5) {
                    String[] rows = new String[60_000];
                    Arrays.setAll(rows, row -> "A <urn:s> <urn:p> \"" + "x".repeat(40) + row + "\" .");
                    append(folder, patch(null, null, rows));
                    LogCompaction.run(folder, Long.MAX_VALUE);
                }
            }
            Path there = new Path(address + "-copy");
            assertTrue(FileUtil.copy(here.toFile(), files(), there, false, CONFIGURATION));
            PatchLog copy = PatchLogs.open(there.toString());
            assertEquals(folder.id(), copy.id());
            assertEquals(folder.head(), copy.head());
            assertEquals(texts(folder, 1, 9), texts(copy, 1, 9));
            LogHead more = append(copy, patch(null, null, add(8)));
            assertEquals(new LogHead(9, more.id()), PatchLogs.open(there.toString()).head());
            java.nio.file.Path back = temporary.resolve("back");
            assertTrue(FileUtil.copy(files(), there, back.toFile(), false, CONFIGURATION));
            StoreLog again = StoreLog.open(back);
            assertEquals(more, again.head());
            assertEquals(texts(copy, 1, 9), texts(again, 1, 9));
            assertEquals(10, append(again, patch(null, null, add(9))).version());
        }
    }
}
