package io.jellybridge.checkpoint;

import io.jellybridge.log.Checkpoint;
import java.io.Serializable;
import java.nio.file.Path;

/**
 * A new file of a checkpoint that is being created.
 *
 * @param file    the path of the file
 * @param quads   the number of quads
 * @param hash    the hash of the quads, see {@link Checkpoint#hash}
 * @param bytes   the length of the file
 * @param sha256  the SHA-256 of its bytes, in hexadecimal digits
 * @param first   the first quad, as a line of canonical N-Quads; null if there is none
 * @param last    the last quad, in the same form
 * @param isEmpty true if it has neither quads nor prefixes
 */
public record CheckpointPart(String file, long quads, String hash, long bytes, String sha256, byte[] first, byte[] last,
        boolean isEmpty) implements Serializable {

    Path path() {
        return Path.of(file);
    }

    /** Returns the entry for the checkpoint's list of files. */
    Checkpoint.Part toListed(String name) {
        return new Checkpoint.Part(name, quads, bytes, sha256);
    }
}
