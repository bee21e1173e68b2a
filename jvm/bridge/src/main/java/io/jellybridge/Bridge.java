package io.jellybridge;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.convert.BadStatementFile;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.Place;
import io.jellybridge.http.Redaction;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.ProgressListener;
import io.jellybridge.jena.apply.WatchedPatches;
import io.jellybridge.jena.capture.Capture;
import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.jena.dataset.DatasetStore;
import io.jellybridge.jena.dataset.OpenDataset;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.log.LogWriter;
import io.jellybridge.sync.EffectCheck;
import io.jellybridge.sync.ServerLocation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CancellationException;
import org.apache.jena.sys.JenaSystem;

/**
 * The entry points that Python calls, by py4j in a Spark driver and by JPype elsewhere. Plain types go in and out,
 * beside handles that Python only passes back: text, numbers and bytes mean the same behind both doors.
 */
public final class Bridge {
    private static final String VERSION_RESOURCE = "/jellybridge-version.properties";
    private static final String STAX = "javax.xml.stream.XMLInputFactory";
    private static final String STAX_OF_THE_JDK = "com.sun.xml.internal.stream.XMLInputFactoryImpl";

    private Bridge() {
    }

    /** The version of this jar; the Python package checks that it is its own. */
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
     * Opens a file of patches for reading; the caller closes the handle.
     *
     * @param name   what errors call it
     * @param format null: that of the suffix
     */
    public static PatchFileReader readPatch(String file, String name, String format, boolean strict) throws IOException {
        return new PatchFileReader(PatchFiles.read(
                new Place(file, name), ConvertBridge.format(format), new Utf8Terms(), strict));
    }

    /**
     * Begins a file of patches; the caller closes the handle, after its {@code commit()} or instead of it.
     *
     * @param format null: that of the suffix
     * @throws IllegalArgumentException an option has a value that it can't have; the message names it
     */
    public static PatchFileWriter writePatch(String file, String format, String streamType, String statementType,
            boolean generalizedStatements, boolean relativeIris, boolean rdfStar, int maxNameTableSize,
            int maxPrefixTableSize, int maxDatatypeTableSize, int frameRows, int restartBytes, boolean delimited)
            throws IOException {
        PatchOptions options = new PatchOptions(StreamType.valueOf(streamType), StatementType.valueOf(statementType),
                generalizedStatements, rdfStar, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
        WriteOptions cut = new WriteOptions(frameRows, delimited, WriteOptions.DEFAULT.maxFrameBytes(), restartBytes,
                relativeIris ? TermRules.RELATIVE_IRIS : TermRules.RDF);
        return new PatchFileWriter(new Place(file), ConvertBridge.format(format), options, cut);
    }

    /** The content of a buffer, for py4j, which shares no memory. */
    public static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(0, bytes);
        return bytes;
    }

    /** Sets the content of a buffer, likewise. */
    public static void fill(ByteBuffer buffer, byte[] bytes) {
        buffer.put(0, bytes);
    }

    /**
     * Opens a dataset: of a server where the location names one, see {@link ServerLocation}, else see
     * {@link DatasetStore#open}. Python calls those of its methods that take plain types.
     *
     * @param namesAndValues options, each a name and a value after it
     * @param positions      whether the graph of positions is shown, see {@link DatasetStore#open(String, boolean)}
     */
    public static OpenDataset openDataset(String location, List<String> namesAndValues, boolean positions)
            throws IOException {
        startJena();
        if (!ServerLocation.isOne(location)) {
            if (!namesAndValues.isEmpty()) {
                throw new IllegalArgumentException(Redaction.address(location)
                        + " has no options; those of http://host:3030/name do");
            }
            return DatasetStore.open(location, positions);
        }
        return ServerLocation.of(location, ConvertBridge.named(namesAndValues)).open(positions);
    }

    /** On Spark's class path Jena would find Hadoop's XML parser, and log three errors about it: show it the JDK's. */
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

    /** How far work on a dataset is, for another thread to look at, which may also end it. */
    public static final class Progress implements ProgressListener {
        private volatile long rows;
        private volatile long rowsRead;
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

        private void look() {
            if (cancelled) {
                throw new CancellationException("cancelled");
            }
        }

        /** Ends the work soon: the transaction that is under way is rolled back, those before it stay. */
        public void cancel() {
            cancelled = true;
        }

        /** How many rows were done so far. */
        public long rows() {
            return rows;
        }

        /** How many rows were read so far in the pass that goes on; it may be one that only checks. */
        public long rowsRead() {
            return rowsRead;
        }
    }

    public static Progress newProgress() {
        return new Progress();
    }

    /**
     * Applies a file of patches, of any format that {@link PatchFiles} reads, see {@link OpenDataset#apply}.
     *
     * @param name   what errors call it
     * @param format null: that of the suffix
     * @param fits   whether each row must change the dataset, see {@link EffectCheck}
     * @return the numbers of patches, transactions, added and deleted rows, aborted transactions, and rows that changed the
     *         dataset, -1 where that is not known
     */
    public static long[] apply(OpenDataset store, String file, String name, String format, boolean strict,
            boolean fits, Progress progress) throws IOException {
        Patches patches = PatchFiles.patches(new Place(file, name), ConvertBridge.format(format), strict);
        ApplyReport report = store.alone(() -> {
            if (fits) {
                EffectCheck.check(store, new WatchedPatches(patches, progress));
            }
            return store.apply(name, new WatchedPatches(patches, progress), progress);
        });
        return new long[] {
            report.patches(), report.transactions(), report.added(), report.deleted(), report.aborted(),
            report.changed() == null ? -1 : report.changed()
        };
    }

    /**
     * See {@link OpenDataset#load}; the rest as in {@link RdfFile}.
     *
     * @return how many statements may have IRIs that came from the file's own place, and how many were left out
     */
    public static long[] load(OpenDataset store, String path, String name, String base, String syntax, boolean remoteContexts,
            BadStatementFile bad) throws IOException {
        long[] ofPlace = new long[1];
        long positions = store.load(new RdfFile(path, name, base, syntax, remoteContexts, ConvertBridge.statements(bad), count -> ofPlace[0] = count));
        return new long[] {ofPlace[0], positions};
    }

    /** See {@link OpenDataset#dump}; a syntax that is null is that of the suffix. */
    public static void dump(OpenDataset store, String path, String syntax) throws IOException {
        store.dump(new RdfFile(path, path, null, syntax, false));
    }

    /**
     * Begins to record what changes in a store; the caller closes the handle. See {@link CaptureOptions} for the options.
     *
     * @param maxPatches  0 for any number
     * @param positionKey null for none
     */
    public static Capture startCapture(OpenDataset store, String log, boolean effectiveOnly, boolean recordAborted,
            long maxBytes, long maxPatches, long maxMillis, boolean fsync, String positionKey) throws IOException {
        CaptureOptions options = CaptureOptions.DEFAULT
                .withEffectiveOnly(effectiveOnly)
                .withRecordAborted(recordAborted)
                .withRotation(new LogWriter.Rotation(maxBytes, maxPatches == 0 ? Long.MAX_VALUE : maxPatches, maxMillis))
                .withFsync(fsync)
                .withPosition(positionKey);
        return store.startCapture(Path.of(log), options);
    }
}
