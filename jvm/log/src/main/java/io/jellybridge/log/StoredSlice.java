package io.jellybridge.log;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.files.FileSlice;
import io.jellybridge.files.FileSlice.BoundedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A patch in an object of a log, a stream of its own.
 *
 * @param objects opens the object
 * @param file    the name of the object
 * @param offset  its first byte there
 * @param length  the number of bytes
 */
record StoredSlice(Opener objects, String file, long offset, long length) {
    /** A number of bytes that is enough for a frame's length and the restart point after it. */
    private static final int BEGINNING_BYTES = 64;

    /** Opens objects, like {@link LogStore#open}. */
    @FunctionalInterface
    interface Opener {
        InputStream open(String file, long offset) throws IOException;
    }

    /**
     * Returns the patches of an object. If bytes at the end are not a complete frame, they are a patch that was cut in its
     * first frame, or belong to the last patch. Reading that patch throws an error.
     *
     * @param size the length of the object
     */
    static List<StoredSlice> of(Opener objects, String file, long size) throws IOException {
        List<Long> starts = new ArrayList<>();
        long whole = 0;
        try (StreamFrames frames = new StreamFrames(objects.open(file, 0))) {
            for (; frames.next(); whole = frames.end()) {
                if (frames.beginsStream()) {
                    starts.add(whole);
                }
            }
        }
        if (starts.isEmpty() || whole < size && new StoredSlice(objects, file, whole, size - whole).beginsWithRestart()) {
            starts.add(whole);
        }
        List<StoredSlice> slices = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            long end = i + 1 < starts.size() ? starts.get(i + 1) : size;
            slices.add(new StoredSlice(objects, file, starts.get(i), end - starts.get(i)));
        }
        return slices;
    }

    /** Returns the patches of a local file, as {@link #of(Opener, String, long)} does. */
    static List<StoredSlice> of(Path file) throws IOException {
        long size = Files.size(file);
        return of((name, offset) -> new FileSlice(file, offset, size - offset).open(), file.toString(), size);
    }

    /** Returns the offset of the first byte after the patch. */
    long end() {
        return offset + length;
    }

    /** Returns the same patch without the bytes from an offset of the object on. */
    StoredSlice upTo(long end) {
        return new StoredSlice(objects, file, offset, Math.min(end, end()) - offset);
    }

    /** Returns the same patch without the bytes before an offset of the object. */
    StoredSlice from(long start) {
        return new StoredSlice(objects, file, start, end() - start);
    }

    /** Opens its bytes. The caller closes the stream. */
    InputStream open() throws IOException {
        return new BoundedInputStream(objects.open(file, offset), length);
    }

    /**
     * Opens the patch.
     *
     * @param name the name of the patch in errors
     */
    <T> PatchSource<T> read(String name, TermFactory<T> terms) throws IOException {
        return new PatchReader<>(open(), name, terms, ReadOptions.DEFAULT);
    }

    /** Returns the SHA-256 of its bytes, in 64 hexadecimal digits. */
    String sha256() throws IOException {
        MessageDigest digest = ContentHash.newSha256();
        try (InputStream in = new DigestInputStream(open(), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns true if it begins with a restart point, which separates a stream from the one before it in a joined object. */
    boolean beginsWithRestart() throws IOException {
        try (InputStream beginning = new BoundedInputStream(open(), BEGINNING_BYTES)) {
            return StreamFrames.countBeginnings(beginning) > 0;
        }
    }
}
