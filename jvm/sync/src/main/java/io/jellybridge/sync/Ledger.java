package io.jellybridge.sync;

import io.jellybridge.jena.data.Position;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a sync has a dataset keep beside the id of the last patch, in the transaction that applies it, so that the next sync
 * sees what happened to the source since: {@link Applied what that patch was}; each patch that was {@link SetAside set
 * aside}; and, where the names of files are the order, which files are before.
 */
public final class Ledger {
    private Position at;
    private final boolean keepsContent;
    /** Where names are the order: all patches in it; else none. */
    private final List<SyncPatch> byNames;
    private final Set<String> noted;
    /** Notes for the next transaction. */
    private final List<String> waiting = new ArrayList<>();
    /** Before this one of {@link #byNames}, all files have a note. */
    private int passed;

    private Ledger(Position at, boolean keepsContent, List<SyncPatch> byNames, Set<String> noted) {
        this.at = at;
        this.keepsContent = keepsContent;
        this.byNames = byNames;
        this.noted = noted;
    }

    /** Of patches that a source has in another form the next time: their ids alone are kept, see {@link #ofPatches}. */
    public static Ledger ofIds(Position at) {
        return new Ledger(at, false, List.of(), Set.of());
    }

    /**
     * Of patches that have an order by themselves, as those of a log or of a chain.
     *
     * @param at where the dataset was when it was worked out what it is to apply; null: nowhere
     */
    public static Ledger ofPatches(Position at) {
        return new Ledger(at, true, List.of(), Set.of());
    }

    /**
     * Of patches whose order is that of their files' names.
     *
     * @param at      as of {@link #ofPatches}
     * @param patches all of the source, in that order
     * @param noted   the notes that the dataset has
     */
    public static Ledger ofNames(Position at, List<SyncPatch> patches, List<String> noted) {
        return new Ledger(at, true, List.copyOf(patches), new HashSet<>(noted));
    }

    /**
     * The note of a file behind which a sync went on, as JSON; {@code rows} are those of all its patches, and {@code hash} is
     * that of its bytes, where it is known.
     */
    private record PassedFile(String file, long patches, long rows, String hash) {

        PassedFile and(SyncPatch patch) {
            return new PassedFile(file, patches + 1, rows + patch.rows(), patch.fileHash());
        }
    }

    /** The file of a patch, by its name. */
    private static String file(SyncPatch patch) {
        return patch.name().substring(0, patch.name().lastIndexOf('#'));
    }

    /** A patch is set aside: the next transaction notes it. {@code id} is what the patch behind it calls it, or null. */
    public void setAside(SyncPatch patch, String id) throws IOException {
        waiting.add(SetAside.of(patch, id).note());
    }

    /** Where the dataset is to be when the next transaction begins; null: nowhere. */
    Position at() {
        return at;
    }

    /** The position of a dataset whose last patch this is. */
    Position position(SyncPatch last) throws IOException {
        return keepsContent ? Applied.of(last, !byNames.isEmpty()).position() : Position.of(last.position());
    }

    /** What is noted with it. */
    List<String> notes(SyncPatch last) {
        List<String> notes = new ArrayList<>(waiting);
        Map<String, PassedFile> files = new LinkedHashMap<>();
        for (SyncPatch patch : byNames.subList(passed, start(last))) {
            files.put(file(patch), files.getOrDefault(file(patch), new PassedFile(file(patch), 0, 0, null)).and(patch));
        }
        files.values().stream().map(Applied.JSON::toJson).filter(note -> !noted.contains(note)).forEach(notes::add);
        return notes;
    }

    /** The dataset has the position of this patch, and its notes. */
    void committed(SyncPatch last, Position position) {
        at = position;
        waiting.clear();
        passed = start(last);
    }

    /** Where the patches of the file of a patch begin. */
    private int start(SyncPatch last) {
        int start = passed;
        while (start < byNames.size() && !file(byNames.get(start)).equals(file(last))) {
            start++;
        }
        return start;
    }
}
