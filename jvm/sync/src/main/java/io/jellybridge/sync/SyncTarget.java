package io.jellybridge.sync;

import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.codec.Patches;
import io.jellybridge.jena.ApplyException;
import io.jellybridge.jena.ApplyReport;
import io.jellybridge.jena.ProgressListener;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * A dataset that follows patches, each exactly once. Its positions are stored in it, one quad a key:
 * {@code <key> <urn:jellybridge:position> position} in the graph {@code <urn:jellybridge:sync>}, which is no data.
 * One thread at a time uses a target; several targets, of several processes, may be of one dataset.
 */
public interface SyncTarget extends Closeable {

    /**
     * The position under a key.
     *
     * @param key an IRI, without angle brackets
     * @return a term in canonical N-Triples; null when there is none
     * @throws IllegalStateException there are several, which no target writes
     * @throws IOException           the dataset can't be asked
     */
    String position(String key) throws IOException;

    /**
     * Applies all patches of a batch and takes the step, in one transaction: all of it or nothing. What is in a block
     * that ends with {@code TA} does not arrive, and undoes nothing else.
     *
     * @param progress hears how many rows were done so far
     * @throws PositionConflictException the dataset is not at {@link Advance#expected()}
     * @throws PatchFormatException      the patches break their format, or ask for what no dataset may hold
     * @throws ApplyException            the dataset failed, in this process
     * @throws IOException               the patches can't be read, or the dataset can't be reached or failed
     */
    ApplyReport apply(Patches patches, Advance advance, ProgressListener progress) throws IOException;

    /**
     * Does what {@link #apply} does with patches of any number, in one go, where the dataset has a faster way than a
     * transaction for so many: it is empty, and takes them by a bulk loader.
     *
     * @param rows how many change rows the patches have
     * @return empty, and nothing was done, where there is no such way
     */
    default Optional<ApplyReport> load(Patches patches, long rows, Advance advance, ProgressListener progress)
            throws IOException {
        return Optional.empty();
    }
}
