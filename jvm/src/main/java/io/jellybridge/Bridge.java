package io.jellybridge;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The entry points that Python calls, by py4j in a Spark driver and by JPype elsewhere. Plain types go in and out, beside
 * handles that Python only passes back: text, numbers and bytes mean the same behind both doors.
 */
public final class Bridge {
    private static final String VERSION_RESOURCE = "/jellybridge-version.properties";
    private static final String STAX = "javax.xml.stream.XMLInputFactory";
    private static final String STAX_OF_THE_JDK = "com.sun.xml.internal.stream.XMLInputFactoryImpl";

    static {
        // Before Jena looks: on Spark's class path it would find Hadoop's parser, and log three errors about it.
        if (System.getProperty(STAX) == null) {
            System.setProperty(STAX, STAX_OF_THE_JDK);
        }
    }

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

    /** Opens a Jelly-Patch file for reading; the caller closes the handle. */
    public static PatchFileReader readPatch(String file, boolean strict) throws IOException {
        return new PatchFileReader(Path.of(file), readOptions(strict));
    }

    /**
     * Begins a Jelly-Patch file; the caller closes the handle, after its {@code commit()} or instead of it.
     *
     * @throws IllegalArgumentException an option has a value that it can't have; the message names it
     */
    public static PatchFileWriter writePatch(String file, String streamType, String statementType,
            boolean generalizedStatements, boolean rdfStar, int maxNameTableSize, int maxPrefixTableSize,
            int maxDatatypeTableSize, int frameRows, boolean delimited) throws IOException {
        PatchOptions options = new PatchOptions(StreamType.valueOf(streamType), StatementType.valueOf(statementType),
                generalizedStatements, rdfStar, maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
        WriteOptions cut = new WriteOptions(frameRows, delimited, WriteOptions.DEFAULT.maxFrameBytes());
        return new PatchFileWriter(Path.of(file), options, cut);
    }

    private static ReadOptions readOptions(boolean strict) {
        return ReadOptions.DEFAULT.withStrict(strict);
    }
}
