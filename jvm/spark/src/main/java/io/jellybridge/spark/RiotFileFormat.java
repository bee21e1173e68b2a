package io.jellybridge.spark;

import static io.jellybridge.spark.StatementColumns.GRAPH;
import static io.jellybridge.spark.StatementColumns.OBJECT;
import static io.jellybridge.spark.StatementColumns.PREDICATE;
import static io.jellybridge.spark.StatementColumns.SUBJECT;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.BadStatements;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.jena.riot.RiotStatements;
import io.jellybridge.log.LogProperties;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.FileBatches.BadPart;
import io.jellybridge.spark.FileRowReader.FileInput;
import io.jellybridge.spark.FileWriter.FileOutput;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The file format {@value #SHORT_NAME}: files in any syntax that Jena reads, by suffix, as rows of canonical terms. Read-only.
 * Columns: {@link StatementColumns#QUADS}; options: {@link FormatOptions#RDF}.
 *
 * <p>One task reads a file. N-Quads, N-Triples and Jelly files are exceptions: they are read as in their own formats, and keep
 * their blank node labels. For other files, {@link RiotStatements} creates labels that are the same for every reader.
 */
public final class RiotFileFormat extends RdfFileFormat {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "rdf";

    private static final long serialVersionUID = 1L;

    /** Creates the format. */
    public RiotFileFormat() {
        super(SHORT_NAME, StatementColumns.QUADS, SHORT_NAME + " rows");
    }

    @Override
    OptionTable options() {
        return FormatOptions.RDF;
    }

    @Override
    FileInput toInput(OptionValues given, boolean ignoreCorruptFiles, Supplier<Configuration> hadoop) {
        return new Input(given.get(FormatOptions.SYNTAX), given.get(FormatOptions.BASE), given.get(FormatOptions.REMOTE_CONTEXTS),
                given.get(FormatOptions.MAX_FRAME_BYTES), FormatOptions.badStatements(given, ignoreCorruptFiles, hadoop), ignoreCorruptFiles);
    }

    @Override
    FileOutput toOutput(OptionValues given, StructType schema) {
        throw new IllegalArgumentException(SHORT_NAME + " is for reading; write " + NQuadsFileFormat.SHORT_NAME + " or "
                + JellyRdfFileFormat.SHORT_NAME);
    }

    /**
     * @param syntax the syntax of all files; null for that of each suffix
     */
    private record Input(String syntax, String base, boolean remoteContexts, int maxFrameBytes, FormatOptions.BadFolder bad,
            boolean ignoreCorruptFiles) implements FileInput {

        @Override
        public boolean canSplit(Path path) {
            FileInput own = ofOwnFormat(openFile(path, path.getName(), null)); // the name has no compression suffix here
            return own != null && own.canSplit(path);
        }

        @Override
        public void checkFile(Path path, Configuration hadoop) {
            if (path.getName().equals(LogProperties.NAME)) {
                throw new IllegalArgumentException(path.getParent() + " is a patch log; read its statements by the format rdf-dataset, "
                        + "or its changes by rdf-patch-log");
            }
            openReadable(path, HadoopFiles.plainName(path, hadoop));
        }

        /**
         * @throws IllegalArgumentException its syntax is unknown
         */
        private RdfFile openReadable(Path path, String plainName) {
            RdfFile file = openFile(path, plainName, null);
            if (!file.isReadable()) {
                throw new IllegalArgumentException(file.unknownSyntaxError().getMessage() + "; or name the syntax of all files by the "
                        + "option '" + FormatOptions.SYNTAX.name() + "'");
            }
            return file;
        }

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            Path path = part.toPath();
            String plainName = HadoopFiles.plainName(path, hadoop);
            RdfFile file = openReadable(path, plainName);
            FileInput own = ofOwnFormat(file);
            if (own != null) {
                return own.open(part, hadoop, rows, filter);
            }
            BadPart aside = bad.open(part, hadoop);
            RdfFile read = aside == null ? file : openFile(path, plainName, aside.statements());
            return new RiotBatches(new RiotStatements(HadoopFiles.openFile(path, hadoop), read, read.path(), new Utf8Terms()),
                    read.name(), rows, aside);
        }

        /**
         * @param plainName the file's name without the suffix of its compression
         */
        private RdfFile openFile(Path path, String plainName, BadStatements aside) {
            // The same URL as outside of Spark, since blank node labels depend on it. Hadoop does not escape all that Java does.
            URI uri = path.toUri();
            String place = ("file".equals(uri.getScheme()) ? new File(uri.getPath()).toPath().toUri() : uri).toString();
            int dot = plainName.lastIndexOf('.');
            String suffix = dot < 0 ? null : plainName.substring(dot + 1);
            return new RdfFile(place, place, base, syntax == null ? suffix : syntax, remoteContexts, aside);
        }

        /** Returns the input of the file's own format; null if RIOT reads it. */
        private FileInput ofOwnFormat(RdfFile file) {
            return file.isNQuads() ? new NQuadsFileFormat.Input(false, false, maxFrameBytes, bad)
                    : file.isJelly() ? new JellyRdfFileFormat.Input(
                            ReadOptions.DEFAULT.withMaxFrameBytes(maxFrameBytes), ignoreCorruptFiles) : null;
        }
    }

    /** The statements of one file in a syntax that RIOT reads, as batches. */
    private static final class RiotBatches extends FileBatches implements RdfHandler<byte[]> {
        private final RiotStatements statements;

        private long read;

        /**
         * @param bad the file for bad statements; null to throw an error for the first one
         */
        RiotBatches(RiotStatements statements, String file, RowBatch rows, BadPart bad) {
            super(statements, file, rows, 0, bad);
            this.statements = statements;
        }

        @Override
        boolean readOn() throws IOException {
            boolean more = statements.next(this);
            if (!more) {
                endBad(read);
            }
            return more;
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            rows.setText(SUBJECT, UTF8String.fromBytes(subject));
            rows.setText(PREDICATE, UTF8String.fromBytes(predicate));
            rows.setText(OBJECT, UTF8String.fromBytes(object));
            rows.setText(GRAPH, UTF8String.fromBytes(graph));
            rows.endRow();
            read++;
        }
    }
}
