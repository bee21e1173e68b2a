package io.jellybridge.spark;

import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.StreamPart;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The file format {@value #SHORT_NAME}: {@code .jellyp} files as change rows, compressed or not as the file's suffix says.
 * Options: {@link PatchReadSettings},
 * {@link PatchWriteSettings}.
 */
public final class JellyPatchFileFormat extends ChangeFileFormat {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "jelly-patch";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    ChangeSource source(Map<String, String> options) {
        return new Source(PatchReadSettings.of(options));
    }

    @Override
    ChangeTarget target(Map<String, String> options) {
        return new Target(PatchWriteSettings.of(options));
    }

    private record Source(ReadOptions options) implements ChangeSource {

        @Override
        public boolean splits() {
            return true;
        }

        @Override
        public <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, TermFactory<T> terms,
                Selection<T> selected) throws IOException {
            StreamPart part = HadoopFiles.openPart(path, hadoop, start, end);
            if (part == null) {
                return null;
            }
            PatchReader<T> reader = new PatchReader<>(part, path.toString(), terms, options);
            reader.select(selected);
            return reader;
        }
    }

    private record Target(PatchWriteSettings settings) implements ChangeTarget {

        @Override
        public String extension() {
            return ".jellyp" + settings.compression().suffix();
        }

        @Override
        public OutputStream create(Path path, Configuration hadoop) throws IOException {
            return HadoopFiles.create(path, hadoop, settings.compression());
        }

        @Override
        public Writer write(OutputStream out, String file) {
            return Writer.of(new PatchWriter<>(out, file, new Utf8Terms(), settings.stream(), settings.cut()));
        }
    }
}
