package io.jellybridge.fuzz;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Reads bytes as RDF Patch text, in each dialect: a typed error or events, nothing else. What one reads is written in the
 * canonical form, and read back the same in each.
 */
public final class RdfPatchFuzz {

    private RdfPatchFuzz() {
    }

    /** The entry point that Jazzer looks for. */
    public static void fuzzerTestOneInput(byte[] data) {
        Limits.check(() -> {
            for (RdfPatchDialect dialect : RdfPatchDialect.values()) {
                PatchEvents events = read(data, dialect);
                if (events != null) {
                    PatchEvents canonical = read(write(events), dialect);
                    if (canonical == null) {
                        throw new AssertionError("the canonical form is read in dialect " + dialect);
                    }
                    // The namespace of a PD row has no place in the canonical form: from there on, nothing is lost.
                    canonical.checkSame(read(write(canonical), dialect), "reading of the canonical form in " + dialect);
                }
            }
        });
    }

    private static PatchEvents read(byte[] data, RdfPatchDialect dialect) {
        PatchEvents events = new PatchEvents();
        RdfPatchReadOptions options = RdfPatchReadOptions.DEFAULT.withDialect(dialect).withMaxTokenBytes(Limits.MAX_BYTES);
        try (RdfPatchReader<byte[]> reader =
                new RdfPatchReader<>(new ByteArrayInputStream(data), "input", new Utf8Terms(), options)) {
            reader.readAll(events);
            return events;
        } catch (FormatException e) {
            return null;
        } catch (IOException e) {
            throw new AssertionError("bytes in memory can be read", e);
        }
    }

    private static byte[] write(PatchEvents events) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfPatchWriter<byte[]> writer =
                new RdfPatchWriter<>(out, "again", new Utf8Terms(), RdfPatchWriteOptions.DEFAULT)) {
            events.replay(writer);
        } catch (IOException e) {
            throw new AssertionError("bytes in memory can be written", e);
        }
        return out.toByteArray();
    }
}
