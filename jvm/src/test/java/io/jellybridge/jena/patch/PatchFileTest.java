package io.jellybridge.jena.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.TestPatches;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.dataset.DatasetStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that readers and writers open, close and name. */
class PatchFileTest {

    @TempDir
    Path folder;

    private Path written() throws IOException {
        Path file = folder.resolve("changes.jellyp");
        try (JellyPatchWriter writer = JellyPatchWriter.create(file)) {
            writer.txnBegin();
            writer.add(null, TestPatches.S, TestPatches.P, TestPatches.O);
            writer.txnCommit();
        }
        return file;
    }

    @Test
    void aReaderThatIsNotAppliedClosesItsStream() throws IOException {
        boolean[] closed = new boolean[1];
        JellyPatchReader reader = new JellyPatchReader(new FilterInputStream(new ByteArrayInputStream(new byte[0])) {
            @Override
            public void close() {
                closed[0] = true;
            }
        }, null, ReadOptions.DEFAULT);
        try (reader) {
            assertFalse(closed[0]);
        }
        assertTrue(closed[0]);
        reader.close();
        assertThrows(IllegalStateException.class, () -> reader.apply(new TestPatches.Recorder()));
    }

    @Test
    void aFileIsWrittenReadAndAppliedWithoutOptions() throws IOException {
        Path file = written();
        TestPatches.Recorder recorder = new TestPatches.Recorder();
        try (JellyPatchReader reader = JellyPatchReader.open(file)) {
            reader.apply(recorder);
        }
        assertTrue(recorder.events().contains("TC"));
        assertEquals(1L, PatchApplier.apply(DatasetGraphFactory.createTxnMem(), file).changed());
    }

    @Test
    void aWriterReplacesNoFileAndLeavesNoneIfItsOptionsAreRefused() throws IOException {
        Path file = written();
        long size = Files.size(file);
        String said = assertThrows(FileAlreadyExistsException.class, () -> JellyPatchWriter.create(file)).getMessage();
        assertEquals(file + ": it exists already; give the name of a new file", said);
        assertEquals(size, Files.size(file));
        Path other = folder.resolve("other.jellyp");
        assertThrows(NullPointerException.class, () -> JellyPatchWriter.create(other, null, WriteOptions.DEFAULT));
        assertFalse(Files.exists(other));
    }

    @Test
    void aFolderIsNamedWhereAFileIsDue() {
        String due = folder + " is a folder; give one file of patches, or follow a patch log by a Follower of";
        for (IOException e : new IOException[] {
            assertThrows(IOException.class, () -> JellyPatchReader.open(folder)),
            assertThrows(IOException.class, () -> PatchApplier.apply(DatasetGraphFactory.createTxnMem(), folder))}) {
            assertTrue(e.getMessage().startsWith(due), e.getMessage());
        }
    }

    @Test
    void missingArgumentsAreNamed() {
        assertEquals("in", assertThrows(NullPointerException.class,
                () -> new JellyPatchReader(null, "x", ReadOptions.DEFAULT)).getMessage());
        assertEquals("options", assertThrows(NullPointerException.class,
                () -> JellyPatchReader.open(folder.resolve("not there"), null)).getMessage());
        assertEquals("out", assertThrows(NullPointerException.class,
                () -> new JellyPatchWriter(null, "x", PatchOptions.DEFAULT, WriteOptions.DEFAULT)).getMessage());
    }

    @Test
    void aFailedWriteAtTheEndHasItsMessageOnce() {
        JellyPatchWriter writer = new JellyPatchWriter(new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("the disk is full");
            }
        }, "full.jellyp", PatchOptions.DEFAULT, WriteOptions.DEFAULT);
        String said = assertThrows(UncheckedIOException.class, writer::close).getMessage();
        assertFalse(said.contains("IOException"), said);
        assertTrue(said.contains("the disk is full"), said);
    }

    @Test
    void aCompressedFileIsAdvisedToBeDecompressed() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            Files.copy(written(), out);
        }
        Path file = Files.write(folder.resolve("changes.jellyp.gz"), packed.toByteArray());
        String said = assertThrows(FormatException.class,
                () -> PatchApplier.apply(DatasetGraphFactory.createTxnMem(), file)).getMessage();
        assertTrue(said.endsWith("what looks like gzip data, not Jelly-Patch; decompress it"), said);
    }

    @Test
    void anAddressOfAServerIsNotAdvisedWhereItIsNotTaken() {
        String said = assertThrows(IllegalArgumentException.class, () -> DatasetStore.open("http://u:secret@host:1/ds")).getMessage();
        assertTrue(said.contains(" is on a server, and this class opens datasets of this machine"), said);
        assertFalse(said.contains("secret"), said);
    }
}
