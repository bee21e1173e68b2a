package io.jellybridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.BadStatementFile;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.Format;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.StatementSink;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.data.QueryJson;
import io.jellybridge.jena.data.SparqlLimits;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.dataset.OpenDataset.LoadReport;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.log.CaptureWriter;
import io.jellybridge.sync.EffectCheck;
import io.jellybridge.sync.ServerLocation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CancellationException;
import org.apache.jena.sys.JenaSystem;

/**
 * The entry points that Python calls, by py4j in a Spark driver and by JPype elsewhere.
 *
 * <p>Arguments and results are text, numbers and bytes, which mean the same in py4j and JPype. Other objects are handles, which
 * Python only passes back.
 */
public final class Bridge {
    private static final String VERSION_RESOURCE = "/jellybridge-version.properties";
    private static final String STAX = "javax.xml.stream.XMLInputFactory";
    private static final String STAX_OF_THE_JDK = "com.sun.xml.internal.stream.XMLInputFactoryImpl";

    private Bridge() {
    }

    /** Returns the version of this jar. The Python package compares it with its own. */
    public static String version() {
        try (InputStream in = Bridge.class.getResourceAsStream(VERSION_RESOURCE)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Opens a file of patches for reading. The caller closes the handle.
     *
     * @param name   the name in errors
     * @param format null for the format of the suffix
     */
    public static PatchFileReader readPatch(String file, String name, String format, boolean strict) throws IOException {
        return new PatchFileReader(PatchFiles.read(
                new FileLocation(file, name), ConvertBridge.format(format), new Utf8Terms(), strict));
    }

    /**
     * Creates a file of patches. The caller closes the handle, after {@code commit()} or instead of it.
     *
     * @param format null for the format of the suffix
     * @throws IllegalArgumentException an option has an invalid value; the message names it
     */
    public static PatchFileWriter writePatch(String file, String format, String streamType, String statementType,
            boolean generalizedStatements, boolean relativeIris, boolean rdfStar, int maxNameTableSize,
            int maxPrefixTableSize, int maxDatatypeTableSize, int frameRows, int restartBytes, boolean delimited)
            throws IOException {
        PatchOptions options = new PatchOptions(StreamType.valueOf(streamType), StatementType.valueOf(statementType),
                generalizedStatements, rdfStar, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
        WriteOptions cut = new WriteOptions(frameRows, delimited, WriteOptions.DEFAULT.maxFrameBytes(), restartBytes,
                relativeIris ? TermRules.RELATIVE_IRIS : TermRules.RDF);
        return new PatchFileWriter(new FileLocation(file), ConvertBridge.format(format), options, cut);
    }

    /**
     * Writes the result of a CONSTRUCT or DESCRIBE as a document with the prefixes of the query.
     *
     * @param result the result as JSON, see {@link QueryJson}
     * @param output a path, {@code -} for standard output
     */
    public static void writeStatements(String result, String sparql, String format, String output) throws IOException {
        JsonObject found = JsonParser.parseString(result).getAsJsonObject();
        try (StatementSink document = new StatementSink(new FileLocation(output), Format.byName(format), RdfOptions.DEFAULT)) {
            SparqlLimits.declaredPrefixes(sparql).forEach((name, iri) ->
                    document.namespace(name.getBytes(UTF_8), Utf8Terms.toTerm(iri)));
            for (JsonElement each : found.getAsJsonArray(found.has("quads") ? "quads" : "triples")) {
                JsonArray row = each.getAsJsonArray();
                document.statement(term(row, 0), term(row, 1), term(row, 2), term(row, 3));
            }
            document.commit();
        }
    }

    private static byte[] term(JsonArray row, int index) {
        return index >= row.size() || row.get(index).isJsonNull() ? null : row.get(index).getAsString().getBytes(UTF_8);
    }

    /** Returns the content of a buffer, for py4j, which shares no memory. */
    public static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(0, bytes);
        return bytes;
    }

    /** Sets the content of a buffer, for py4j, which shares no memory. */
    public static void fill(ByteBuffer buffer, byte[] bytes) {
        buffer.put(0, bytes);
    }

    /**
     * Opens a dataset on a server (see {@link ServerLocation}) or in this process (see {@link DatasetStore#open}). Python calls
     * the methods of the result that take plain types.
     *
     * @param namesAndValues options, names and values alternating
     * @param positions      true to show the graph of positions, see {@link DatasetStore#open(String, boolean)}
     */
    public static OpenDataset openDataset(String location, List<String> namesAndValues, boolean positions)
            throws IOException {
        startJena();
        Map<String, String> options = ConvertBridge.named(namesAndValues);
        if (ServerLocation.isOne(location)) {
            return ServerLocation.of(location, options).open(positions);
        }
        HttpOptions.requireNone(location, options);
        if (SyncBridge.isLog(location)) {
            throw new IllegalArgumentException(location + " is a patch log and no dataset: `jellybridge query` and `log state` take it, "
                    + "and `jellybridge sync` lets a dataset follow it");
        }
        return DatasetStore.open(location, positions);
    }

    /**
     * Starts Jena with the JDK's XML parser. On Spark's class path, Jena would find Hadoop's, and log three errors about it.
     */
    private static synchronized void startJena() {
        if (System.getProperty(STAX) != null) {
            JenaSystem.init();
            return;
        }
        System.setProperty(STAX, STAX_OF_THE_JDK);
        try {
            JenaSystem.init();
        } finally {
            System.clearProperty(STAX);
        }
    }

    /** A thread-safe progress counter that can be cancelled. */
    public static final class Progress implements ProgressListener {
        private volatile long rows;
        private volatile long rowsRead;
        private volatile String phase = "";
        private volatile long total;
        private volatile boolean cancelled;

        @Override
        public void progress(long rowsDone) {
            rows = rowsDone;
            look();
        }

        @Override
        public void reading(long rowsOfPass) {
            rowsRead = rowsOfPass;
            look();
        }

        @Override
        public void phase(String name, long rowsOfPhase) {
            rowsRead = 0;
            phase = name;
            total = rowsOfPhase;
            look();
        }

        private void look() {
            if (cancelled) {
                throw new CancellationException("cancelled");
            }
        }

        /** Cancels the work soon. The running transaction is rolled back, earlier ones stay. */
        public void cancel() {
            cancelled = true;
        }

        /** Returns the number of rows done so far. */
        public long rows() {
            return rows;
        }

        /** Returns the number of rows read so far in the current pass, which may be one that only checks. */
        public long rowsRead() {
            return rowsRead;
        }

        /** Returns the name of the current phase, which is empty if the work has none. */
        public String phase() {
            return phase;
        }

        /** Returns the number of rows of the current phase, or 0 if it is not known. */
        public long total() {
            return total;
        }
    }

    public static Progress newProgress() {
        return new Progress();
    }

    /**
     * Applies a file of patches, in any format that {@link PatchFiles} reads. See {@link OpenDataset#apply}.
     *
     * @param name   the name in errors
     * @param format null for the format of the suffix
     * @param rows   the rows that must change the dataset, see {@link EffectCheck.Rows#byName}
     * @return the numbers of patches, of transactions, of added rows, of deleted rows, of aborted transactions, and of rows
     *     that changed the dataset (-1 if unknown)
     */
    public static long[] apply(OpenDataset store, String file, String name, String format, boolean strict,
            String rows, Progress progress) throws IOException {
        Patches patches = PatchFiles.openPatches(new FileLocation(file, name), ConvertBridge.format(format), strict);
        ApplyReport report = store.exclusively(() -> {
            EffectCheck.check(store, new WatchedPatches(patches, progress), EffectCheck.Rows.byName(rows));
            return store.apply(name, new WatchedPatches(patches, progress), progress);
        });
        return new long[] {
            report.patches(), report.transactions(), report.added(), report.deleted(), report.aborted(),
            report.changed() == null ? -1 : report.changed()
        };
    }

    /**
     * Loads an RDF file, see {@link OpenDataset#load} and {@link RdfFile}.
     *
     * @param graph the graph of its triples; null for the default graph
     * @return the number of statements whose relative IRIs may have been resolved against the file's location, and the numbers
     *     of statements added and left out
     */
    public static long[] load(OpenDataset store, String path, String name, String base, String syntax, String graph,
            ConvertOptions options, BadStatementFile bad) throws IOException {
        long[] relative = new long[1];
        LoadReport report = store.load(options.file(path, name, base, syntax, ConvertBridge.statements(bad),
                count -> relative[0] = count).ofGraph(graph));
        return new long[] {relative[0], report.statements(), report.positions()};
    }

    /**
     * Writes a dataset to a file, or to standard output if the path is {@code -}, see {@link OpenDataset#dump}. If the syntax is
     * null, it is that of the suffix.
     */
    public static long dump(OpenDataset store, String path, String syntax, String graph) throws IOException {
        return store.dump(new RdfFile(path, path, null, syntax, false).ofGraph(graph));
    }

    /**
     * Starts to capture the changes of a store. The caller closes the handle. The options are those of {@link CaptureOptions}.
     *
     * @param maxPatches  0 for no limit
     * @param positionKey null to store no position
     * @param headers     names and texts alternating
     */
    public static Capture startCapture(OpenDataset store, String log, boolean effectiveOnly, boolean recordAborted,
            long maxBytes, long maxPatches, long maxMillis, boolean fsync, String positionKey, List<String> headers)
            throws IOException {
        CaptureOptions options = CaptureOptions.DEFAULT
                .withEffectiveOnly(effectiveOnly)
                .withRecordAborted(recordAborted)
                .withRotation(new CaptureWriter.Rotation(maxBytes, maxPatches == 0 ? Long.MAX_VALUE : maxPatches, maxMillis))
                .withFsync(fsync)
                .withPosition(positionKey)
                .withHeaders(ConvertBridge.named(headers));
        return store.startCapture(Path.of(log), options);
    }
}
