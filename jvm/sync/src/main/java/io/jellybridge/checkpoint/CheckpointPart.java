package io.jellybridge.checkpoint;

import io.jellybridge.log.Checkpoint;
import java.io.Serializable;
import java.nio.file.Path;

/**
 * A file with quads of a checkpoint, on its way there.
 *
 * @param file    where it is
 * @param quads   how many there are
 * @param hash    which, see {@link Checkpoint#hash}
 * @param bytes   how long it is
 * @param sha256  the SHA-256 of its bytes, in hexadecimal digits
 * @param first   the first quad, as a line of canonical N-Quads; null: there is none
 * @param last    the last one
 * @param isEmpty whether it has neither quads nor prefixes
 */
public record CheckpointPart(String file, long quads, String hash, long bytes, String sha256, byte[] first, byte[] last,
        boolean isEmpty) implements Serializable {

    Path path() {
        return Path.of(file);
    }

    /** Returns what the checkpoint lists of it. */
    Checkpoint.Part listed() {
        return new Checkpoint.Part(quads, bytes, sha256);
    }
}
