package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jellybridge.codec.Checksums;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionUpdate;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jena.datatypes.BaseDatatype;
import org.apache.jena.datatypes.TypeMapper;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sys.JenaSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a row is decoded on its way from a folder to a Fuseki with our module. */
class WayOfARowTest {
    private static final int ROWS = 30;

    @TempDir
    Path folder;

    /** Jena parses a literal of this type where a row becomes nodes, here and in the server, which is in this process. */
    private static final class CountedType extends BaseDatatype {
        private final AtomicInteger parsed = new AtomicInteger();

        CountedType() {
            super("urn:jellybridge:test:counted");
            JenaSystem.init();
            TypeMapper.getInstance().registerDatatype(this);
        }

        @Override
        public Object parse(String lexical) {
            parsed.incrementAndGet();
            return lexical;
        }
    }

    private Path write(String literal) throws IOException {
        Path file = folder.resolve("log.jellyp");
        try (PatchWriter<byte[]> writer = new PatchWriter<>(Files.newOutputStream(file), null, new Utf8Terms(),
                PatchOptions.DEFAULT, WriteOptions.DEFAULT)) {
            writer.header("id".getBytes(UTF_8), "<urn:id:1>".getBytes(UTF_8));
            writer.transaction(Op.TX);
            for (int i = 0; i < ROWS; i++) {
                writer.statement(Op.A, "<urn:s>".getBytes(UTF_8), "<urn:p>".getBytes(UTF_8),
                        literal.formatted(i).getBytes(UTF_8), null);
            }
            writer.transaction(Op.TC);
            writer.endPatch();
        }
        return file;
    }

    @Test
    void aRowIsDecodedToBeCheckedAndSentThenCheckedAndAppliedByTheServer() throws IOException {
        CountedType type = new CountedType();
        // Too long to be kept for a second time.
        write("\"a literal that comes once only, with the number %d\"^^<" + type.getURI() + ">");
        AtomicInteger readings = new AtomicInteger();
        Patches patches = FilePatches.list(List.of(folder.resolve("log.jellyp")), ProgressListener.NONE).get(0);
        Patches counted = new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                readings.incrementAndGet();
                return patches.open(terms);
            }
        };
        try (TestFuseki fuseki = TestFuseki.withModule();
                OpenDataset target = FusekiDataset.open(FusekiOptions.of(fuseki.url()))) {
            ApplyReport report = target.apply(counted, new PositionUpdate("urn:jellybridge:log", null, "<urn:id:1>"),
                    ProgressListener.NONE);
            assertEquals(new ApplyReport(1, 1, ROWS, 0, 0, null), report);
            assertEquals(ROWS, target.size());
        }
        assertEquals(1, readings.get());
        int decoded = type.parsed.getAndSet(0);
        NodeFactory.createLiteralDT("", type);
        // Jena 6 parses a literal when it is asked for its value, which nobody does.
        assertEquals(type.parsed.get() == 0 ? 0 : 3 * ROWS, decoded);
    }

    @Test
    void aFolderIsListedWithoutItsTerms() throws IOException {
        Path file = write("\"spoilt %d\"");
        byte[] bytes = Files.readAllBytes(file);
        bytes[new String(bytes, ISO_8859_1).indexOf("spoilt")] = (byte) 0xFF;
        Files.write(file, Checksums.renewed(bytes));
        SyncPatch listed = FilePatches.list(List.of(file), ProgressListener.NONE).get(0);
        assertNull(listed.fault());
        assertEquals("<urn:id:1>", listed.id());
        assertEquals(ROWS + 3, listed.rows());
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 1));
        assertNotNull(FilePatches.list(List.of(file), ProgressListener.NONE).get(0).fault());
    }
}
