package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.convert.CanonicalQuad;
import io.jellybridge.convert.Place;
import io.jellybridge.convert.StatementSink;
import io.jellybridge.files.ExternalSorter.Items;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Writes a state to a sorted file of statements. */
public final class StateFile {

    private StateFile() {
    }

    /**
     * Writes a state, which is consumed by this. The suffix of the file gives the format: N-Quads, or Jelly with the prefixes.
     * The file appears complete or not at all.
     *
     * @return the number of quads
     * @throws IllegalArgumentException the suffix belongs to no such format
     */
    public static long write(State state, String file) throws IOException {
        RdfOptions options = PartWriter.options(state.prefixes());
        try (StatementSink out = new StatementSink(new Place(file), options)) {
            for (Map.Entry<String, byte[]> prefix : state.prefixes().entrySet()) {
                out.namespace(prefix.getKey().getBytes(UTF_8), prefix.getValue());
            }
            long written = 0;
            Items<CanonicalQuad> quads = state.quads();
            for (CanonicalQuad quad = quads.next(); quad != null; quad = quads.next()) {
                out.statement(quad.subject(), quad.predicate(), quad.object(), quad.graph());
                written++;
            }
            out.commit();
            return written;
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapped(e);
        }
    }
}
