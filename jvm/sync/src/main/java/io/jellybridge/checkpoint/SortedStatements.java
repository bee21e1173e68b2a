package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Place;
import io.jellybridge.convert.StatementFiles;
import io.jellybridge.convert.StatementSource;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The statements of a file, sorted by their lines and without duplicates, and its namespaces. It sorts files of any size. Not
 * thread-safe.
 */
final class SortedStatements implements Closeable {
    /** The share of the heap for the statements. */
    private static final int HEAP_SHARE = 4;
    private static final int ROWS_BETWEEN_REPORTS = 1 << 12;

    private final ExternalSorter<CanonicalQuad> sorter = new ExternalSorter<>(CanonicalQuad.FORM, CanonicalQuad.BY_LINE,
            Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    private final SortedMap<String, byte[]> prefixes = new TreeMap<>();

    private SortedStatements() {
    }

    /**
     * Reads a whole file.
     *
     * @param progress receives the number of read statements
     */
    static SortedStatements of(Place file, ProgressListener progress) throws IOException {
        SortedStatements statements = new SortedStatements();
        try (StatementSource<byte[]> source = StatementFiles.read(file)) {
            statements.read(source, progress);
            return statements;
        } catch (UncheckedIOException e) {
            statements.close();
            throw ExceptionMessages.unwrapped(e);
        } catch (IOException | RuntimeException e) {
            statements.close();
            throw e;
        }
    }

    private void read(StatementSource<byte[]> source, ProgressListener progress) throws IOException {
        RdfHandler<byte[]> collector = new Collector();
        boolean more = true;
        for (long read = 1; more; read++) {
            try {
                more = source.next(collector);
            } catch (IllegalArgumentException e) {
                throw source.error("term", e.getMessage(), "correct the term");
            }
            if (read % ROWS_BETWEEN_REPORTS == 0) {
                progress.reading(read);
            }
        }
    }

    private final class Collector implements RdfHandler<byte[]> {

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            prefixes.put(new String(name, UTF_8), namespace);
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            try {
                sorter.add(new CanonicalQuad(subject, predicate, object, graph));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the namespaces, as terms, by their names. */
    SortedMap<String, byte[]> prefixes() {
        return prefixes;
    }

    /** Returns the statements. Can be called once. */
    Items<CanonicalQuad> quads() throws IOException {
        return sorter.sorted();
    }

    @Override
    public void close() throws IOException {
        sorter.close();
    }
}
