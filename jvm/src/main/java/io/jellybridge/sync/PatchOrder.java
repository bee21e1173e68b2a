package io.jellybridge.sync;

import java.util.ArrayList;
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
     * @throws SyncException the patches leave a gap, fork, or do not go on from there
     */
    List<SyncPatch> after(String position) {
        checkIds();
        return isChained() ? afterInChain(position) : afterInList(position);
    }

    private void checkIds() {
        Map<String, SyncPatch> seen = new HashMap<>();
        for (SyncPatch patch : listed) {
            SyncPatch other = patch.fault() == null ? seen.put(patch.position(), patch) : null;
            if (other != null) {
                throw new SyncException("two patches have the id " + patch.position() + ": " + other.name() + " and "
                        + patch.name() + "; take one of them away");
            }
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
        if (position != null && !byId.containsKey(position) && !byPrev.containsKey(position)) {
            if (byId.isEmpty()) {
                return listed;
            }
            throw notKnown(position);
        }
        Set<SyncPatch> applied = before(position, byId);
        List<SyncPatch> order = new ArrayList<>();
        follow(position, byPrev, order);
        if (order.isEmpty() && position == null) {
            throw gap(first(byId, byPrev));
        }
        return withFaults(order, applied, byId, byPrev);
    }

    private static String describe(SyncPatch patch) {
        return patch.id() + " (" + patch.name() + ")";
    }

    private static SyncException gap(SyncPatch patch) {
        return new SyncException("a gap: " + describe(patch) + " follows " + patch.prev()
                + ", which is neither in the source nor where the dataset is; get the missing patch");
    }

    /** The first patch listed whose predecessor is not there. */
    private SyncPatch first(Map<String, SyncPatch> byId, Map<String, SyncPatch> byPrev) {
        for (SyncPatch patch : listed) {
            if (patch.fault() == null && !byId.containsKey(patch.prev())) {
                return patch;
            }
        }
        throw new SyncException("the chain has no beginning: each patch follows another, in a circle; "
                + describe(byPrev.values().iterator().next()) + " is one of them");
    }

    private static Set<SyncPatch> before(String position, Map<String, SyncPatch> byId) {
        Set<SyncPatch> applied = new HashSet<>();
        SyncPatch patch = byId.get(position);
        while (patch != null && applied.add(patch)) {
            patch = patch.prev() == null ? null : byId.get(patch.prev());
        }
        return applied;
    }

    private static void follow(String position, Map<String, SyncPatch> byPrev, List<SyncPatch> order) {
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
            } else if (!known.contains(patch) && !beginsTheLog(patch, byId)) {
                if (!faultBefore) {
                    throw gap(patch);
                }
                if (bridgesFaults) {
                    List<SyncPatch> tail = new ArrayList<>();
                    follow(patch.prev(), byPrev, tail);
                    order.addAll(tail);
                    known.addAll(tail);
                }
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

    /** Whether the patches before this one are all there, from the first of the log: then they are of the past. */
    private static boolean beginsTheLog(SyncPatch patch, Map<String, SyncPatch> byId) {
        SyncPatch first = patch;
        while (first != null && first.prev() != null) {
            first = byId.get(first.prev());
        }
        return first != null;
    }
}
