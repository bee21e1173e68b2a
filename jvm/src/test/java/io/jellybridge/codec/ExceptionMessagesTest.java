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
        assertEquals("No space left on device", ExceptionMessages.toText(new IOException("No space left on device")));
        assertEquals("a step is missing", ExceptionMessages.toText(new IllegalStateException("a step is missing")));
        assertEquals("/f: Too many open files", ExceptionMessages.toText(new FileSystemException("/f", null, "Too many open files")));
        assertEquals("log is at 7", ExceptionMessages.toText(new SerializableException("log is at 7") { }));
    }

    @Test
    void anExceptionThatOnlyCarriesAnotherSaysWhatThatSays() {
        assertEquals("No space left on device",
                ExceptionMessages.toText(new RuntimeException(new UncheckedIOException(new IOException("No space left on device")))));
        assertEquals("can't write f", ExceptionMessages.toText(new UncheckedIOException("can't write f", new IOException("full"))));
    }

    @Test
    void whatIsCarriedKeepsWhatWasSaidOnTheWayAndAClassOfItsOwn() {
        assertEquals("can't write f: full", ExceptionMessages.unwrapCause(
                new UncheckedIOException("can't write f: full", new IOException("full"))).getMessage());
        assertEquals("full", ExceptionMessages.unwrapCause(new UncheckedIOException(new IOException("full"))).getMessage());
        IOException own = new EOFException("end");
        assertSame(own, ExceptionMessages.unwrapCause(new UncheckedIOException("can't read f: end", own)));
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedOnce() {
        UncheckedIOException named = ExceptionMessages.cannotWriteError("f", new IOException("full"));
        assertEquals("can't write f: full", named.getMessage());
        assertEquals("can't write f: full", ExceptionMessages.cannotWriteError(null, ExceptionMessages.unwrapCause(named)).getMessage());
        assertEquals("can't write: full", ExceptionMessages.cannotWriteError(null, new IOException("full")).getMessage());
    }

    @Test
    void whatIsWrongWithAFileIsSaidInWords() {
        assertEquals("/f: there is no such file or folder", ExceptionMessages.toText(new NoSuchFileException("/f")));
        assertEquals("/f: it is there already", ExceptionMessages.toText(new FileAlreadyExistsException("/f")));
        assertEquals("/f: access is denied", ExceptionMessages.toText(new AccessDeniedException("/f")));
        assertEquals("/f: it is no folder", ExceptionMessages.toText(new NotDirectoryException("/f")));
    }

    @Test
    void theClassIsNamedWhereItTellsMost() {
        assertEquals("NullPointerException", ExceptionMessages.toText(new NullPointerException()));
        assertEquals("EOFException", ExceptionMessages.toText(new EOFException()));
        assertEquals("FileSystemLoopException: /f", ExceptionMessages.toText(new FileSystemLoopException("/f")));
        assertEquals("ArrayIndexOutOfBoundsException: 7", ExceptionMessages.toText(new ArrayIndexOutOfBoundsException("7")));
    }
}
