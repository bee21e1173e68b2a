package io.jellybridge.convert;

import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import java.io.InputStream;

/** Files of statements, to be read. */
public final class StatementFiles {

    private StatementFiles() {
    }

    /**
     * Reads lines of N-Quads, or of N-Triples, whose terms keep their language tags as they came. Triple terms may be subjects
     * too, as in datasets.
     *
     * @param text closed by the source
     */
    public static StatementSource<byte[]> lines(InputStream text, String name, boolean quads) {
        return new NQuadsSource(text, name, new NQuadsParser(true, true, false), quads ? Format.NQUADS : Format.NTRIPLES,
                ReadOptions.DEFAULT.maxFrameBytes());
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
