package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ChangeRows.ChangeRowHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.jena.apply.AppliedRows;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.LogEntry;
import io.jellybridge.log.LogReader;
import io.jellybridge.log.LogTimes;
import io.jellybridge.log.PatchLog;
import io.jellybridge.log.StoreLog;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The operations of a log on some quads, in order. Blocks that end with {@code TA} do not count. If a log begins with a state,
 * the quads of that state are additions of version 1. Not thread-safe.
 */
public final class LogHistory implements Closeable {
    /** A share of the heap, for the rows of one patch. */
    private static final int HEAP_SHARE = 8;

    private final LogReader entries;
    private final Quads wanted;
    private final Instant since;
    /** The times of the versions; null if they don't matter. */
    private final LogTimes times;
    private State beginning;
    private Items<CanonicalQuad> begun;
    /** The patch that is read, its wanted rows that are left, and its version and the time in its header. */
    private Rows patch;
    private Deque<Row> rows = new ArrayDeque<>();
    private long version = 1;
    private Instant time;

    /** The terms of the wanted quads; null for any. The graph is empty for the default graph. */
    public record Quads(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {

        boolean selectsQuad(byte[] s, byte[] p, byte[] o, byte[] g) {
            return isTerm(subject, s) && isTerm(predicate, p) && isTerm(object, o)
                    && (graph == null || (graph.length == 0 ? g == null : Arrays.equals(graph, g)));
        }

        private static boolean isTerm(byte[] wanted, byte[] term) {
            return wanted == null || Arrays.equals(wanted, term);
        }
    }

    private record Row(Op op, CanonicalQuad quad) {
    }

    /**
     * Opens a history.
     *
     * @param since the earliest time of versions, see {@link LogTimes}; null for all
     */
    public LogHistory(PatchLog log, Quads wanted, Instant since) throws IOException {
        this.wanted = wanted;
        this.since = since;
        this.times = since == null ? null : LogTimes.of(log);
        long first = log.first();
        Checkpoint state = first == 2 && log instanceof StoreLog ? log.findCheckpoint(1) : null;
        if (state != null) {
            time = state.time();
            beginning = State.of(log.stored(), state, state.version(), ProgressListener.NONE);
            begun = beginning.quads();
        }
        entries = new LogReader(log.fetch(first, Long.MAX_VALUE), null);
    }

    /**
     * Passes the next row to a handler: its patch is the version, and its transaction is the time in milliseconds since 1970,
     * or -1 if it is unknown. Rows have no number.
     *
     * @return false, with no row, at the end
     */
    public boolean next(ChangeRowHandler<byte[]> handler) throws IOException {
        if (begun != null) {
            if (nextOfBeginning(handler)) {
                return true;
            }
            begun = null;
        }
        while (rows.isEmpty()) {
            LogEntry entry = entries.next(each -> patch = new Rows(isWanted(each.version())));
            if (entry == null) {
                return false;
            }
            if (patch.left < 0) {
                throw new IllegalStateException(entry.name() + " has more of these rows than memory holds; ask for a subject, or "
                        + "give more by --heap");
            }
            time = entry.header().time();
            version = entry.version();
            rows = patch.found;
        }
        passRow(rows.poll(), handler);
        return true;
    }

    /** Returns the namespaces at the head of a log by their prefixes. Reads no statements. */
    public static Map<String, String> prefixesOf(PatchLog log) throws IOException {
        Prefixes found = new Prefixes();
        Checkpoint state = log instanceof StoreLog ? log.findCheckpoint(Long.MAX_VALUE) : null;
        if (state != null) {
            try (CheckpointQuads quads = new CheckpointQuads(state)) {
                quads.prefixes().forEach((name, namespace) -> found.applyPrefix(Op.PA, name.getBytes(UTF_8), namespace));
            }
        }
        log.forEach(state == null ? log.first() : state.version() + 1, Long.MAX_VALUE, entry -> {
            try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
                patch.select(Selection.none());
                patch.readAll(found);
            }
        });
        return found.names;
    }

    private boolean isWanted(long number) {
        Instant of = times == null ? null : times.of(number);
        return times == null || of != null && !of.isBefore(since);
    }

    private boolean nextOfBeginning(ChangeRowHandler<byte[]> handler) throws IOException {
        for (CanonicalQuad quad = begun.next(); quad != null && isWanted(1); quad = begun.next()) {
            if (wanted.selectsQuad(quad.subject(), quad.predicate(), quad.object(), quad.graph())) {
                passRow(new Row(Op.A, quad), handler);
                return true;
            }
        }
        return false;
    }

    private void passRow(Row row, ChangeRowHandler<byte[]> handler) {
        CanonicalQuad quad = row.quad;
        long millis = time == null ? -1 : time.toEpochMilli();
        handler.row(version, time != null && millis == -1 ? -2 : millis, 0, row.op, quad.subject(), quad.predicate(),
                quad.object(), quad.graph(), null, null);
    }

    /** A handler that collects the wanted rows of a patch. */
    private final class Rows extends AppliedRows<byte[]> {
        private final boolean isWanted;
        private final Deque<Row> found = new ArrayDeque<>();
        private int before;
        private long left = Runtime.getRuntime().maxMemory() / HEAP_SHARE;

        Rows(boolean isWanted) {
            this.isWanted = isWanted;
        }

        @Override
        protected void applyTransaction(Op op) {
            if (op == Op.TX) {
                before = found.size();
            }
            while (op == Op.TA && found.size() > before) {
                found.removeLast();
            }
        }

        @Override
        protected void applyStatement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            if (isWanted && left >= 0 && wanted.selectsQuad(subject, predicate, object, graph)) {
                Row row = new Row(op, new CanonicalQuad(subject, predicate, object, graph));
                left -= CanonicalQuad.FORM.sizeOf(row.quad);
                found.add(row);
            }
        }
    }

    /** A handler that keeps the prefixes after a patch. */
    private static final class Prefixes extends AppliedRows<byte[]> {
        private Map<String, String> names = new HashMap<>();
        private Map<String, String> before = Map.of();

        @Override
        protected void applyTransaction(Op op) {
            if (op == Op.TX) {
                before = new HashMap<>(names);
            } else if (op == Op.TA) {
                names = before;
            }
        }

        @Override
        protected void applyPrefix(Op op, byte[] name, byte[] namespace) {
            String key = new String(name, UTF_8);
            if (op == Op.PD) {
                names.remove(key);
            } else {
                names.put(key, Utf8Terms.toIri(namespace));
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (entries) {
            if (beginning != null) {
                beginning.close();
            }
        }
    }

    /** The headers of a patch as terms, and the numbers of its rows. Blocks that end with {@code TA} do not count. */
    public static final class PatchDetails extends AppliedRows<byte[]> {
        private final Map<String, String> headers = new LinkedHashMap<>();

        /** Reads a patch without its terms. */
        public static PatchDetails of(LogEntry entry) throws IOException {
            PatchDetails details = new PatchDetails();
            try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
                patch.select(new Selection<>(false, false, false, false, null));
                patch.readAll(details);
            }
            return details;
        }

        /** Returns the headers, as terms by their names. */
        public Map<String, String> headers() {
            return headers;
        }

        public long added() {
            return report().added();
        }

        public long deleted() {
            return report().deleted();
        }

        @Override
        public void header(byte[] key, byte[] value) {
            headers.putIfAbsent(new String(key, UTF_8), new String(value, UTF_8));
        }
    }
}
