package io.jellybridge.sync;

import io.jellybridge.jena.data.StoredPosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * In which order the patches of a source follow each other, and which of them a dataset has still to apply. Where all
 * patches have an id and some name the one before them, that chain is the order; else it is the order in which the source
 * lists them.
 */
final class PatchOrder {
    private final List<SyncPatch> listed;
    private final boolean bridgesFaults;

    /**
     * @param listed        the source's patches, in the order of their names
     * @param bridgesFaults whether a patch may follow one that is missing when, in the order of the names, one that can't
     *                      be read stands before it
     */
    PatchOrder(List<SyncPatch> listed, boolean bridgesFaults) {
        this.listed = listed;
        this.bridgesFaults = bridgesFaults;
    }

    /**
     * The patches to apply, in order; those that can't be read among them.
     *
     * @param position where the dataset is; null: it has applied none
     * @throws SyncException the patches leave a gap, fork, go in a circle or do not go on from there; or no dataset can keep
     *                       the id of one of them
     */
    List<SyncPatch> after(String position) {
        checkIds();
        return isChained() ? afterInChain(position) : afterInList(position);
    }

    private void checkIds() {
        Map<String, SyncPatch> seen = new HashMap<>();
        for (SyncPatch patch : listed) {
            if (patch.fault() != null) {
                continue;
            }
            checkPosition(patch);
            SyncPatch other = seen.put(patch.position(), patch);
            if (other != null) {
                throw new SyncException("two patches have the id " + patch.position() + ": " + other.name() + " and "
                        + patch.name() + "; take one of them away");
            }
        }
    }

    private static void checkPosition(SyncPatch patch) {
        try {
            StoredPosition.parse(patch.position());
        } catch (IllegalArgumentException e) {
            throw new SyncException("the id of " + patch.name() + " can't be a dataset's position: " + e.getMessage());
        }
    }

    private boolean isChained() {
        boolean chained = false;
        for (SyncPatch patch : listed) {
            if (patch.fault() == null) {
                if (patch.id() == null) {
                    return false;
                }
                chained |= patch.prev() != null;
            }
        }
        return chained;
    }

    private List<SyncPatch> afterInList(String position) {
        if (position == null) {
            return listed;
        }
        for (int i = 0; i < listed.size(); i++) {
            if (listed.get(i).position().equals(position)) {
                return listed.subList(i + 1, listed.size());
            }
        }
        if (listed.isEmpty()) {
            return listed;
        }
        throw notKnown(position);
    }

    private static SyncException notKnown(String position) {
        return new SyncException("the dataset is at " + position + ", which is no patch of the source, and no patch of the "
                + "source follows it; check that this is the source that the dataset follows, and that nothing is missing");
    }

    private List<SyncPatch> afterInChain(String position) {
        Map<String, SyncPatch> byPrev = new HashMap<>();
        Map<String, SyncPatch> byId = new HashMap<>();
        for (SyncPatch patch : listed) {
            if (patch.fault() != null) {
                continue;
            }
            byId.put(patch.id(), patch);
            SyncPatch other = byPrev.put(patch.prev(), patch);
            if (other != null) {
                throw new SyncException(patch.prev() == null
                        ? "two patches are the first of their chain: " + describe(other) + " and " + describe(patch)
                        : "the chain forks after " + patch.prev() + ": " + describe(other) + " and " + describe(patch)
                                + " both follow it");
            }
        }
        checkCircles(byId, byPrev);
        if (position != null && !byId.containsKey(position) && !byPrev.containsKey(position)) {
            if (byId.isEmpty()) {
                return listed;
            }
            throw notKnown(position);
        }
        Set<SyncPatch> applied = before(position, byId);
        List<SyncPatch> order = new ArrayList<>();
        follow(position, byPrev, order);
        return withFaults(order, applied, byId, byPrev);
    }

    private static String describe(SyncPatch patch) {
        return patch.id() + " (" + patch.name() + ")";
    }

    private static SyncException gap(SyncPatch patch) {
        return new SyncException("a gap: " + describe(patch) + " follows " + patch.prev()
                + ", which is neither in the source nor where the dataset is; get the missing patch");
    }

    /** Each part of the chain begins somewhere; who is in none of the parts is in a circle. */
    private static void checkCircles(Map<String, SyncPatch> byId, Map<String, SyncPatch> byPrev) {
        Set<SyncPatch> inParts = new HashSet<>();
        for (SyncPatch patch : byId.values()) {
            if (!byId.containsKey(patch.prev())) {
                follow(patch.prev(), byPrev, inParts);
            }
        }
        for (SyncPatch patch : byId.values()) {
            if (!inParts.contains(patch)) {
                throw new SyncException("the chain has no beginning: each patch follows another, in a circle; "
                        + describe(patch) + " is one of them");
            }
        }
    }

    /** The patch with which the part of the chain begins that this one is in. */
    private static SyncPatch beginning(SyncPatch patch, Map<String, SyncPatch> byId) {
        SyncPatch first = patch;
        while (byId.containsKey(first.prev())) {
            first = byId.get(first.prev());
        }
        return first;
    }

    private static Set<SyncPatch> before(String position, Map<String, SyncPatch> byId) {
        Set<SyncPatch> applied = new HashSet<>();
        SyncPatch patch = byId.get(position);
        while (patch != null && applied.add(patch)) {
            patch = patch.prev() == null ? null : byId.get(patch.prev());
        }
        return applied;
    }

    private static void follow(String position, Map<String, SyncPatch> byPrev, Collection<SyncPatch> order) {
        SyncPatch next = byPrev.get(position);
        while (next != null) {
            order.add(next);
            next = byPrev.get(next.id());
        }
    }

    /** Adds the patches that can't be read and, where such a one may be what is missing, what follows it. */
    private List<SyncPatch> withFaults(List<SyncPatch> chain, Set<SyncPatch> applied, Map<String, SyncPatch> byId,
            Map<String, SyncPatch> byPrev) {
        Set<SyncPatch> known = new HashSet<>(applied);
        known.addAll(chain);
        List<SyncPatch> order = new ArrayList<>(chain);
        boolean faultBefore = false;
        for (SyncPatch patch : listed.subList(afterLast(applied), listed.size())) {
            if (patch.fault() != null) {
                faultBefore = true;
                order.add(patch);
            } else if (!known.contains(patch) && (bridgesFaults || !faultBefore)) {
                SyncPatch first = beginning(patch, byId);
                List<SyncPatch> part = new ArrayList<>();
                follow(first.prev(), byPrev, part);
                known.addAll(part);
                if (first.prev() == null) {
                    continue; // all patches before it are there, from the first of the log: they are of the past
                }
                if (!faultBefore) {
                    throw gap(first);
                }
                order.addAll(part);
            }
        }
        return order;
    }

    private int afterLast(Set<SyncPatch> applied) {
        int end = listed.size();
        while (end > 0 && !applied.contains(listed.get(end - 1))) {
            end--;
        }
        return end;
    }
}
