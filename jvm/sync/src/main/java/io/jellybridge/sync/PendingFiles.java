package io.jellybridge.sync;

import io.jellybridge.jena.data.Position;
import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.sync.SyncState.Applied;
import io.jellybridge.sync.SyncState.SetAside;
import io.jellybridge.sync.PatchOrder.Trust;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The patches of loose files that a dataset has not applied. It checks that those which the dataset has applied are still
 * there, unchanged.
 */
final class PendingFiles {
    private static final String ANEW = "or have an empty dataset follow the source";

    private final List<SyncPatch> listed;
    private final String position;
    private final Applied applied;
    private final PatchOrder.History history;
    private final List<SyncState.PassedFile> passed = new ArrayList<>();
    private final List<SetAside> aside = new ArrayList<>();
    private final FilePatches.Cursor cursor;
    /** The place of the last applied patch if its file was deleted; otherwise -1. */
    private int gone = -1;

    /**
     * Creates the list.
     *
     * @param listed all patches, in the order of the names of their files
     * @param at     the position of the dataset; null if it has none
     * @param notes  the notes of the dataset
     */
    PendingFiles(List<SyncPatch> listed, Position at, List<String> notes, FilePatches.Cursor cursor) {
        this.listed = listed;
        this.position = Position.idOf(at);
        this.applied = Applied.at(at);
        this.history = Applied.historyAt(at);
        this.cursor = cursor;
        for (String note : notes) {
            SetAside patch = SetAside.parse(note);
            SyncState.PassedFile file = SyncState.PassedFile.parse(note);
            if (patch != null) {
                aside.add(patch);
            }
            if (file != null) {
                passed.add(file);
            }
        }
    }

    /** Describes patches for their order, each in its own file. */
    static List<PatchOrder.Patch> describeAll(List<SyncPatch> patches, boolean inFiles) {
        return patches.stream().map(patch -> new PatchOrder.Patch(patch.name(), patch.position(), patch.id(), patch.prev(),
                inFiles ? SyncState.fileName(patch.name()) : "", patch.fault() == null)).toList();
    }

    /** Checks that a dataset can store the position of each patch. */
    static void requirePositions(List<SyncPatch> patches) {
        for (SyncPatch patch : patches) {
            if (patch.fault() == null) {
                try {
                    StoredPosition.parse(patch.position());
                } catch (IllegalArgumentException e) {
                    throw new IllegalStateException("the id of " + patch.name() + " can't be a dataset's position: "
                            + e.getMessage(), e);
                }
            }
        }
    }

    /**
     * The pending patches.
     *
     * @param patches   the patches to apply, in order. A patch that grew after it was applied comes first
     * @param byNames   true if the names of the files are their order
     * @param histories the histories of the patches, see {@link PatchOrder#histories}
     */
    record Pending(List<SyncPatch> patches, boolean byNames, Map<String, PatchOrder.History> histories) {
    }

    /**
     * Finds the pending patches, see {@link PatchOrder#findPending}.
     *
     * @throws IllegalStateException a patch that was applied has changed, or a sync would skip a patch that was not applied
     */
    Pending find(boolean skipsFaults) throws IOException {
        Found found = findApplied();
        List<PatchOrder.Patch> every = withDeleted();
        requirePositions(listed);
        PatchOrder order = new PatchOrder(every);
        List<Integer> pending = new ArrayList<>(order.findPending(found.position, skipsFaults));
        Map<String, PatchOrder.History> histories = order.histories(found.position, history, pending);
        List<SyncPatch> patches = new ArrayList<>();
        if (found.isLonger) {
            pending.remove(Integer.valueOf(found.index));
            pending.add(0, found.index);
        }
        boolean byNames = order.keepsNames();
        requirePast(every, new HashSet<>(pending), found, byNames);
        for (int i : pending) {
            SyncPatch patch = listed.get(indexOf(i));
            patches.add(found.isLonger && i == found.index ? FilePatches.restOf(patch, applied.rows()) : patch);
        }
        return new Pending(patches, byNames, histories);
    }

    /** Returns the index among the listed patches, given that with a deleted one. */
    private int indexOf(int index) {
        return gone < 0 || index < gone ? index : index - 1;
    }

    /**
     * The last applied patch.
     *
     * @param position the position to continue from. It differs from the dataset's if the patch has another id now
     * @param index    its index; -1 if it is not there
     * @param isLonger true if it grew
     * @param isOther  true if another patch has its name now, and it is nowhere else
     */
    private record Found(String position, int index, boolean isLonger, boolean isOther) {
    }

