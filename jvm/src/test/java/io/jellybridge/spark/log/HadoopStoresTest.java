package io.jellybridge.spark.log;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.log.PatchLogs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(max = JRE.JAVA_21) // Hadoop asks for Subject.getSubject, which is not there since 24
class HadoopStoresTest {

    private static String refused(String address) {
        String open = assertThrows(IllegalArgumentException.class, () -> PatchLogs.open(address)).getMessage();
        String create = assertThrows(IllegalArgumentException.class, () -> PatchLogs.create(address)).getMessage();
        assertTrue(open.equals(create), open + "\n" + create);
        return open;
    }

    @Test
    void aFileSystemThatMayReplaceAFileIsRefusedByName() {
        String message = refused("webhdfs://127.0.0.1:1/log");
        assertTrue(message.contains("can't be kept on webhdfs") && message.contains("keep the log on s3a or hdfs"), message);
    }

    @Test
    void aClientThatIsNotHereIsNamedWithoutAPassword() {
        for (String address : new String[] {"gs://bucket/log", "abfss://key:secret@account.dfs.core.windows.net/log"}) {
            String message = refused(address);
            assertTrue(message.contains("Hadoop's client of " + address.substring(0, address.indexOf(':'))), message);
            assertFalse(message.contains("secret"), message);
        }
        String message = refused("s3://bucket/log");
        assertTrue(message.contains("write s3a://") && message.contains("org.apache.hadoop:hadoop-aws:3."), message);
        assertTrue(refused("ftp://host/log").contains("no address of a patch log"));
    }
}
