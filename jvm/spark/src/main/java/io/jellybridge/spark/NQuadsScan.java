package io.jellybridge.spark;

import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import scala.collection.immutable.Map;

/** Opens the statements of N-Quads files. */
final class NQuadsScan extends FileScan {
    private static final long serialVersionUID = 1L;

    private final int[] ordinals;
    private final boolean rdfStar;
    private final boolean mendTags;

    /** @param columns those of {@link NQuadsColumns} that are asked for */
    NQuadsScan(StructType columns, StructType folderColumns, boolean rdfStar, boolean mendTags,
            Map<String, String> options, Broadcast<SerializableConfiguration> hadoop) {
        super(columns, folderColumns, options, hadoop);
        this.ordinals = NQuadsColumns.ordinals(columns);
        this.rdfStar = rdfStar;
        this.mendTags = mendTags;
    }

    @Override
    FileBatches open(PartitionedFile part, Configuration conf, RowBatch rows) throws IOException {
        NQuadsBatches batches = new NQuadsBatches(part, new NQuadsParser(rdfStar, false, mendTags), ordinals, rows);
        try {
            batches.open(conf);
        } catch (IOException e) {
            batches.close();
            throw e;
        }
        return batches;
    }
}