    /** Finds the last applied patch by its id, else by its name. It reads only that patch. */
    private Found findApplied() throws IOException {
        Found deleted = new Found(position, -1, false, false);
        if (applied == null) {
            return deleted;
        }
        int index = 0;
        while (index < listed.size() && (listed.get(index).fault() != null || !listed.get(index).position().equals(position))) {
            index++;
        }
        boolean hasId = index < listed.size();
        if (!hasId) {
            index = listed.stream().map(SyncPatch::name).toList().indexOf(applied.name());
        }
        if (index < 0) {
            return deleted;
        }
        SyncPatch patch = listed.get(index);
        SyncPatch.Since since = patch.fault() != null ? SyncPatch.Since.BROKEN
                : cursor.readSince(patch, applied.rows(), applied.hash());
        if (since == SyncPatch.Since.LONGER) {
            return new Found(patch.position(), index, true, false);
        }
        if (since == SyncPatch.Since.BROKEN) {
            throw new IllegalStateException(patch.name() + ", the last patch that the dataset has applied, can't be read any more: "
                    + (patch.fault() == null ? "it is damaged" : patch.fault().getMessage())
                    + "; put back what was applied, or sync again when it is whole");
        }
        if (hasId && since == SyncPatch.Since.OTHER) {
            throw replacedFileError(patch);
        }
        return new Found(position, index, false, !hasId);
    }

    private IllegalStateException replacedFileError(SyncPatch patch) {
        return new IllegalStateException(patch.name() + ", the last patch that the dataset has applied, says something else now "
                + "than its " + applied.rows() + " rows did then: it was replaced or rewritten; put back what was applied, " + ANEW);
    }

    /**
     * Returns the patches, and puts the last applied one back in its place if it was deleted. You may delete loose files that
     * were applied. If the order is that of names, the deleted name still has a place in it, and the files after that place are
     * new.
     */
    private List<PatchOrder.Patch> withDeleted() {
        List<PatchOrder.Patch> patches = describeAll(listed, true);
        if (position == null || applied == null || patches.stream().noneMatch(PatchOrder.Patch::readable)
                || patches.stream().anyMatch(patch -> patch.readable()
                        && (position.equals(patch.position()) || position.equals(patch.prev())))) {
            return patches;
        }
        String file = SyncState.fileName(applied.name());
        Set<String> files = new HashSet<>(patches.stream().map(PatchOrder.Patch::file).toList());
        if (!files.add(file)) {
            return patches; // a file of that name exists, with other content
        }
        List<String> sorted = FileNames.sortAll(files);
        Set<String> before = new HashSet<>(sorted.subList(0, sorted.indexOf(file)));
        int place = (int) patches.stream().filter(patch -> before.contains(patch.file())).count();
        List<PatchOrder.Patch> withIt = new ArrayList<>(patches);
        withIt.add(place, new PatchOrder.Patch(applied.name(), position, position.startsWith("\"") ? null : position, null, file,
                true));
        PatchOrder order = new PatchOrder(withIt);
        boolean isNamed = Applied.NAMES.equals(applied.order()) || order.isOfSeveralRuns();
        if (!isNamed || order.isChained() || order.trust() != Trust.NAMES) {
            return patches;
        }
        gone = place;
        return withIt;
    }

    /** Rejects a source in which a sync would skip patches that the dataset has not applied unchanged. */
    private void requirePast(List<PatchOrder.Patch> every, Set<Integer> pending, Found found, boolean byNames)
            throws IOException {
        if (found.isOther && !pending.contains(found.index)) {
            throw replacedFileError(listed.get(found.index));
        }
        Set<String> ids = listed.stream().map(SyncPatch::id).filter(Objects::nonNull).collect(Collectors.toSet());
        for (int i = 0; i < every.size(); i++) {
            if (i != gone && !pending.contains(i) && every.get(i).readable()) {
                requireNotMended(listed.get(indexOf(i)), ids);
            }
        }
        if (applied != null && byNames) {
            if (Applied.NAMES.equals(applied.order())) {
                requirePassed(every, found.position);
            } else {
                requireChain(every);
            }
        }
    }

