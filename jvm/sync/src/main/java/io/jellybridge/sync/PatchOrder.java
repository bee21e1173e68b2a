package io.jellybridge.sync;

import io.jellybridge.log.ContentHash;
import io.jellybridge.log.PatchHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The order of patches: their chain of headers {@code id} and {@code prev}, or else the order of their files by {@link
 * FileNames}. It finds the patches that a dataset has not applied.
 *
 * @param patches the patches, in the order of {@link FileNames#sortAll}
 */
public record PatchOrder(List<Patch> patches) {
    /** A file of a Spark job: its number in the job, and the id of the job. */
    private static final Pattern OF_SPARK = Pattern.compile("part-[0-9]{5,}-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

    /**
     * A patch of a source, described by its headers.
     *
     * @param name     the name in messages
     * @param position the position of a dataset that has applied it: its id, or else its name as a literal
     * @param id       the header {@code id} in canonical N-Triples; null if it is missing or the patch can't be read
     * @param prev     the header {@code prev}, likewise
     * @param file     its file, to distinguish it from other files; empty if all patches are in one file
     * @param readable false if it can't be read
     */
    public record Patch(String name, String position, String id, String prev, String file, boolean readable) {

        @Override
        public String toString() {
            return id + " (" + name + ")";
        }
    }

    /** The reason to trust the order of patches. */
    enum Trust {
        /** Each patch names the one before it. */
        CHAIN,
        ONE_FILE,
        /** The names of the files are numbered. */
        NAMES,
        /** The files are those of a log that is rotated, {@code log} before {@code log.001} before {@code log.002}. */
        ROTATED
    }

    private List<Patch> readable() {
        return patches.stream().filter(Patch::readable).toList();
    }

    // --- trust

    /**
     * Returns the reason why the patches have an order: their chain of ids, or the order in which they are listed.
     *
     * <p>Names define an order if numbers, times or single letters distinguish each file from the next. Words and random names
     * say nothing about the time of writing. Log rotation renames files, so patches in rotated files need ids.
     *
     * @throws IllegalStateException two files have no order, or rotated files have a gap, or patches without ids
     */
    Trust trust() {
        if (isChained()) {
            return Trust.CHAIN;
        }
        List<String> files = List.copyOf(new LinkedHashSet<>(patches.stream().map(Patch::file).toList()));
        if (files.size() > 1 && FileNames.findRotated(files).size() == files.size()) {
            requireRotated(files);
            return Trust.ROTATED;
        }
        for (int i = 1; i < files.size(); i++) {
            if (!FileNames.tellOrder(files.get(i - 1), files.get(i))) {
                throw noOrderError(files.get(i - 1), files.get(i), "no number or time in their names tells it");
            }
        }
        requireOneJob(files);
        return files.size() < 2 ? Trust.ONE_FILE : Trust.NAMES;
    }

    private static void requireOneJob(List<String> files) {
        Map<String, String> jobs = new HashMap<>();
        Map<String, String> firsts = new HashMap<>();
        for (String file : files) {
            int slash = file.lastIndexOf('/');
            Matcher job = OF_SPARK.matcher(file.substring(slash + 1));
            if (job.lookingAt()) {
                String folder = file.substring(0, Math.max(slash, 0));
                String other = firsts.putIfAbsent(folder, file);
                if (!job.group(1).equals(jobs.computeIfAbsent(folder, none -> job.group(1)))) {
                    throw noOrderError(other, file, "two jobs of Spark wrote them, and each numbers its files from 0");
                }
            }
        }
    }

    private static IllegalStateException noOrderError(String file, String other, String why) {
        return new IllegalStateException("it is not known whether " + file + " or " + other + " comes first: " + why
                + ", and the patches have no chain of headers id and prev; number the files by their names, or write such a "
                + "chain, or append the patches to a log (format rdf-patch-log)");
    }

    private void requireRotated(List<String> files) {
        Map<String, FileNames.Rotated> places = FileNames.findRotated(files);
        for (int i = 1; i < files.size(); i++) {
            FileNames.Rotated older = places.get(files.get(i - 1));
            FileNames.Rotated newer = places.get(files.get(i));
            if (!older.log().equals(newer.log())) {
                throw noOrderError(files.get(i - 1), files.get(i), "they are of two logs");
            }
            if (older.number() != newer.number() + 1) {
                throw new IllegalStateException("a gap: no file of the log " + older.log() + " is between " + files.get(i - 1)
                        + " and " + files.get(i) + "; get the missing file");
            }
        }
        for (Patch patch : readable()) {
            if (patch.id == null) {
                throw new IllegalStateException(patch.name + " has no id, and the files of the log "
                        + places.get(files.get(0)).log() + " are renamed when it goes on, so that it is not known by its name; "
                        + "give each patch a header id, or number the files by names that stay");
            }
        }
    }

    /** Returns true if the chain of ids defines the order, and not the names. */
    boolean isChained() {
        List<Patch> readable = readable();
        return readable.stream().allMatch(patch -> patch.id != null) && readable.stream().anyMatch(patch -> patch.prev != null)
                && !isOfSeveralRuns();
    }

    /**
     * The patches up to one, as far as a chain of ids is known. It stays the same if files are renamed or applied ones deleted.
     *
     * @param after the id before the first of them; null if the chain begins with it
     * @param hash  SHA-256 of the ids, each with the hash before it
     */
    record History(String after, String hash) {

        /** Returns the history of patches with these ids. */
        static History of(String after, List<String> ids) {
            History found = new History(after == null ? null : PatchHeader.normalizeTerm(after), "");
            for (String id : ids) {
                found = found.and(id);
            }
            return found;
        }

        private History and(String id) {
            byte[] both = (hash + "\n" + PatchHeader.normalizeTerm(id)).getBytes(StandardCharsets.UTF_8);
            return new History(after, HexFormat.of().formatHex(ContentHash.newSha256().digest(both)));
        }

        /** Returns true if the history begins behind that id. */
        boolean beginsAfter(String id) {
            return Objects.equals(after, id == null ? null : PatchHeader.normalizeTerm(id));
        }

        /**
         * Checks that a patch has this history still. A source that does not go back so far is not compared.
         *
         * @param patch  the name of the patch in messages
         * @param before the id before the first patch of the source that leads to it
         * @param ids    the ids from there on
         */
        void requireStill(String patch, String before, List<String> ids) {
            if (!ids.isEmpty() && (before == null || beginsAfter(before)) && !of(before, ids).equals(this)) {
                throw new IllegalStateException(patch + ", which the dataset has applied, follows other patches now than then: patches "
                        + "before it were put in, taken out or exchanged; put back what was applied, or have an empty dataset follow "
                        + "the source");
            }
        }
    }

    /**
     * Returns the histories of the pending patches and of the patch at the position, which may have grown, by their positions.
     * Returns none if the patches have no chain of ids.
     *
     * @param position the position of the dataset; null if it has applied no patch
     * @param known    the history of that patch when it was applied; null if unknown
     * @param pending  the result of {@link #findPending}
     * @throws IllegalStateException the patch at the position follows other patches now
     */
    Map<String, History> histories(String position, History known, List<Integer> pending) {
        if (!isChained()) {
            return Map.of();
        }
        History last = position == null ? null : new ChainOfIds().historyOf(position, known);
        String before = position;
        Map<String, History> found = new HashMap<>();
        if (last != null) {
            found.put(position, last);
        }
        for (int i : pending) {
            Patch patch = patches.get(i);
            if (patch.readable) {
                last = (last == null || !Objects.equals(patch.prev, before) ? History.of(patch.prev, List.of()) : last).and(patch.id);
                before = patch.id;
                found.put(patch.position, last);
            }
        }
        return found;
    }

    /** Returns true if stable names define the order, so that a dataset can record the files that it has passed. */
    boolean keepsNames() {
        Trust trust = trust();
        return trust == Trust.NAMES || trust == Trust.ONE_FILE;
    }

    /**
     * Returns true if the patches are the file log of a Jena that was restarted. Each run starts a new chain. The names of the
     * files, or the order in the one file, give the order of the chains. The first patches may have been deleted.
     */
    boolean isOfSeveralRuns() {
        List<Patch> readable = readable();
        if (readable.stream().skip(1).allMatch(patch -> patch.prev != null)
                || readable.stream().anyMatch(patch -> patch.id != null && patch.id.equals(readable.get(0).prev))) {
            return false;
        }
        Set<String> logs = new HashSet<>();
        patches.forEach(patch -> logs.add(FileNames.log(patch.file)));
        return logs.size() == 1 && !logs.contains("") && IntStream.range(1, patches.size()).allMatch(i -> {
            Patch patch = patches.get(i);
            Patch before = patches.get(i - 1);
            return !patch.readable || patch.prev == null || !before.readable || patch.prev.equals(before.id);
        });
    }

    // --- order

    /**
     * Returns the patches that a dataset has not applied yet, in order. If all readable patches have an id and some have
     * {@code prev}, their chain is the order. Otherwise it is the order in which they are listed, see {@link #trust}.
     *
     * @param position    the position of the dataset; null if it has applied no patch
     * @param skipsFaults true to allow a patch to follow a missing one, if an unreadable patch is before it by name
     * @return indices, including those of unreadable patches
     * @throws IllegalStateException the patches have no order, have a gap, fork, are circular or do not continue from the
     *                               position; or two have the same id
     */
    List<Integer> findPending(String position, boolean skipsFaults) {
        refuseTwins();
        return trust() == Trust.CHAIN ? new ChainOfIds().findPending(position, skipsFaults) : patchesBehind(position);
    }

    /**
     * Returns the order of patches that are all readable and all new, see {@link #findPending}.
     *
     * @throws IllegalStateException the patches have no order, or have {@code prev} headers but not one chain, or two have the
     *                               same id
     */
    public List<Integer> all() {
        refuseTwins();
        if (trust() != Trust.CHAIN) {
            return IntStream.range(0, patches.size()).boxed().toList();
        }
        ChainOfIds chain = new ChainOfIds();
        List<Integer> beginnings = chain.beginnings();
        Patch first = patches.get(beginnings.get(0));
        if (beginnings.size() > 1) {
            Patch other = patches.get(beginnings.get(1));
            throw new IllegalStateException("a gap: " + other + " follows " + other.prev + ", and the chain begins with " + first
                    + ", which follows " + orNothing(first.prev) + "; get the missing patch");
        }
        return chain.after(first.prev);
    }

    private static String orNothing(String prev) {
        return prev == null ? "nothing" : prev;
    }

    private void refuseTwins() {
        Map<String, Patch> byPosition = new HashMap<>();
        for (Patch patch : readable()) {
            Patch other = byPosition.putIfAbsent(patch.position, patch);
            if (other != null) {
                throw new IllegalStateException("two patches have the id " + patch.position + ": " + other.name + " and "
                        + patch.name + "; take one of them away");
            }
        }
    }

    private List<Integer> patchesBehind(String position) {
        int first = 0;
        boolean isOfRuns = isOfSeveralRuns();
        if (position == null && isOfRuns && patches.get(0).readable && patches.get(0).prev != null) {
            throw gapError(patches.get(0));
        }
        if (position != null && !readable().isEmpty()) {
            first = patches.stream().map(Patch::position).toList().indexOf(position) + 1;
            if (first == 0) {
                Patch next = readable().get(0); // the applied files before it were deleted
                if (!isOfRuns || !position.equals(next.prev)) {
                    throw unknownPositionError(position);
                }
                first = patches.indexOf(next);
            }
        }
        return IntStream.range(first, patches.size()).boxed().toList();
    }

    private static IllegalStateException gapError(Patch patch) {
        return new IllegalStateException("a gap: " + patch + " follows " + patch.prev + ", which is neither in the source nor where the "
                + "dataset is; get the missing patch");
    }

    private static IllegalStateException unknownPositionError(String position) {
        return new IllegalStateException("the dataset is at " + position + ", which is no patch of the source, and no patch of "
                + "the source follows it; check that this is the source that the dataset follows, and that nothing is missing; "
                + "where it was made anew, have an empty dataset follow it");
    }

    /**
     * Checks the patches of a log: each follows the one before it, and the first one the position.
     *
     * @throws IllegalStateException one does not
     */
    void requireBehind(String position) {
        String last = position;
        boolean isKnown = true;
        for (Patch patch : patches) {
            if (patch.readable && isKnown && !Objects.equals(patch.prev, last)) {
                throw new IllegalStateException("a gap: " + patch + " follows " + orNothing(patch.prev) + ", and the patch before "
                        + "it is " + (last == null ? "none" : last) + "; check the log");
            }
            last = patch.id;
            isKnown = patch.readable;
        }
    }

    /** The readable patches, chained by their headers. */
    private final class ChainOfIds {
        private final Map<String, Integer> byId = new LinkedHashMap<>();
        private final Map<String, Integer> byPrev = new HashMap<>();

        /**
         * Creates the chain.
         *
         * @throws IllegalStateException two patches follow the same one, or some form a circle
         */
        ChainOfIds() {
            for (int i = 0; i < patches.size(); i++) {
                Patch patch = patches.get(i);
                if (!patch.readable) {
                    continue;
                }
                byId.put(patch.id, i);
                Integer other = byPrev.putIfAbsent(patch.prev, i);
                if (other != null) {
                    String both = patches.get(other) + " and " + patch;
                    throw new IllegalStateException(patch.prev == null ? "two patches are the first of their chain: " + both
                            : "the chain forks after " + patch.prev + ": " + both + " both follow it");
                }
            }
            requireNoCircle();
        }

        /** Returns the patches that follow no other patch of the source. Each part of the chain begins with one. */
        List<Integer> beginnings() {
            return byId.values().stream().filter(i -> !byId.containsKey(patches.get(i).prev)).toList();
        }

        /** Returns the patches after a position, in the order of the chain. */
        List<Integer> after(String position) {
            List<Integer> order = new ArrayList<>();
            for (Integer i = byPrev.get(position); i != null; i = byPrev.get(patches.get(i).id)) {
                order.add(i);
            }
            return order;
        }

        /** Throws an error for patches that no beginning leads to. They form a circle. */
        private void requireNoCircle() {
            Set<Integer> inParts = new HashSet<>();
            beginnings().forEach(first -> inParts.addAll(after(patches.get(first).prev)));
            for (Integer i : byId.values()) {
                if (!inParts.contains(i)) {
                    throw new IllegalStateException("the chain has no beginning: each patch follows another, in a circle; "
                            + patches.get(i) + " is one of them");
                }
            }
        }

        List<Integer> findPending(String position, boolean skipsFaults) {
            if (position != null && !byId.containsKey(position) && !byPrev.containsKey(position)) {
                throw unknownPositionError(position);
            }
            Set<Integer> applied = upTo(position);
            List<Integer> order = after(position);
            Set<Integer> known = new HashSet<>(applied);
            known.addAll(order);
            boolean faultBefore = false;
            int place = !applied.isEmpty() ? Collections.max(applied) + 1 : position == null ? 0 : byPrev.get(position);
            // Unreadable patches are set aside at the place of their name. Patches after a missing one may follow such a place.
            for (int i = place; i < patches.size(); i++) {
                if (!patches.get(i).readable) {
                    faultBefore = true;
                    int later = 0;
                    while (later < order.size() && order.get(later) < i) {
                        later++;
                    }
                    order.add(later, i);
                } else if (!known.contains(i) && (skipsFaults || !faultBefore)) {
                    int beginning = findBeginning(i);
                    Patch first = patches.get(beginning);
                    List<Integer> part = after(first.prev);
                    known.addAll(part);
                    if (first.prev == null) {
                        if (beginning >= place) {
                            requireBefore(first, patches.get(Math.max(place - 1, 0)));
                        }
                        continue; // complete from the first patch of the log: already applied
                    }
                    if (!faultBefore) {
                        throw gapError(first);
                    }
                    order.addAll(part);
                }
            }
            return order;
        }

        /** Checks that a beginning of a chain is not listed behind the patch at the position by a name that tells its time. */
        private void requireBefore(Patch first, Patch applied) {
            if (first.file.equals(applied.file) || FileNames.tellOrder(applied.file, first.file)) {
                throw new IllegalStateException(first + " begins another chain behind " + applied + ", where the dataset is, so it is "
                        + "not known to be applied; give it a header prev, or apply it by itself (Dataset.apply) and take it out of the "
                        + "source");
            }
        }

        /** Returns the history of the patch at a position, and compares it with the known one as far as the source goes back. */
        History historyOf(String position, History known) {
            List<String> ids = new ArrayList<>();
            String before = position;
            for (Integer i = byId.get(position); i != null;
                    i = known != null && known.beginsAfter(before) ? null : byId.get(before)) {
                ids.add(patches.get(i).id);
                before = patches.get(i).prev;
            }
            Collections.reverse(ids);
            if (known == null) {
                return History.of(before, ids);
            }
            Integer at = byId.get(position);
            known.requireStill(at == null ? position : patches.get(at).toString(), before, ids);
            return known;
        }

        private Set<Integer> upTo(String position) {
            Set<Integer> applied = new HashSet<>();
            for (Integer i = byId.get(position); i != null; i = byId.get(patches.get(i).prev)) {
                applied.add(i);
            }
            return applied;
        }

        private int findBeginning(int index) {
            int first = index;
            while (byId.containsKey(patches.get(first).prev)) {
                first = byId.get(patches.get(first).prev);
            }
            return first;
        }
    }
}
