package io.jellybridge.spark;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The file format {@value #SHORT_NAME}: RDF Patch text ({@code .rdfp}, {@code .trp}, {@code .rdp}) as change rows,
 * compressed or not as the file's suffix says. Options: {@link RdfPatchSettings}.
 */
public final class RdfPatchFileFormat extends ChangeFileFormat {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "rdf-patch";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    ChangeSource source(Map<String, String> options) {
        return new Source(RdfPatchSettings.of(options).read());
    }

    @Override
    ChangeTarget target(Map<String, String> options) {
        return new Target(RdfPatchSettings.of(options));
    }

    private record Source(RdfPatchReadOptions options) implements ChangeSource {

        @Override
        public boolean splits() {
            return false;
        }

        @Override
        public <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, TermFactory<T> terms,
                Selection<T> selected) throws IOException {
            return new RdfPatchReader<>(HadoopFiles.open(path, hadoop), path.toString(), terms, options);
        }
    }

    private record Target(RdfPatchSettings settings) implements ChangeTarget {

        @Override
        public String extension() {
            return ".rdfp" + settings.compression().suffix();
        }

        @Override
        public OutputStream create(Path path, Configuration hadoop) throws IOException {
            return HadoopFiles.create(path, hadoop, settings.compression());
        }

        @Override
        public Writer write(OutputStream out, String file) {
            return Writer.of(new RdfPatchWriter<>(out, file, new Utf8Terms(), settings.write()));
        }
    }
}
