package io.jellybridge.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class NamedOutputStreamTest {

    @Test
    void aFileThatCannotBeWrittenIsNamed() {
        OutputStream out = new NamedOutputStream(new Failing(new IOException("No space left on device")), "/d/out.nq");
        for (Executable use : new Executable[] {() -> out.write(1), () -> out.write(new byte[2]), out::flush, out::close}) {
            assertEquals("can't write /d/out.nq: No space left on device", assertThrows(IOException.class, use).getMessage());
        }
    }

    @Test
    void anErrorThatIsKnownByItsClassStaysWhatItIs() {
        IOException failure = new InterruptedIOException("enough");
        assertSame(failure, assertThrows(IOException.class, () -> new NamedOutputStream(new Failing(failure), "f").write(1)));
    }

    private static final class Failing extends OutputStream {
        private final IOException failure;

        Failing(IOException failure) {
            this.failure = failure;
        }

        @Override
        public void write(int b) throws IOException {
            throw failure;
        }

        @Override
        public void flush() throws IOException {
            throw failure;
        }

        @Override
        public void close() throws IOException {
            throw failure;
        }
    }
}
