package io.jellybridge.spark.sink;

import io.jellybridge.codec.IdHeaders;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.spark.staging.StagedBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of the chains that a stream of patches forms by its headers {@code id} and {@code prev}. It detects a patch that
 * arrives before its predecessor or without it. Patches without these headers are not checked. A patch without {@code prev}
 * starts a chain. The first patch of a stream may be anywhere in its chain.
 */
final class PatchChain {
    /** The largest number of chains to track, which limits the state that a dataset stores. */
    private static final int MAX_HEADS = 8;
    /** The placeholder for a missing term. */
    private static final String NOTHING = "-";
    private static final String REMEDY = ". A stream over a folder goes by the time of its files: read them as a patch log, "
            + "by the format rdf-patch-log, or apply them by Dataset.sync; where patches are left out on purpose, or logs "
            + "are joined, set the option '" + JenaSinkOptions.CHECK_CHAIN.name() + "' to false";

    /** The last patch of each chain, the latest one at the end. */
    private final List<String> heads = new ArrayList<>();
    /** The patch that the first patch of the stream follows. It must not arrive any more. */
    private String before;
    /** The first patch of the stream. */
    private String first;

    /** Creates the state before the first patch of a stream. */
    PatchChain() {
    }

    /** Restores a result of {@link #state}. */
    PatchChain(List<String> state) {
        if (!state.isEmpty()) {
            before = state.get(0).equals(NOTHING) ? null : state.get(0);
            first = state.get(1);
            heads.addAll(state.subList(2, state.size()));
        }
    }

    /** Returns the state as words; empty if there are no chains. */
    List<String> state() {
        if (heads.isEmpty()) {
            return List.of();
        }
        List<String> state = new ArrayList<>(List.of(before == null ? NOTHING : before, first));
        state.addAll(heads);
        return state;
    }

    /**
     * Adds the patches of a batch.
     *
     * @throws IllegalStateException a patch arrives before its predecessor or without it; the message names both
     */
    void follow(StagedBatch batch) throws IOException {
        try (PatchSource<byte[]> patches = batch.open(new Utf8Terms())) {
            patches.select(Selection.none()); // headers are not filtered
            patches.readAll(new Headers());
        }
    }

    /** A handler that collects the id and prev of each patch. */
    private final class Headers extends PatchAdapter<byte[]> {
        private final IdHeaders<String> ids = new IdHeaders<>();

        @Override
        public void header(byte[] key, byte[] value) {
            String name = IdHeaders.nameOf(key);
            if (name != null) {
                ids.put(name, new String(value, StandardCharsets.UTF_8));
            }
        }

        @Override
        public void endPatch() {
            if (ids.id() != null) {
                follow(ids.id(), ids.prev());
            }
            ids.clear();
        }
    }

    void follow(String id, String prev) {
        if (heads.isEmpty()) {
            before = prev;
            first = id;
        } else {
            checkChain(id, prev);
        }
        heads.remove(prev);
        heads.remove(id);
        heads.add(id);
        if (heads.size() > MAX_HEADS) {
            heads.remove(0);
        }
    }

    private void checkChain(String id, String prev) {
        if (heads.contains(id)) {
            return; // repeating a patch before its successors changes nothing
        }
        String last = heads.get(heads.size() - 1);
        if (id.equals(before)) {
            throw new IllegalStateException("the patch " + id + " comes after " + first + ", which follows it by its header "
                    + "prev: the patches are out of order, so the dataset, if it has that one, is to be filled again"
                    + REMEDY);
        }
        if (id.equals(first)) {
            throw new IllegalStateException("the patch " + id + " comes again, after " + last + REMEDY);
        }
        if (prev != null && !heads.contains(prev)) {
            throw new IllegalStateException("the patch " + id + " follows " + prev + " by its header prev, and what came "
                    + "last is " + last + ": the patches are out of order, or one is missing" + REMEDY);
        }
    }
}
