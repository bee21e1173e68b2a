package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class CausesTest {

    @Test
    void aSentenceStandsWithoutTheNameOfItsClass() {
        assertEquals("No space left on device", Causes.text(new IOException("No space left on device")));
        assertEquals("a step is missing", Causes.text(new IllegalStateException("a step is missing")));
        assertEquals("/f: Too many open files", Causes.text(new FileSystemException("/f", null, "Too many open files")));
        assertEquals("log is at 7", Causes.text(new CarriedException("log is at 7") { }));
    }

    @Test
    void anExceptionThatOnlyCarriesAnotherSaysWhatThatSays() {
        assertEquals("No space left on device",
                Causes.text(new RuntimeException(new UncheckedIOException(new IOException("No space left on device")))));
        assertEquals("can't write f", Causes.text(new UncheckedIOException("can't write f", new IOException("full"))));
    }

    @Test
    void whatIsCarriedKeepsWhatWasSaidOnTheWayAndAClassOfItsOwn() {
        assertEquals("can't write f: full", Causes.unwrapped(
                new UncheckedIOException("can't write f: full", new IOException("full"))).getMessage());
        assertEquals("full", Causes.unwrapped(new UncheckedIOException(new IOException("full"))).getMessage());
        IOException own = new EOFException("end");
        assertSame(own, Causes.unwrapped(new UncheckedIOException("can't read f: end", own)));
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedOnce() {
        UncheckedIOException named = Causes.cannotWrite("f", new IOException("full"));
        assertEquals("can't write f: full", named.getMessage());
        assertEquals("can't write f: full", Causes.cannotWrite(null, Causes.unwrapped(named)).getMessage());
        assertEquals("can't write: full", Causes.cannotWrite(null, new IOException("full")).getMessage());
    }

    @Test
    void theClassIsNamedWhereItTellsMost() {
        assertEquals("NullPointerException", Causes.text(new NullPointerException()));
        assertEquals("EOFException", Causes.text(new EOFException()));
        assertEquals("NoSuchFileException: /f", Causes.text(new NoSuchFileException("/f")));
        assertEquals("ArrayIndexOutOfBoundsException: 7", Causes.text(new ArrayIndexOutOfBoundsException("7")));
    }
}
