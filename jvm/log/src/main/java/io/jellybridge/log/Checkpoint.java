package io.jellybridge.log;

import java.nio.file.Path;
import java.time.Instant;

/**
 * The state of a log at a version, in a folder of its own: sorted quads in {@code part-*.jelly}.
 *
 * @param folder  where it is
 * @param version of the log
 * @param id      of that version's patch
 * @param time    of that patch; null: it says none
 * @param quads   how many there are
 */
public record Checkpoint(Path folder, long version, String id, Instant time, long quads) {
}
