package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.checkpoint.NetPatch.PrefixChange;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.BlankNodes;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Difference;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.Snapshot;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds what a version of a log changed, what changed between two versions, and what undoes a version. */
public final class LogDifference {
    private LogDifference() {
    }

    /**
     * Compares the states of a log at two versions.
     *
     * @param from the old version; 0 for the state before the first patch
     * @throws IllegalArgumentException the log has no such version
     * @throws IllegalStateException    the log does not have the data for a state any more
     */
    public static Difference compareVersions(StoreLog log, long from, long to, ProgressListener progress) throws IOException {
        return compareVersions(log, from, to, false, progress);
    }

    /** Compares states as {@link #compareVersions} does, and makes the patch lead to the prefixes of the new one, too. */
    public static Difference withPrefixes(StoreLog log, long from, long to, ProgressListener progress) throws IOException {
        return compareVersions(log, from, to, true, progress);
    }

    private static Difference compareVersions(StoreLog log, long from, long to, boolean withPrefixes, ProgressListener progress)
            throws IOException {
        try (State old = State.atOrEmpty(log, from, progress); State next = State.atOrEmpty(log, to, progress)) {
            Difference difference =
                    Difference.keepStatements(old, next, BlankNodes.LABEL, new ProgressMeter(progress::reading));
            if (withPrefixes) {
                difference.changePrefixes(prefixesOf(old, next), prefixesOf(next, old));
            }
            return difference;
        }
    }

    /** Returns the namespaces that a state has and another one lacks, by their prefixes. */
    private static Map<String, String> prefixesOf(State state, State other) {
        Map<String, String> found = new TreeMap<>();
        state.prefixes().forEach((name, term) -> {
            if (!Arrays.equals(term, other.prefixes().get(name))) {
                found.put(name, Utf8Terms.toIri(term));
            }
        });
        return found;
    }

    /**
     * Finds the changes of a version. For a log that is not on a server it compares the states before and after it, so only
     * what had an effect counts. If the state before it is not available, or the log is on a server, it is the net effect of
     * the patch.
     */
    public static Difference of(PatchLog log, long version, ProgressListener progress) throws IOException {
        if (log instanceof StoreLog folder) {
            try {
                return compareVersions(folder, version - 1, version, progress);
            } catch (IllegalStateException e) {
                // the state before it was pruned
            }
        }
        return ofPatch(log, version, progress);
    }

    static Difference ofPatch(PatchLog log, long version, ProgressListener progress) throws IOException {
        return LogVersions.readPatch(log, version, entry -> {
            if (entry == null) {
                throw new FileNotFoundException(log.name() + " has no version " + version);
            }
            return ofPatches(List.of(entry), false, progress);
        });
    }

    /** Returns the net effect of patches in files as a difference, which changes prefixes too. */
    public static Difference ofFiles(List<FileLocation> files) throws IOException {
        return ofPatches(PatchAlgebra.openFiles(files), true, ProgressListener.NONE);
    }

    private static Difference ofPatches(List<Patches> all, boolean withPrefixes, ProgressListener progress) throws IOException {
        try (PatchAlgebra algebra = new PatchAlgebra()) {
            algebra.addPatches(PatchAlgebra.Side.OURS, all);
            try (NetPatch net = algebra.effective()) {
                Difference difference = Difference.keepStatements(new Quads(net, false), new Quads(net, true), BlankNodes.LABEL,
                        new ProgressMeter(progress::reading));
                if (withPrefixes) {
                    changePrefixes(difference, net.prefixes());
                }
                return difference;
            }
        }
    }

    private static void changePrefixes(Difference difference, Map<String, PrefixChange> changes) {
        Map<String, String> deletes = new TreeMap<>();
        Map<String, String> adds = new TreeMap<>();
        changes.forEach((name, change) -> {
            if (change.deletes()) {
                deletes.put(name, change.before() == null ? null : Utf8Terms.toIri(change.before()));
            }
            if (change.after() != null) {
                adds.put(name, Utf8Terms.toIri(change.after()));
            }
        });
        difference.changePrefixes(deletes, adds);
    }

    /**
     * Passes on the patch that undoes a version at the head of a log. It deletes what the version added and the head still has,
     * and adds what the version deleted and the head lacks.
     *
     * @return the number of changes of the version, and how many of them the patch undoes
     */
    public static long[] revert(StoreLog log, long version, PatchHandler<byte[]> patch, ProgressListener progress)
            throws IOException {
        try (Difference difference = compareVersions(log, version - 1, version, progress);
                PatchAlgebra algebra = new PatchAlgebra();
                State head = State.at(log, log.headVersion(), progress)) {
            algebra.addBase(head);
            algebra.addInverse(difference);
            try (NetPatch undone = algebra.effective()) {
                return new long[] {difference.deleted() + difference.added(), undone.write(patch)};
            }
        }
    }

    /** A set of quads, and prefixes. */
    private static final class Quads implements Snapshot {
        private final Map<String, PrefixChange> prefixes;
        private final Items<CanonicalQuad> quads;

        Quads(NetPatch patch, boolean adds) throws IOException {
            prefixes = patch.prefixes();
            quads = patch.quads(adds);
        }

        @Override
        public String name() {
            return "the log";
        }

        @Override
        public void read(RdfHandler<byte[]> handler) throws IOException {
            prefixes.forEach((name, change) -> {
                if (change.after() != null) {
                    handler.namespace(name.getBytes(UTF_8), change.after());
                }
            });
            CanonicalQuad.sendAll(quads, handler);
        }
    }
}
