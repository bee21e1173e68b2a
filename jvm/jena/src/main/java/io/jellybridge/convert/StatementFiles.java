package io.jellybridge.convert;

import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import java.io.InputStream;
import org.apache.jena.riot.Lang;

/** Files of statements, to be read. */
public final class StatementFiles {

    private StatementFiles() {
    }

    /**
     * Reads N-Quads, N-Triples or Jelly, whose terms keep their language tags as they came. Triple terms may be subjects too, as in
     * datasets.
     *
     * @param content closed by the source
     */
    public static StatementSource<byte[]> read(InputStream content, RdfFile file) {
        StatementSource<byte[]> source = file.isJelly()
                ? new JellySource<>(new RdfReader<>(content, file.name(), Utf8Terms.keepingTags(false), ReadOptions.DEFAULT))
                : new NQuadsSource(content, file.name(), new NQuadsParser(true, true, false),
                        Lang.NQUADS.equals(file.lang()) ? Format.NQUADS : Format.NTRIPLES, ReadOptions.DEFAULT.maxFrameBytes());
        return file.bad() == null ? source : new TolerantSource(source, file.name(), ConvertOptions.strict(false), file.bad());
    }

    /**
     * Opens a snapshot in the format of its suffix; its terms are canonical. The caller closes it.
     *
     * @throws IllegalArgumentException the suffix names no format, or one that holds no statements
     */
    public static StatementSource<byte[]> read(Place file) throws IOException {
        return new Input(file, null, ConvertOptions.strict(false), new Meter()).ofSnapshot().statements(new Utf8Terms(), false);
    }
}
