package io.jellybridge.jena.capture;

import io.jellybridge.codec.ChainHeaders;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.wire.FrameReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.jena.graph.Node;

/**
 * A patch of a captured file, by its headers.
 *
 * @param id      its id
 * @param prev    the id of the patch before; null when it is the first of all
 * @param commits whether its transaction committed
 */
record CapturedPatch(Node id, Node prev, boolean commits) {
    private static final int NO_LIMIT = Integer.MAX_VALUE;
    /** What we wrote ourselves, we can read. */
    static final ReadOptions READ_OPTIONS = new ReadOptions(true, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT);

    /**
     * What a file holds.
     *
     * @param patches its whole patches
     * @param bytes   where the last of them ends
     * @param fault   what is wrong behind it; null when nothing is
     */
    record Content(List<CapturedPatch> patches, long bytes, FormatException fault) {
    }

    /**
     * Reads a file up to the first fault.
     *
     * @throws IllegalArgumentException a patch has no id: no capture wrote it
     */
    static Content readAll(Path file) throws IOException {
        Headers headers = new Headers(file);
        FormatException fault = null;
        long frames = 0;
        try (PatchReader<Node> reader = open(file)) {
            int patches = 0;
            while (reader.next(headers)) {
                if (headers.patches.size() > patches) {
                    patches++;
                    frames = reader.frames();
                }
            }
        } catch (FormatException e) {
            fault = e;
        }
        return new Content(headers.patches, endOf(frames, file), fault);
    }

    static PatchReader<Node> open(Path file) throws IOException {
        return new PatchReader<>(Files.newInputStream(file), file.toString(), new NodeTerms(), READ_OPTIONS);
    }

    /** Where in the file the first {@code count} frames end; each patch ends with a frame. */
    private static long endOf(long count, Path file) throws IOException {
        try (FrameReader frames = new FrameReader(Files.newInputStream(file), NO_LIMIT)) {
            long end = 0;
            for (long i = 0; i < count; i++) {
                frames.next();
                end = frames.offset(frames.end());
            }
            return end;
        }
    }

    private static final class Headers extends PatchAdapter<Node> {
        private final Path file;
        private final List<CapturedPatch> patches = new ArrayList<>();
        private final ChainHeaders<Node> chain = new ChainHeaders<>();
        private boolean commits;

        Headers(Path file) {
            this.file = file;
        }

        @Override
        public void header(byte[] key, Node value) {
            String name = ChainHeaders.name(key);
            if (name != null) {
                chain.put(name, value);
            }
        }

        @Override
        public void transaction(Op op) {
            commits |= op == Op.TC;
        }

        @Override
        public void endPatch() {
            if (chain.id() == null) {
                throw new IllegalArgumentException(file + " has a patch without an id, which no capture wrote; give an "
                        + "empty or new folder, or that of a capture");
            }
            patches.add(new CapturedPatch(chain.id(), chain.prev(), commits));
            chain.clear();
            commits = false;
        }
    }
}
