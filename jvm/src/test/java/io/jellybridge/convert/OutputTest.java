package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.files.NamedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written in each format, into a file whose disk is full: that is told once, with the file's name. */
class OutputTest {
    private static final String FILE = "/full/out";

    private boolean closed;

    private OutputFile full() {
        return new OutputFile(null, new NamedOutputStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void close() {
                closed = true;
            }
        }, FILE));
    }

    private static byte[] term(String text) {
        return text.getBytes(UTF_8);
    }

    private void checkNamed(Output<?> out) {
        IOException failure = assertThrows(IOException.class, out::commit);
        assertEquals("can't write " + FILE + ": No space left on device", failure.getMessage());
        assertTrue(closed);
    }

    @ParameterizedTest
    @EnumSource(names = {"JELLY_PATCH", "RDF_PATCH", "THRIFT", "EVENTS"})
    void aShortStreamOfPatchesThatCannotBeWrittenNamesTheFile(Format format) {
        Output<PatchHandler<byte[]>> out =
                Output.ofPatches(full(), FILE, format, PatchOptions.DEFAULT, WriteOptions.DEFAULT, true, true);
        out.handler().statement(Op.A, term("<x:s>"), term("<x:p>"), term("<x:o>"), null);
        checkNamed(out);
    }

    @ParameterizedTest
    @EnumSource(names = {"JELLY", "NQUADS", "NTRIPLES", "EVENTS"})
    void aShortStreamOfStatementsThatCannotBeWrittenNamesTheFile(Format format) {
        Output<RdfHandler<byte[]>> out =
                Output.ofStatements(full(), FILE, format, ConvertOptions.of(Map.of()), RdfOptions.DEFAULT, true);
        out.handler().statement(term("<x:s>"), term("<x:p>"), term("<x:o>"), null);
        checkNamed(out);
    }
}
