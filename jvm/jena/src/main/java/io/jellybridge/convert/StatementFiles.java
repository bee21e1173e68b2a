package io.jellybridge.convert;

import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import java.io.InputStream;
import org.apache.jena.riot.Lang;

/** Opens files of statements. */
public final class StatementFiles {

    private StatementFiles() {
    }

    /**
     * Opens N-Quads, N-Triples or Jelly. The case of language tags is kept. Triple terms may be subjects, as in datasets.
     *
     * @param content the bytes; closed by the source
     */
    public static StatementSource<byte[]> read(InputStream content, RdfFile file) {
        StatementSource<byte[]> source = file.isJelly()
                ? new JellySource<>(new RdfReader<>(content, file.name(), Utf8Terms.keepingTags(false), ReadOptions.DEFAULT))
                : new NQuadsSource(content, file.name(), new NQuadsParser(true, true, false),
                        Lang.NQUADS.equals(file.lang()) ? Format.NQUADS : Format.NTRIPLES, ReadOptions.DEFAULT.maxFrameBytes());
        return file.bad() == null ? source : new TolerantSource(source, file.name(), ConvertOptions.strict(false), file.bad());
    }

    /**
     * Opens a snapshot in the format of its suffix, with canonical terms. The caller closes it.
     *
     * @throws IllegalArgumentException the suffix is unknown, or its format does not hold statements
     */
    public static StatementSource<byte[]> read(Place file) throws IOException {
        return new Input(file, null, ConvertOptions.strict(false), new ProgressMeter()).ofSnapshot()
                .statements(new Utf8Terms(), false);
    }
}
