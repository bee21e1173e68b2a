package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.TermRules;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.convert.SnapshotFile;
import io.jellybridge.files.AtomicFolder;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.Checkpoints;
import io.jellybridge.log.LogStore;
import io.jellybridge.log.StoreLog;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Creates checkpoints, and verifies their files. */
public final class CheckpointFiles {
    private static final int QUADS_BETWEEN_REPORTS = 1 << 12;

    private CheckpointFiles() {
    }

    /**
     * Creates the checkpoint of a version, see {@link State#at}.
     *
     * @return the checkpoint, from this or from another process at the same time
     */
    public static Checkpoint make(StoreLog log, long version, ProgressListener progress) throws IOException {
        Checkpoints checkpoints = new Checkpoints(log);
        try (State state = State.at(log, version, progress); AtomicFolder making = checkpoints.begin(version)) {
            QuadsHash written = new QuadsHash();
            List<Checkpoint.Part> listed = new ArrayList<>();
            for (CheckpointPart part : writeParts(state.quads(), state.prefixes(), making.path(), TermRules.ANY)) {
                String name = checkpoints.partName(listed.size(), part.sha256());
                Files.move(part.path(), making.path().resolve(name), StandardCopyOption.ATOMIC_MOVE);
                listed.add(part.toListed(name));
                written.add(part.quads(), part.hash());
            }
            Checkpoint made = checkpoints.of(version, state.id(), state.time(), state.chain(), written.quads(), written.hash(),
                    listed);
            return checkpoints.commit(made, making) ? made : Objects.requireNonNull(checkpoints.at(version), "it is there");
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Writes as many files as needed, since large states are read and fetched in parts. The first file has the prefixes. */
    private static List<CheckpointPart> writeParts(Items<CanonicalQuad> quads, Map<String, byte[]> prefixes, Path folder,
            TermRules terms) throws IOException {
        List<CheckpointPart> parts = new ArrayList<>();
        CanonicalQuad quad = quads.next();
        do {
            Path file = folder.resolve(Checkpoint.partName(parts.size()));
            try (PartWriter out = new PartWriter(file, parts.isEmpty() ? prefixes : Map.of(), terms)) {
                for (; quad != null && !out.isFull(); quad = quads.next()) {
                    out.add(quad);
                }
                parts.add(out.end());
            }
        } while (quad != null);
        return parts;
    }

    /**
     * Begins a log with the statements of a file, without duplicates. They are sorted, in temporary files if they do not fit
     * into a part of the heap. A new log is created only after the whole file was read.
     *
     * @param store    the store of the log, which has no versions
     * @param file     the file, in the format of its suffix
     * @param options  how to read it
     * @param progress receives the number of read statements
     * @throws IllegalStateException the log has versions
     * @throws RuntimeException      the file is invalid (the error of its format)
     */
    public static Checkpoint begin(LogStore store, FileLocation file, ConvertOptions options, ProgressListener progress)
            throws IOException {
        if (StoreLog.isLog(store)) {
            new Checkpoints(StoreLog.open(store)).requireNoVersion();
        }
        try (SortedStatements statements = new SortedStatements(progress)) {
            new SnapshotFile(file, null, options, new ProgressMeter()).read(statements);
            try (InitialState beginning = new InitialState(StoreLog.openOrCreate(store))) {
                try {
                    return beginning.commit(writeParts(statements.sorter.sorted(), statements.prefixes, beginning.folder(),
                            TermRules.RDF));
                } catch (FormatException e) {
                    throw e.at(file.name()); // a statement that is not RDF
                }
            }
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        }
    }

    /**
     * Verifies a checkpoint by reading all of it.
     *
     * @param progress receives the number of read quads
     * @throws IOException      it can't be read, or has other quads than when it was created
     * @throws RuntimeException a file is invalid (the error of its format)
     */
    public static void check(Checkpoint checkpoint, ProgressListener progress) throws IOException {
        try (CheckpointQuads all = new CheckpointQuads(checkpoint)) {
            for (long read = 1; all.next() != null; read++) { // the reader compares
                if (read % QUADS_BETWEEN_REPORTS == 0) {
                    progress.reading(read);
                }
            }
        }
    }

    /**
     * Sorts the statements of a file by their lines, without duplicates, and collects its namespaces. It takes files of any
     * size.
     */
    private static final class SortedStatements implements RdfHandler<byte[]>, Closeable {
        /** The share of the heap for the statements. */
        private static final int HEAP_SHARE = 4;

        private final ExternalSorter<CanonicalQuad> sorter = new ExternalSorter<>(CanonicalQuad.FORM, CanonicalQuad.BY_LINE,
                Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        private final SortedMap<String, byte[]> prefixes = new TreeMap<>();
        private final ProgressListener progress;
        private long read;

        SortedStatements(ProgressListener progress) {
            this.progress = progress;
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            prefixes.put(new String(name, UTF_8), namespace);
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            Io.unchecked(() -> sorter.add(new CanonicalQuad(subject, predicate, object, graph)));
            if (++read % QUADS_BETWEEN_REPORTS == 0) {
                progress.reading(read);
            }
        }

        @Override
        public void close() throws IOException {
            sorter.close();
        }
    }
}
