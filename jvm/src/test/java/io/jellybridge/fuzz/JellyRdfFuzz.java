package io.jellybridge.fuzz;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads bytes as Jelly-RDF: a typed error or events, nothing else; what a strict reader takes, a tolerant one reads the
 * same.
 */
public final class JellyRdfFuzz {

    private JellyRdfFuzz() {
    }

    /** The entry point that Jazzer looks for. */
    public static void fuzzerTestOneInput(byte[] data) {
        Limits.check(() -> {
            List<String> tolerant = read(data, Limits.TOLERANT);
            List<String> strict = read(data, Limits.STRICT);
            if (strict != null && !strict.equals(tolerant)) {
                throw new AssertionError("tolerant and strict reading differ: " + tolerant + " and " + strict);
            }
        });
    }

    private static List<String> read(byte[] data, ReadOptions options) {
        Lines lines = new Lines();
        try (RdfReader<byte[]> reader =
                new RdfReader<>(new ByteArrayInputStream(data), "input", new Utf8Terms(), options)) {
            reader.readAll(lines);
            return lines.lines;
        } catch (FormatException e) {
            return null;
        } catch (IOException e) {
            throw new AssertionError("bytes in memory can be read", e);
        }
    }

    private static final class Lines implements RdfHandler<byte[]> {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            add("NS", name, namespace);
        }

        @Override
        public void startGraph(byte[] graph) {
            add("start", graph);
        }

        @Override
        public void endGraph() {
            add("end");
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            add("statement", subject, predicate, object, graph);
        }

        @Override
        public void endFrame(Map<String, byte[]> metadata) {
            add("frame " + metadata.keySet());
        }

        private void add(String kind, byte[]... texts) {
            lines.add(PatchEvents.line(kind, texts));
        }
    }
}
