package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class ExceptionMessagesTest {

    @Test
    void aSentenceStandsWithoutTheNameOfItsClass() {
        assertEquals("No space left on device", ExceptionMessages.text(new IOException("No space left on device")));
        assertEquals("a step is missing", ExceptionMessages.text(new IllegalStateException("a step is missing")));
        assertEquals("/f: Too many open files", ExceptionMessages.text(new FileSystemException("/f", null, "Too many open files")));
        assertEquals("log is at 7", ExceptionMessages.text(new SerializableException("log is at 7") { }));
    }

    @Test
    void anExceptionThatOnlyCarriesAnotherSaysWhatThatSays() {
        assertEquals("No space left on device",
                ExceptionMessages.text(new RuntimeException(new UncheckedIOException(new IOException("No space left on device")))));
        assertEquals("can't write f", ExceptionMessages.text(new UncheckedIOException("can't write f", new IOException("full"))));
    }

    @Test
    void whatIsCarriedKeepsWhatWasSaidOnTheWayAndAClassOfItsOwn() {
        assertEquals("can't write f: full", ExceptionMessages.unwrapped(
                new UncheckedIOException("can't write f: full", new IOException("full"))).getMessage());
        assertEquals("full", ExceptionMessages.unwrapped(new UncheckedIOException(new IOException("full"))).getMessage());
        IOException own = new EOFException("end");
        assertSame(own, ExceptionMessages.unwrapped(new UncheckedIOException("can't read f: end", own)));
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedOnce() {
        UncheckedIOException named = ExceptionMessages.cannotWrite("f", new IOException("full"));
        assertEquals("can't write f: full", named.getMessage());
        assertEquals("can't write f: full", ExceptionMessages.cannotWrite(null, ExceptionMessages.unwrapped(named)).getMessage());
        assertEquals("can't write: full", ExceptionMessages.cannotWrite(null, new IOException("full")).getMessage());
    }

    @Test
    void whatIsWrongWithAFileIsSaidInWords() {
        assertEquals("/f: there is no such file or folder", ExceptionMessages.text(new NoSuchFileException("/f")));
        assertEquals("/f: it is there already", ExceptionMessages.text(new FileAlreadyExistsException("/f")));
        assertEquals("/f: access is denied", ExceptionMessages.text(new AccessDeniedException("/f")));
        assertEquals("/f: it is no folder", ExceptionMessages.text(new NotDirectoryException("/f")));
    }

    @Test
    void theClassIsNamedWhereItTellsMost() {
        assertEquals("NullPointerException", ExceptionMessages.text(new NullPointerException()));
        assertEquals("EOFException", ExceptionMessages.text(new EOFException()));
        assertEquals("FileSystemLoopException: /f", ExceptionMessages.text(new FileSystemLoopException("/f")));
        assertEquals("ArrayIndexOutOfBoundsException: 7", ExceptionMessages.text(new ArrayIndexOutOfBoundsException("7")));
    }
}
