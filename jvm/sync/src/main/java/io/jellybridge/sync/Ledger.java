package io.jellybridge.sync;

import com.google.gson.JsonObject;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The data that a sync stores in a dataset beside the id of the last patch, in the same transaction. It lets the next sync
 * detect changes of the source. It consists of {@link Applied the content of that patch} and of each patch that was
 * {@link SetAside set aside}. If the names of files are the order, it also has the files before.
 */
public final class Ledger {
    private Position at;
    private final boolean keepsContent;
    /** All patches of the source if file names are the order; otherwise empty. */
    private final List<SyncPatch> byNames;
    private final Set<String> noted;
    /** The notes for the next transaction. */
    private final List<String> waiting = new ArrayList<>();
    /** The index in {@link #byNames} before which all files have a note. */
    private int passed;

    private Ledger(Position at, boolean keepsContent, List<SyncPatch> byNames, Set<String> noted) {
        this.at = at;
        this.keepsContent = keepsContent;
        this.byNames = byNames;
        this.noted = noted;
    }

    /**
     * Creates a ledger that keeps only ids, for patches that have another form in the source the next time, see
     * {@link #ofPatches}.
     */
    public static Ledger ofIds(Position at) {
        return new Ledger(at, false, List.of(), Set.of());
    }

    /**
     * Creates a ledger for patches with an order of their own, such as those of a log or of a chain.
     *
     * @param at the position of the dataset when the pending patches were determined; null if it had none
     */
    public static Ledger ofPatches(Position at) {
        return new Ledger(at, true, List.of(), Set.of());
    }

    /**
     * Creates a ledger for patches whose order is the order of their files' names.
     *
     * @param at      the position, as in {@link #ofPatches}
     * @param patches all patches of the source, in that order
     * @param noted   the notes in the dataset
     */
    public static Ledger ofNames(Position at, List<SyncPatch> patches, List<String> noted) {
        return new Ledger(at, true, List.copyOf(patches), new HashSet<>(noted));
    }

    /**
     * A note of a file that a sync has passed, as JSON. {@code rows} counts the rows of all its patches, and {@code hash} is
     * the hash of its bytes if known.
     */
    record PassedFile(String file, long patches, long rows, String hash) {

        /** Parses a note; null if it is a note of another kind. */
        static PassedFile parse(String note) {
            try {
                JsonObject json = JsonText.object(note);
                String file = JsonText.string(json, "file");
                Long patches = JsonText.whole(json, "patches");
                Long rows = JsonText.whole(json, "rows");
                return file == null || patches == null || rows == null ? null
                        : new PassedFile(file, patches, rows, JsonText.string(json, "hash"));
            } catch (IOException e) {
                return null;
            }
        }

        /** Returns the file with one more patch. */
        PassedFile and(long rowsOfPatch, String hashOfFile) {
            return new PassedFile(file, patches + 1, rows + rowsOfPatch, hashOfFile);
        }

        /** Returns true if both are the same file, as far as is known. */
        boolean isStill(PassedFile other) {
            return file.equals(other.file) && patches == other.patches && rows == other.rows
                    && (hash == null || other.hash == null || hash.equals(other.hash));
        }
    }

    /** Returns the name of a patch's file, given the name of the patch. */
    static String file(String patch) {
        return patch.substring(0, Math.max(patch.lastIndexOf('#'), 0));
    }

    /** Sets a patch aside. The next transaction notes it. {@code id} is its id in the patch after it, or null. */
    public void setAside(SyncPatch patch, String id, FilePatches.Cursor cursor) throws IOException {
        waiting.add(SetAside.of(patch, id, cursor).note());
    }

    /** Returns the expected position of the dataset at the start of the next transaction; null for none. */
    Position at() {
        return at;
    }

    /** Returns the position of a dataset whose last patch is the given one, with this content. */
    Position position(SyncPatch last, SyncPatch.Content content) {
        return keepsContent ? Applied.of(last, content, !byNames.isEmpty()).position() : Position.of(last.position());
    }

    /** Returns the notes to store with that position. */
    List<String> notes(SyncPatch last) {
        List<String> notes = new ArrayList<>(waiting);
        Map<String, PassedFile> files = new LinkedHashMap<>();
        for (SyncPatch patch : byNames.subList(passed, start(last))) {
            String file = file(patch.name());
            files.put(file, files.getOrDefault(file, new PassedFile(file, 0, 0, null)).and(patch.rows(), patch.fileHash()));
        }
        files.values().stream().map(Applied.JSON::toJson).filter(note -> !noted.contains(note)).forEach(notes::add);
        return notes;
    }

    /** Records that the dataset has the position of this patch and its notes. */
    void committed(SyncPatch last, Position position) {
        at = position;
        waiting.clear();
        passed = start(last);
    }

    /** Returns the index of the first patch in the same file. */
    private int start(SyncPatch last) {
        int start = passed;
        while (start < byNames.size() && !file(byNames.get(start).name()).equals(file(last.name()))) {
            start++;
        }
        return start;
    }
}
