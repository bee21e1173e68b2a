package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.QuadsHash;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.LogPatches;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A log of tests, whose state at version n is known: each patch replaces a counter and adds items of its own. */
public final class StateLog {

    private StateLog() {
    }

    static StoreLog create(Path folder, int patches, int rows) throws IOException {
        StoreLog log = StoreLog.create(folder);
        for (int number = 1; number <= patches; number++) {
            append(log, number, rows);
        }
        return log;
    }

    public static void append(PatchLog log, int number, int rows) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("D <urn:counter> <urn:p> \"" + (number - 1) + "\" .");
        lines.add("A <urn:counter> <urn:p> \"" + number + "\" .");
        for (int row = 0; row < rows; row++) {
            lines.add("A <urn:item" + number + "-" + row + "> <urn:p> <urn:o> <urn:g> .");
        }
        LogPatches.append(log, LogPatches.patch(null, null, lines.toArray(String[]::new)));
    }

    /** The file of a version, in which it is alone. */
    static Path file(StoreLog log, long version) {
        return log.folder().resolve(String.format("%020d.jellyp", version));
    }

    /** How many quads there are at a version. */
    public static long quads(long version, int rows) {
        return version * rows + 1;
    }

    public static List<String> lines(StoreLog log, long version) throws IOException {
        try (State state = State.at(log, version, ProgressListener.NONE)) {
            return lines(state.quads());
        }
    }

    static List<String> lines(Items<CanonicalQuad> quads) throws IOException {
        List<String> lines = new ArrayList<>();
        for (CanonicalQuad quad = quads.next(); quad != null; quad = quads.next()) {
            lines.add(new String(quad.line(), UTF_8));
        }
        return lines;
    }

    static QuadsHash hash(StoreLog log, long version) throws IOException {
        try (State state = State.at(log, version, ProgressListener.NONE)) {
            return new QuadsHash().addAll(state.quads());
        }
    }
}
