package io.jellybridge.spark;

import static io.jellybridge.spark.StatementColumns.FRAME;
import static io.jellybridge.spark.StatementColumns.GRAPH;
import static io.jellybridge.spark.StatementColumns.OBJECT;
import static io.jellybridge.spark.StatementColumns.PREDICATE;
import static io.jellybridge.spark.StatementColumns.SUBJECT;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementWriter;
import io.jellybridge.codec.StreamPart;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The file format {@value #SHORT_NAME}: Jelly-RDF files ({@code .jelly}) as rows of canonical terms. The suffix says the
 * compression. Columns: {@link StatementColumns#FRAMED_QUADS}; options: {@link FormatOptions#JELLY_RDF}.
 *
 * <p>Decoding a row needs the lookups of all rows before it. So a file is split at its restart points only. A file without
 * restart points, and a compressed file, is read by one task. Columns that a query does not use are decoded only as far as
 * later rows need them. The same applies to rows that its filters on {@code predicate} and {@code graph} exclude.
 *
 * <p>Namespace declarations and empty graphs make no rows. With {@code ignoreCorruptFiles}, the statements before the fault are
 * kept, since statements are independent. In a grouped stream, the last element may be incomplete then.
 */
public final class JellyRdfFileFormat extends RdfFileFormat {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "jelly";

    private static final long serialVersionUID = 1L;

    @Override
    public String shortName() {
        return SHORT_NAME;
    }

    @Override
    StructType columns() {
        return StatementColumns.FRAMED_QUADS;
    }

    @Override
    OptionTable options() {
        return FormatOptions.JELLY_RDF;
    }

    @Override
    FileInput input(OptionValues given, boolean ignoreCorruptFiles) {
        return new Input(FormatOptions.reading(given));
    }

    @Override
    FileOutput output(OptionValues given, StructType schema) {
        RdfOptions stream = FormatOptions.rdfStream(given);
        WriteOptions cut = FormatOptions.cut(given, stream);
        int[] positions = StatementColumns.positionsToWrite(schema, columns(), SHORT_NAME, stream.grouped());
        return new FileOutput(".jelly", given.get(FormatOptions.COMPRESSION),
                stream.grouped() ? List.of(StatementColumns.name(FRAME)) : List.of(),
                (out, path, folder) -> new JellyRdfWriter(new StatementWriter<>(out, path, new Utf8Terms(), stream, cut),
                        stream.grouped(), positions, folder));
    }

    record Input(ReadOptions options) implements FileInput {

        @Override
        public FileBatches open(PartitionedFile part, Configuration hadoop, RowBatch rows, PushedFilter filter)
                throws IOException {
            StreamPart bytes = HadoopFiles.openPart(part.toPath(), hadoop, part.start(), part.start() + part.length());
            if (bytes == null) {
                return null;
            }
            String file = part.toPath().toString();
            RdfReader<UTF8String> reader = new RdfReader<>(bytes, file, new SparkTerms(), options);
            reader.select(rows.selection(SUBJECT, filter));
            return new Statements(reader, file, rows);
        }
    }

    /** The statements of a file or a split, as batches. */
    static final class Statements extends FileBatches implements RdfHandler<UTF8String> {
        private final RdfReader<UTF8String> reader;

        Statements(RdfReader<UTF8String> reader, String file, RowBatch rows) {
            super(reader, file, rows);
            this.reader = reader;
        }

        @Override
        boolean readOn() throws IOException {
            return reader.next(this);
        }

        @Override
        public void statement(UTF8String subject, UTF8String predicate, UTF8String object, UTF8String graph) {
            rows.text(SUBJECT, subject);
            rows.text(PREDICATE, predicate);
            rows.text(OBJECT, object);
            rows.text(GRAPH, graph);
            rows.number(FRAME, reader.frame());
            rows.endRow();
        }
    }
}
