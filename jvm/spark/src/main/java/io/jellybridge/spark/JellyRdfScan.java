package io.jellybridge.spark;

import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.StreamPart;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.immutable.Map;

/** Opens the statements of Jelly-RDF files. */
final class JellyRdfScan extends FileScan {
    private static final long serialVersionUID = 1L;

    private final int[] positions;
    private final ReadOptions options;
    private final PushedFilter filter;

    /**
     * @param columns those {@link JellyRdfColumn}s that are asked for
     * @param filter  which statements are wanted; null for all
     */
    JellyRdfScan(StructType columns, StructType folderColumns, ReadOptions options, PushedFilter filter,
            Map<String, String> ofSpark, Broadcast<SerializableConfiguration> hadoop) {
        super(columns, folderColumns, ofSpark, hadoop);
        this.positions = JellyRdfColumn.positions(columns);
        this.options = options;
        this.filter = filter;
    }

    @Override
    FileBatches open(PartitionedFile part, Configuration conf, RowBatch rows) throws IOException {
        Path path = part.toPath();
        StreamPart bytes = HadoopFiles.openPart(path, conf, part.start(), part.start() + part.length());
        if (bytes == null) {
            return null;
        }
        RdfReader<UTF8String> reader = new RdfReader<>(bytes, path.toString(), new SparkTerms(), options);
        reader.select(new Selection<>(wants(JellyRdfColumn.SUBJECT), wants(JellyRdfColumn.PREDICATE),
                wants(JellyRdfColumn.OBJECT), wants(JellyRdfColumn.GRAPH), filter));
        return new JellyRdfBatches(reader, path.toString(), positions, rows);
    }

    private boolean wants(JellyRdfColumn column) {
        return positions[column.ordinal()] >= 0;
    }
}
