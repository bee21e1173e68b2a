package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.spark.ChangeFileFormat.ChangeSource;
import io.jellybridge.spark.ChangeRowBatches.WholeTransactions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class WholeTransactionsTest {
    /** The options of a FLAT stream of triples, and the IRI u:p as a name, as rows of a frame. */
    private static final String HEAD = "0A0A0A080801100248087801" + "0A075A051203753A70";
    private static final String TX = "0A023200";
    private static final String TC = "0A023A00";
    /** The row A _:a u:p "x"@en. */
    private static final String GOOD = "0A10120E1201612A005A070A01781202656E";
    /** The same with the language tag "e ". */
    private static final String BAD = "0A0E120C1201615A070A017812026520";

    private static WholeTransactions scan(String... rows) throws IOException {
        byte[] frame = HexFormat.of().parseHex(HEAD + String.join("", rows));
        return WholeTransactions.of(new ChangeSource() {

            @Override
            public boolean splits() {
                return false;
            }

            @Override
            public <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, boolean counting,
                    TermFactory<T> terms) {
                return new PatchReader<>(new ByteArrayInputStream(frame), "test", terms, ReadOptions.DEFAULT);
            }
        }, new Path("test"), new Configuration(false));
    }

    @Test
    void aFileWithoutAFaultHasNoLimit() throws IOException {
        assertNull(scan(TX, GOOD, TC).fault());
    }

    @Test
    void aTermThatCanNotBeMadeEndsTheWholeTransactionsBeforeIt() throws IOException {
        WholeTransactions found = scan(TX, GOOD, TC, TX, BAD, TC);
        assertEquals(3, found.rows());
        assertTrue(found.fault().getMessage().startsWith("[P-120]"), found.fault()::getMessage);
    }
}
