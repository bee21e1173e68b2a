package io.jellybridge.log;

import io.jellybridge.codec.Checksums;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Patches of tests, as RDF Patch text. */
public final class LogPatches {

    private LogPatches() {
    }

    public static PatchSource<byte[]> source(String text) {
        return new RdfPatchReader<>(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test", new Utf8Terms(),
                RdfPatchReadOptions.DEFAULT);
    }

    /** The same in Jelly-Patch. */
    public static byte[] jelly(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PatchSource<byte[]> patch = source(text); PatchWriter<byte[]> out = new PatchWriter<>(bytes, null,
                new Utf8Terms(), PatchOptions.DEFAULT.withStreamType(StreamType.FLAT), WriteOptions.DEFAULT)) {
            patch.readAll(out);
        }
        return bytes.toByteArray();
    }

    /** A patch as a log keeps it, and its hash. */
    public record Chained(byte[] bytes, String hash) {
    }

    /** Returns a patch, whose text says its id, as a log keeps it at a place. */
    public static Chained chained(String text, ChainPlace place) throws IOException {
        boolean interrupted = Thread.interrupted(); // who is to be, is that later
        Path file = Files.createTempFile("jellybridge-test-", ".jellyp");
        try (PatchSource<byte[]> source = source(text)) {
            CheckedPatch patch = CheckedPatch.next(source);
            PatchHeader header = patch.newHeader(patch.header().id(), patch.header().prev());
            String hash = ChainedFile.writeFile(file, "test", place, header, patch::copyTo).header().hash();
            return new Chained(Files.readAllBytes(file), hash);
        } finally {
            Files.delete(file);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the next patch of a log as a client puts it. */
    public static byte[] next(StoreLog log, String... rows) throws IOException {
        LogHead head = log.head();
        return chained(patch(newId(), head.id(), rows), new ChainPlace(log.id(), head.version() + 1, log.headHash())).bytes();
    }

    /** Returns the path of a version's patch in a log behind HTTP. */
    public static String object(long version) {
        return "/" + LogObject.fileName(version);
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    /** A patch of one transaction. */
    public static String patch(String id, String prev, String... rows) {
        return (id == null ? "" : "H id <urn:uuid:" + id + "> .\n")
                + (prev == null ? "" : "H prev <urn:uuid:" + prev + "> .\n")
                + "TX .\n" + String.join("\n", rows) + (rows.length > 0 ? "\n" : "") + "TC .\n";
    }

    public static String add(int number) {
        return "A <urn:s> <urn:p> \"" + number + "\" .";
    }

    static LogHead append(PatchLog log, String text, String prev) throws IOException {
        try (PatchSource<byte[]> source = source(text)) {
            return log.append(source, prev);
        }
    }

    public static LogHead append(PatchLog log, String text) throws IOException {
        try (PatchSource<byte[]> source = source(text)) {
            return log.append(source);
        }
    }

    /** Appends patches in one call. */
    public static List<LogHead> appendAll(PatchLog log, List<String> texts) throws IOException {
        try (PatchAppender.Batch batch = log.batch()) {
            for (String text : texts) {
                try (PatchSource<byte[]> source = source(text)) {
                    batch.append(source);
                }
            }
            return batch.put();
        }
    }

    /** Patches with ids, each after the one before. */
    public static List<String> chain(String after, int count) {
        List<String> patches = new ArrayList<>();
        String prev = after;
        for (int number = 1; number <= count; number++) {
            String id = newId();
            patches.add(patch(id, prev, add(number)));
            prev = id;
        }
        return patches;
    }

    /** The file of a log that begins with a version. */
    public static Path file(StoreLog log, long first) {
        return log.folder().resolve(LogObject.fileName(first));
    }

    /** The objects of a log in a folder, from the oldest. */
    static List<LogObject> objects(Path folder) throws IOException {
        return new FolderStore(folder).list("").keySet().stream().map(LogObject::parseName).filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(LogObject::first)).toList();
    }

    /** The first versions of the objects of a log in a folder. */
    static List<Long> firsts(Path folder) throws IOException {
        return objects(folder).stream().map(LogObject::first).toList();
    }

    /** Has the first TX of a file be a TC: any reader of Jelly-Patch gets over that, and no dataset applies it. */
    public static void unbalance(Path file) throws IOException {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        int tx = bytes.indexOf("\n\2\62\0");
        String changed = bytes.substring(0, tx) + "\n\2\72\0" + bytes.substring(tx + 4);
        Files.write(file, Checksums.renewed(changed.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** A patch of a log as text, with its headers but for the time and the chain, which the log adds. */
    static String text(LogEntry entry) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PatchSource<byte[]> patch = entry.open(new Utf8Terms());
                RdfPatchWriter<byte[]> out = new RdfPatchWriter<>(bytes, null, new Utf8Terms(),
                        RdfPatchWriteOptions.DEFAULT.withMarks(false))) {
            patch.readAll(out);
        }
        return bytes.toString(StandardCharsets.UTF_8).replaceAll("(?m)^H (time|chain) .*\n", "");
    }

    /** The id of a version's patch; null: there is none, or it can't be read. */
    static String idOf(PatchLog log, long version) throws IOException {
        PatchHeader header = LogVersions.headerOf(log, version);
        return header == null ? null : header.id();
    }

    /** All patches of a range as texts. */
    static List<String> texts(PatchLog log, long from, long to) throws IOException {
        List<String> texts = new ArrayList<>();
        try (LogEntries entries = log.fetch(from, to)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                texts.add(text(entry));
            }
        }
        return texts;
    }
}
