package io.jellybridge.sync;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.ContentHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The data that a sync stores in a dataset beside the id of the last patch, in the same transaction. It lets the next sync
 * detect changes of the source. It consists of {@link Applied the content of that patch} and of each patch that was
 * {@link SetAside set aside}. If the names of files are the order, it also has the files before.
 */
public final class SyncState {
    /** Writes texts for datasets, without members that are null. */
    private static final Gson JSON = new GsonBuilder().disableHtmlEscaping().create();

    private Position at;
    private final boolean keepsContent;
    /** All patches of the source if file names are the order; otherwise empty. */
    private final List<SyncPatch> byNames;
    private final Set<String> noted;
    /** The id of the log of the patches; null if they are of none. */
    private String log;
    /** The histories of the patches by their positions, if a chain of ids is the order. */
    private Map<String, PatchOrder.History> histories = Map.of();
    /** The notes for the next transaction. */
    private final List<String> waiting = new ArrayList<>();
    /** The index in {@link #byNames} before which all files have a note. */
    private int passed;

    private SyncState(Position at, boolean keepsContent, List<SyncPatch> byNames, Set<String> noted) {
        this.at = at;
        this.keepsContent = keepsContent;
        this.byNames = byNames;
        this.noted = noted;
    }

    /**
     * Creates a state that keeps only ids, for patches that have another form in the source the next time, see
     * {@link #ofPatches}.
     */
    public static SyncState ofIds(Position at) {
        return new SyncState(at, false, List.of(), Set.of());
    }

    /**
     * Creates a state for patches with an order of their own, such as those of a chain.
     *
     * @param at the position of the dataset when the pending patches were determined; null if it had none
     */
    public static SyncState ofPatches(Position at) {
        return new SyncState(at, true, List.of(), Set.of());
    }

    /** Creates a state for patches of the log with an id, see {@link #ofPatches}. */
    static SyncState ofLog(Position at, String log) {
        SyncState state = ofPatches(at);
        state.log = log;
        return state;
    }

    /**
     * Creates a state for patches whose order is the order of their files' names.
     *
     * @param at      the position, as in {@link #ofPatches}
     * @param patches all patches of the source, in that order
     * @param noted   the notes in the dataset
     */
    public static SyncState ofNames(Position at, List<SyncPatch> patches, List<String> noted) {
        return new SyncState(at, true, List.copyOf(patches), new HashSet<>(noted));
    }

    /** Has the dataset keep the histories of patches, see {@link PatchOrder#histories}. */
    SyncState with(Map<String, PatchOrder.History> historiesOfPatches) {
        histories = historiesOfPatches;
        return this;
    }

    /** Reads a text of a dataset; null if it is null, of another program or of another kind. */
    private static <N> N parseNote(String text, Class<N> kind) {
        try {
            return JSON.fromJson(text, kind);
        } catch (JsonParseException e) {
            return null;
        }
    }

    /**
     * A note of a file that a sync has passed, as JSON. {@code rows} counts the rows of all its patches, and {@code hash} is
     * the hash of its bytes if known.
     */
    record PassedFile(String file, long patches, long rows, String hash) {

