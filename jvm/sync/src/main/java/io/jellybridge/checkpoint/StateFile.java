package io.jellybridge.checkpoint;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.convert.Place;
import io.jellybridge.convert.StatementSink;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes a state to a sorted file of statements. */
public final class StateFile {

    private StateFile() {
    }

    /**
     * Writes a state, which is consumed by this. The suffix of the file gives the format. Prefixes are kept if it has them.
     * The file appears complete or not at all.
     *
     * @return the number of quads
     * @throws IllegalArgumentException the suffix belongs to no such format
     */
    public static long write(State state, String file) throws IOException {
        RdfOptions options = PartWriter.options(state.prefixes());
        try (StatementSink out = new StatementSink(new Place(file), options)) {
            state.read(out);
            out.commit();
            return out.statements();
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapped(e);
        }
    }
}
