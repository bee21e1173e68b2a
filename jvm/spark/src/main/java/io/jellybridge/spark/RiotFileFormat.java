package io.jellybridge.spark;

import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.jena.riot.RiotStatements;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;

/**
 * The file format {@value #SHORT_NAME}: files in any syntax that Jena reads, by their suffixes, as rows of canonical terms;
 * for reading alone. Columns: {@link StatementColumns#QUADS}; options: {@link FormatOptions#RDF}.
 *
 * <p>A file is one task's work, but for N-Quads, N-Triples and Jelly, which are read as in their own formats, with the labels
 * of blank nodes that they have. The labels of the others are made as {@link RiotStatements} says, whoever reads.
 */
public final class RiotFileFormat extends RdfFileFormat {
    /** What {@code format(…)} calls it. */
    public static final String SHORT_NAME = "rdf";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    StructType columns() {
        return StatementColumns.QUADS;
    }

    @Override
    OptionTable options() {
        return FormatOptions.RDF;
    }

    @Override
    FileInput input(OptionValues given, boolean ignoreCorruptFiles) {
        return new Input(given.get(FormatOptions.SYNTAX), given.get(FormatOptions.BASE),
                given.get(FormatOptions.REMOTE_CONTEXTS));
    }

    @Override
    FileOutput output(OptionValues given, StructType schema) {
        throw new IllegalArgumentException(SHORT_NAME + " is for reading; write " + NQuadsFileFormat.SHORT_NAME + " or "
                + JellyRdfFileFormat.SHORT_NAME);
    }

    /** @param syntax of all files; null: that of each one's suffix */
    private record Input(String syntax, String base, boolean remoteContexts) implements FileInput {
        private static final FileInput NQUADS = new NQuadsFileFormat.Input(false, false);
        private static final FileInput JELLY = new JellyRdfFileFormat.Input(ReadOptions.DEFAULT);

        @Override
        public boolean splits(Path path) {
            return ofOwnFormat(file(path, path.getName())) != null; // it is not compressed
        }

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            Path path = part.toPath();
            RdfFile file = file(path, HadoopFiles.plainName(path, hadoop));
            if (!file.isReadable()) {
                throw file.unknownSyntax();
            }
            FileInput own = ofOwnFormat(file);
            return own != null ? own.open(part, hadoop, rows, filter)
                    : new RiotBatches(new RiotStatements(HadoopFiles.open(path, hadoop), file, file.path(), new Utf8Terms()),
                            file.name(), rows);
        }

        /** @param plainName without the suffix of its compression */
        private RdfFile file(Path path, String plainName) {
            // As everywhere else, so that the labels of blank nodes are, too.
            String place = path.toUri().toString().replaceFirst("^file:/(?!/)", "file:///");
            int dot = plainName.lastIndexOf('.');
            String suffix = dot < 0 ? null : plainName.substring(dot + 1);
            return new RdfFile(place, place, base, syntax == null ? suffix : syntax, remoteContexts);
        }

        /** Who else reads such a file; null where RIOT does. */
        private static FileInput ofOwnFormat(RdfFile file) {
            return file.isNQuads() ? NQUADS : file.isJelly() ? JELLY : null;
        }
    }
}