        /** Parses a note; null if it is a note of another kind. */
        static PassedFile parse(String note) {
            PassedFile file = SyncState.parseNote(note, PassedFile.class);
            return file == null || file.file == null || file.patches == 0 ? null : file;
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
    static String fileName(String patch) {
        return patch.substring(0, Math.max(patch.lastIndexOf('#'), 0));
    }

    /** Sets a patch aside. The next transaction notes it. {@code id} is its id in the patch after it, or null. */
    public void setAside(SyncPatch patch, String id, FilePatches.Cursor cursor) throws IOException {
        waiting.add(SetAside.of(patch, id, log, cursor).note());
    }

    /** Returns the expected position of the dataset at the start of the next transaction; null for none. */
    Position at() {
        return at;
    }

    /** Returns the position of a dataset whose last patch is the given one, with this content. */
    Position positionAfter(SyncPatch last, SyncPatch.Content content) {
        PatchOrder.History history = histories.get(last.position());
        return keepsContent ? Applied.of(last, content, !byNames.isEmpty(), history).position()
                : history == null ? Position.of(last.position()) : Applied.of(last, history).position();
    }

    /** Returns the notes to store with that position. */
    List<String> notesFor(SyncPatch last) {
        List<String> notes = new ArrayList<>(waiting);
        Map<String, PassedFile> files = new LinkedHashMap<>();
        for (SyncPatch patch : byNames.subList(passed, firstOfFile(last))) {
            String file = fileName(patch.name());
            files.put(file, files.getOrDefault(file, new PassedFile(file, 0, 0, null)).and(patch.rows(), patch.fileHash()));
        }
        files.values().stream().map(JSON::toJson).filter(note -> !noted.contains(note)).forEach(notes::add);
        return notes;
    }

    /** Records that the dataset has the position of this patch and its notes. */
    void onCommitted(SyncPatch last, Position position) {
        at = position;
        waiting.clear();
        passed = firstOfFile(last);
    }

    /** Returns the index of the first patch in the same file. */
    private int firstOfFile(SyncPatch last) {
        int start = passed;
        while (start < byNames.size() && !fileName(byNames.get(start).name()).equals(fileName(last.name()))) {
            start++;
        }
        return start;
    }

    /**
     * A note about a patch that was set aside while the dataset went on. It lets a later sync see that the patch was repaired.
     * The text of a note is JSON.
     *
     * @param aside   the name of the patch in messages
     * @param id      the id of the patch, from itself or from the patch after it; null if not known
     * @param log     the id of its log; null if it is of none, or not known
     * @param version the version of a patch of a log; null for others
     * @param rows    the number of rows; null if the patch can't be read
     * @param hash    the hash of the rows; null if the patch can't be read
     */
    record SetAside(String aside, String id, String log, Long version, Long rows, String hash) {

        /** Reads a patch and creates its note. */
        static SetAside of(SyncPatch patch, String id, String log, FilePatches.Cursor cursor) throws IOException {
            String known = patch.id() == null ? id : patch.id();
            if (patch.fault() == null) {
                try {
                    SyncPatch.Content content = cursor.readContent(patch);
                    return new SetAside(patch.name(), known, log, patch.version(), content.rows(), content.hash());
                } catch (FormatException e) {
                    // like a patch whose fault was known before
                }
            }
            return new SetAside(patch.name(), known, log, patch.version(), null, null);
        }

        /** Parses a note; null if it is a note of another kind. */
        static SetAside parse(String note) {
            SetAside patch = SyncState.parseNote(note, SetAside.class);
            return patch == null || patch.aside == null ? null : patch;
        }

        /** Returns true if nothing says that it is another patch than the one of this log with this id. */
        boolean mayBe(String idOfLog, String idOfPatch) {
            return (log == null || log.equals(idOfLog)) && (id == null || id.equalsIgnoreCase(idOfPatch));
        }

        /** Returns the note as text. */
        String note() {
            return JSON.toJson(this);
        }
    }

    /**
     * The content of the patch at a dataset's position when it was applied. It lets the next sync detect if the patch has
     * changed. It is stored as JSON text beside the position.
     *
     * @param patch   the position that this belongs to. If it is not the stored position, a program that writes no such text
     *                has moved the dataset, and this does not count
     * @param name    the name of the patch in messages
     * @param version the version of a patch of a log; null for others
     * @param rows    the number of its rows, including headers
     * @param hash    the hash of the rows, see {@link ContentHash}
     * @param order   {@link #NAMES} if the names of files are the order and each file before has a note; otherwise null
     * @param chain   the hash of a patch of a log, {@link io.jellybridge.log.Chain#own}; null for others
     * @param ids     the history of a patch in a chain of ids; null for others
     */
    record Applied(String patch, String name, Long version, long rows, String hash, String order, String chain,
            PatchOrder.History ids) {
        /** Creates the note of a patch of a log. */
        Applied(String patch, String name, Long version, long rows, String hash, String order, String chain) {
            this(patch, name, version, rows, hash, order, chain, null);
        }

        /** The order of files by their names. */
        static final String NAMES = "names";

        /** Returns the note of a patch with this content. */
        static Applied of(SyncPatch patch, SyncPatch.Content content, boolean byNames, PatchOrder.History history) {
            return new Applied(patch.position(), patch.name(), patch.version(), content.rows(), content.hash(),
                    byNames ? NAMES : null, patch.chain() == null ? null : patch.chain().own(), history);
        }

        /** Returns the note of a patch whose content has another form the next time. */
        static Applied of(SyncPatch patch, PatchOrder.History history) {
            return new Applied(patch.position(), patch.name(), null, 0, null, null, null, history);
        }

        /** Returns the stored content of the patch at a position; null if there is none. */
        static Applied at(Position position) {
            Applied applied = parse(position);
            return applied != null && applied.hash != null ? applied : null;
        }

        /** Returns the stored history of the patch at a position; null if there is none. */
        static PatchOrder.History historyAt(Position position) {
            Applied applied = parse(position);
            return applied == null ? null : applied.ids;
        }

        private static Applied parse(Position position) {
            Applied applied = position == null ? null : SyncState.parseNote(position.applied(), Applied.class);
            return applied != null && Objects.equals(applied.patch, position.id()) ? applied : null;
        }

        /** Returns the position with this text beside it. */
        Position position() {
            return new Position(patch, JSON.toJson(this));
        }
    }
}
