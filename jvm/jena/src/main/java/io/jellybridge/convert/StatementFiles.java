package io.jellybridge.convert;

import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;

/** Files of statements, to be read. */
public final class StatementFiles {

    private StatementFiles() {
    }

    /**
     * Opens a file in the format of its suffix; its terms are canonical. The caller closes it.
     *
     * @throws IllegalArgumentException the suffix names no format, or one that holds no statements
     */
    public static StatementSource<byte[]> read(Place file) throws IOException {
        return new Input(file, null, ConvertOptions.strict(false), new Meter()).statements(new Utf8Terms(), false);
    }
}