    private void requireNotMended(SyncPatch patch, Set<String> ids) throws IOException {
        boolean isNoted = false;
        for (SetAside note : aside) {
            if (ids.contains(note.id()) ? note.id().equals(patch.id()) : note.aside().equals(patch.name()) && keepsName(patch)) {
                SyncPatch.Since since = cursor.readSince(patch, note.rows() == null ? -1 : note.rows(), note.hash());
                if (since == SyncPatch.Since.SAME || since == SyncPatch.Since.BROKEN) {
                    return;
                }
                isNoted = true;
            }
        }
        if (isNoted) {
            throw new IllegalStateException(patch.name() + " was set aside, the dataset went on behind it, and now it can be read: "
                    + "its changes are not in the dataset; apply it by itself (Dataset.apply) where they still fit and take it out "
                    + "of the source, " + ANEW);
        }
    }

    /** Returns false if another patch may have had this one's name: the files of a log that is rotated are renamed. */
    private boolean keepsName(SyncPatch patch) {
        Map<String, SyncPatch> byId = new HashMap<>();
        listed.stream().filter(each -> each.id() != null).forEach(each -> byId.put(each.id(), each));
        Set<String> applied = new HashSet<>();
        for (SyncPatch each = byId.get(position); each != null && applied.add(each.id()); each = byId.get(each.prev())) {
            // each was applied as it is
        }
        Set<String> files = listed.stream().map(each -> SyncState.fileName(each.name())).collect(Collectors.toSet());
        // What was set aside may be one that still can't be read, under a new name.
        boolean isElsewhere = FileNames.findRotated(files).containsKey(SyncState.fileName(patch.name()))
                && listed.stream().anyMatch(each -> each.fault() != null);
        return (patch.id() == null || !applied.contains(patch.id())) && !isElsewhere;
    }

    private void requirePassed(List<PatchOrder.Patch> every, String at) {
        PatchOrder.Patch last = every.stream().filter(patch -> patch.position().equals(at)).findFirst().orElse(null);
        if (last == null) {
            return;
        }
        Map<String, SyncState.PassedFile> known = new HashMap<>();
        passed.forEach(file -> known.put(file.file(), file));
        for (SyncState.PassedFile file : listFiles(every)) {
            if (file.file().equals(last.file())) {
                return;
            }
            SyncState.PassedFile before = known.get(file.file());
            if (before == null) {
                throw new IllegalStateException(file.file() + " sorts before " + last.name() + ", where the dataset is, and was "
                        + "never applied; give it a name that sorts behind, or apply it by itself (Dataset.apply) and take it out "
                        + "of the source");
            }
            if (passed.stream().noneMatch(file::isStill)
                    && aside.stream().noneMatch(patch -> SyncState.fileName(patch.aside()).equals(file.file()))) {
                boolean hasOtherRows = file.patches() != before.patches() || file.rows() != before.rows();
                throw new IllegalStateException(file.file() + (hasOtherRows
                        ? " has " + file.patches() + " patches of " + file.rows() + " rows, and had " + before.patches() + " of "
                                + before.rows()
                        : " has as many rows, but is not the same file as") + " when the dataset went on behind it, to "
                        + last.name() + ": it grew or was replaced; put back what was applied, and what is new into a file that "
                        + "sorts behind, " + ANEW);
            }
        }
    }

    private Collection<SyncState.PassedFile> listFiles(List<PatchOrder.Patch> every) {
        Map<String, SyncState.PassedFile> files = new LinkedHashMap<>();
        for (int i = 0; i < every.size(); i++) {
            String name = every.get(i).file();
            SyncPatch patch = i == gone ? null : listed.get(indexOf(i));
            files.put(name, files.getOrDefault(name, new SyncState.PassedFile(name, 0, 0, null))
                    .and(patch == null ? applied.rows() : patch.rows(), patch == null ? null : patch.fileHash()));
        }
        return files.values();
    }

    private void requireChain(List<PatchOrder.Patch> every) {
        List<PatchOrder.Patch> readable = every.stream().filter(PatchOrder.Patch::readable).toList();
        for (PatchOrder.Patch patch : readable) {
            if (patch.id() == null && readable.size() > 1) {
                throw new IllegalStateException(patch.name() + " has no id, and the dataset came to " + position + " by a chain of "
                        + "ids, in which that patch has no place; give it headers id and prev, or apply it by itself "
                        + "(Dataset.apply) and take it out of the source");
            }
        }
    }
}
