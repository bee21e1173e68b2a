package io.jellybridge.spark;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StreamPart;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.types.StructType;

/**
 * The file format {@value #SHORT_NAME}: {@code .jellyp} files as change rows. The suffix says the compression. Options: {@link
 * FormatOptions#JELLY_PATCH}.
 */
public final class JellyPatchFileFormat extends ChangeFileFormat {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "jelly-patch";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    OptionTable options() {
        return FormatOptions.JELLY_PATCH;
    }

    @Override
    ChangeSource changes(OptionValues given) {
        return new Source(FormatOptions.reading(given));
    }

    @Override
    FileOutput output(OptionValues given, StructType schema) {
        PatchOptions stream = FormatOptions.patchStream(given);
        WriteOptions cut = FormatOptions.cut(given, stream);
        int[] positions = ChangeColumn.positionsToWrite(schema);
        return new FileOutput(".jellyp", given.get(FormatOptions.COMPRESSION), ORDER,
                (out, path, folder) -> ChangeRowWriter.of(
                        new PatchWriter<>(out, path, new Utf8Terms(), stream, cut), positions, folder));
    }

    private record Source(ReadOptions options) implements ChangeSource {

        @Override
        public boolean splits() {
            return true;
        }

        @Override
        public <T> PatchSource<T> open(Path path, Configuration hadoop, long start, long end, TermFactory<T> terms)
                throws IOException {
            StreamPart part = HadoopFiles.openPart(path, hadoop, start, end);
            return part == null ? null : new PatchReader<>(part, path.toString(), terms, options);
        }
    }
}
