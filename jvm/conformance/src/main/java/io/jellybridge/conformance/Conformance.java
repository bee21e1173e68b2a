package io.jellybridge.conformance;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.text.EventLines;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The entry points of {@code python -m jellybridge.conformance}: what a stream holds, as {@link EventLines}, and streams
 * of given statements. For the small files of a suite: all is in memory. Every method throws a
 * {@link io.jellybridge.codec.FormatException} where a stream breaks its format, and closes its files on every path.
 */
public final class Conformance {

    private Conformance() {
    }

    /** The event lines of a Jelly-Patch file. */
    public static byte[] patchEvents(String file, boolean strict) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return patchEvents(in, file, ReadOptions.DEFAULT.withStrict(strict));
        }
    }

    private static byte[] patchEvents(InputStream in, String file, ReadOptions options) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        Utf8Terms terms = new Utf8Terms();
        try (PatchReader<byte[]> reader = new PatchReader<>(in, file, terms, options)) {
            reader.readAll(EventLines.ofPatches(
                    lines, terms, () -> reader.options().statementType() == StatementType.QUADS));
        }
        return lines.toByteArray();
    }

    /**
     * The event lines of RDF Patch text after it was written as Jelly-Patch of the given kind, and read again, strictly.
     * TRIPLES leave the graphs out.
     */
    public static byte[] patchRoundTrip(
            String file, String streamType, String statementType, int frameRows, boolean delimited) throws IOException {
        PatchOptions options = PatchOptions.DEFAULT.withStreamType(StreamType.valueOf(streamType))
                .withStatementType(StatementType.valueOf(statementType)).withRdfStar(true);
        WriteOptions cut = new WriteOptions(frameRows, delimited, WriteOptions.DEFAULT.maxFrameBytes())
                .withTerms(TermRules.ANY);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        Utf8Terms terms = new Utf8Terms();
        try (InputStream in = Files.newInputStream(Path.of(file));
                RdfPatchReader<byte[]> reader = new RdfPatchReader<>(in, file, terms, RdfPatchReadOptions.DEFAULT);
                PatchWriter<byte[]> writer = new PatchWriter<>(stream, file, terms, options, cut)) {
            reader.readAll(options.statementType() == StatementType.QUADS ? writer : new WithoutGraphs(writer));
        }
        return patchEvents(new ByteArrayInputStream(stream.toByteArray()), file, ReadOptions.STRICT);
    }

    /** The event lines of a Jelly-RDF file, with an empty line after each frame. */
    public static byte[] rdfEvents(String file, boolean strict) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        Utf8Terms terms = new Utf8Terms();
        try (RdfReader<byte[]> reader = rdfReader(file, strict)) {
            reader.readAll(new ByFrame(
                    EventLines.ofRdf(lines, terms, () -> reader.options().physicalType() != PhysicalType.TRIPLES),
                    metadata -> lines.write('\n')));
        }
        return lines.toByteArray();
    }

    /** The metadata of each frame of a Jelly-RDF file, a line a frame: {@code {key:hex,…}}. */
    public static String rdfMetadata(String file) throws IOException {
        StringBuilder frames = new StringBuilder();
        try (RdfReader<byte[]> reader = rdfReader(file, false)) {
            reader.readAll(new ByFrame(ByFrame.IGNORED, metadata -> frames.append(shown(metadata)).append('\n')));
        }
        return frames.toString();
    }

    private static String shown(Map<String, byte[]> metadata) {
        return metadata.entrySet().stream().map(entry -> entry.getKey() + ":" + HexFormat.of().formatHex(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** The options row of a Jelly-RDF file. */
    public static RdfOptions rdfOptions(String file) throws IOException {
        try (RdfReader<byte[]> reader = rdfReader(file, false)) {
            reader.readAll(new ByFrame(ByFrame.IGNORED, metadata -> { }));
            return reader.options();
        }
    }

    private static RdfReader<byte[]> rdfReader(String file, boolean strict) throws IOException {
        return new RdfReader<>(
                Files.newInputStream(Path.of(file)), file, new Utf8Terms(), ReadOptions.DEFAULT.withStrict(strict));
    }

    /** Begins a Jelly-RDF file; the caller closes the handle. */
    public static RdfFileWriter writeRdf(String file, RdfOptions options) throws IOException {
        return new RdfFileWriter(Path.of(file), options);
    }

    /** Whether a Jelly-RDF file is the dataset that an RDF file of another syntax is, but for blank node labels. */
    public static boolean isDataset(String jelly, String rdfFile) throws IOException {
        return DatasetIsomorphism.holds(Path.of(jelly), Path.of(rdfFile));
    }
}
