package io.jellybridge.spark;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.StructType;

/**
 * The file format {@value #SHORT_NAME}: RDF Patch files ({@code .rdfp}, {@code .trp}, {@code .rdp}) as change rows. The suffix
 * says the compression. Options: {@link FormatOptions#RDF_PATCH}.
 */
public final class RdfPatchFileFormat extends ChangeFileFormat {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "rdf-patch";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    OptionTable options() {
        return FormatOptions.RDF_PATCH;
    }

    @Override
    ChangeSource changes(OptionValues given) {
        return new Source(FormatOptions.readingText(given));
    }

    @Override
    FileOutput output(OptionValues given, StructType schema) {
        RdfPatchWriteOptions text = FormatOptions.writingText(given);
        int[] positions = ChangeColumn.positionsToWrite(schema);
        return new FileOutput(".rdfp", given.get(FormatOptions.COMPRESSION), ORDER,
                (out, path, folder) -> ChangeRowWriter.of(
                        new RdfPatchWriter<>(out, path, new Utf8Terms(), text), positions, folder));
    }

    private record Source(RdfPatchReadOptions options) implements ChangeSource {

        @Override
        public boolean splits() {
            return false;
        }

        @Override
        public <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, TermFactory<T> terms)
                throws IOException {
            return new RdfPatchReader<>(HadoopFiles.open(path, hadoop), path.toString(), terms, options);
        }
    }
}
