package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.log.EntryCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The patches of files, in their order; a file is of a format that {@link PatchFiles} reads. */
public final class FilePatches {

    private FilePatches() {
    }

    /**
     * Looks through files, for their headers: where a format has statements that can be passed over, no terms are made of
     * them, and a fault in those shows when the patch is read. Of a file that breaks its format otherwise, the patches
     * before the fault are there, then one that can't be read. A stand-in for a patch that a log lost can't be read either.
     *
     * @param progress hears how far the reading of each file is
     * @throws IOException a file can't be read
     */
    public static List<SyncPatch> list(List<Path> files, ProgressListener progress) throws IOException {
        List<SyncPatch> patches = new ArrayList<>();
        for (Path file : files) {
            progress.reading(0);
            addPatches(file, patches, progress);
        }
        return patches;
    }

    private static void addPatches(Path file, List<SyncPatch> patches, ProgressListener progress) throws IOException {
        Scan scan = new Scan(file, Files.size(file), patches);
        Patches watched = new WatchedPatches(PatchFiles.patches(file.toString(), false), progress);
        try (PatchSource<byte[]> source = watched.open(new Utf8Terms())) {
            scan.read(source);
        } catch (FormatException e) {
            scan.broken(e);
        }
    }

    /** Finds the patches of a file. */
    private static final class Scan extends PatchAdapter<byte[]> {
        private final Path file;
        private final long fileBytes;
        private final List<SyncPatch> found;
        private long number;
        private final ChainHeaders<String> chain = new ChainHeaders<>();
        private PatchSource<byte[]> source;
        /** The rows of the patches before. */
        private long rowsBefore;
        private RuntimeException lost;

        Scan(Path file, long fileBytes, List<SyncPatch> found) {
            this.file = file;
            this.fileBytes = fileBytes;
            this.found = found;
        }

        void read(PatchSource<byte[]> patches) throws IOException {
            source = patches;
            source.select(Selection.none());
            source.readAll(this);
        }

        void broken(RuntimeException fault) {
            add(fault);
        }

        private void add(RuntimeException fault) {
            long rows = source == null ? 0 : source.numbers().row() + 1;
            found.add(new FilePatch(file, number, chain.id(), chain.prev(), rows - rowsBefore, fileBytes / (number + 1),
                    fault));
            number++;
            chain.clear();
            rowsBefore = rows;
            lost = null;
        }

        @Override
        public void header(byte[] key, byte[] value) {
            String name = ChainHeaders.name(key);
            if (name != null) {
                chain.put(name, new String(value, UTF_8));
            } else if (EntryCheck.isLost(key)) {
                lost = EntryCheck.lost(source, value);
            }
        }

        @Override
        public void endPatch() {
            add(lost);
        }
    }

    /** A patch of a file: the one with a number, from 0. */
    record FilePatch(Path file, long number, String id, String prev, long rows, long bytes, RuntimeException fault)
            implements SyncPatch {

        @Override
        public String name() {
            return file.getFileName() + "#" + number;
        }

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return new Range(file, number, number).open(terms);
        }

        boolean isBefore(FilePatch next) {
            return file.equals(next.file) && number + 1 == next.number;
        }
    }

    /** The patches of a file with numbers from {@code first} to {@code last}: it is read once for all of them. */
    record Range(Path file, long first, long last) implements Patches {

        @Override
        public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
            return new RangeSource<>(PatchFiles.read(file.toString(), terms, false), first, last);
        }
    }

    /** Hands over the patches of a range, and passes over those before. */
    private record RangeSource<T>(PatchSource<T> source, long first, long last) implements ForwardingSource<T, T> {

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            if (source.numbers().patches() < first && !passOver()) {
                return false;
            }
            return source.numbers().patches() <= last && source.next(handler);
        }

        private boolean passOver() throws IOException {
            source.select(Selection.notYet());
            while (source.numbers().patches() < first) {
                if (!source.next(new PatchAdapter<>())) {
                    return false;
                }
            }
            source.select(Selection.all());
            return true;
        }
    }

    /** Patches as one batch; those that stand next to each other in a file are read in one go. */
    static Patches batch(List<SyncPatch> patches) {
        List<Patches> parts = new ArrayList<>();
        int i = 0;
        while (i < patches.size()) {
            if (patches.get(i) instanceof FilePatch first) {
                FilePatch last = first;
                while (i + 1 < patches.size() && patches.get(i + 1) instanceof FilePatch next && last.isBefore(next)) {
                    last = next;
                    i++;
                }
                parts.add(new Range(first.file(), first.number(), last.number()));
            } else {
                SyncPatch patch = patches.get(i);
                parts.add(new Patches() {
                    @Override
                    public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                        return patch.open(terms);
                    }
                });
            }
            i++;
        }
        return JoinedPatches.of(parts);
    }
}
