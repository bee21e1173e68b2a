package io.jellybridge.fuzz;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Set;

/**
 * Reads bytes as Jelly-Patch: a typed error or events, nothing else. What a strict reader takes, a tolerant one reads the
 * same, and written again it reads back the same.
 */
public final class JellyPatchFuzz {
    /** Readers take more than fits into our frames and tables at once, and prefix names that a writer must not write. */
    private static final Set<String> REFUSED_IN_WRITING = Set.of("P-64", "P-04", "P-86");
    private static final WriteOptions CUT = new WriteOptions(7, true, Limits.MAX_BYTES).withTerms(TermRules.ANY);

    private JellyPatchFuzz() {
    }

    /** The entry point that Jazzer looks for. */
    public static void fuzzerTestOneInput(byte[] data) {
        Limits.check(() -> {
            PatchOptions[] options = new PatchOptions[1];
            PatchEvents strict = read(data, Limits.STRICT, options);
            PatchEvents tolerant = read(data, Limits.TOLERANT, new PatchOptions[1]);
            if (strict == null) {
                return;
            }
            strict.checkSame(tolerant, "tolerant reading of what strict reading takes");
            if (strict.isEmpty() && options[0].streamType() == StreamType.FRAME) {
                return; // a FRAME stream without patches is not to be had: its options need a frame
            }
            byte[] again = write(strict, options[0]);
            if (again != null) {
                strict.checkSame(read(again, Limits.STRICT, options), "reading of what was written again");
            }
        });
    }

    /** The events, or null when the bytes break the format. */
    private static PatchEvents read(byte[] data, ReadOptions limits, PatchOptions[] options) {
        PatchEvents events = new PatchEvents();
        try (PatchReader<byte[]> reader =
                new PatchReader<>(new ByteArrayInputStream(data), "input", new Utf8Terms(), limits)) {
            reader.readAll(events);
            options[0] = reader.options();
            return events;
        } catch (FormatException e) {
            return null;
        } catch (IOException e) {
            throw new AssertionError("bytes in memory can be read", e);
        }
    }

    private static byte[] write(PatchEvents events, PatchOptions options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "again", new Utf8Terms(), options, CUT)) {
            events.replay(writer);
        } catch (FormatException e) {
            if (REFUSED_IN_WRITING.contains(e.rule())) {
                return null;
            }
            throw e;
        } catch (IOException e) {
            throw new AssertionError("bytes in memory can be written", e);
        }
        return out.toByteArray();
    }
}
