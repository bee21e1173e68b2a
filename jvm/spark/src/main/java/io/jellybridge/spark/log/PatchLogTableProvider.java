package io.jellybridge.spark.log;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.LogConflictException;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.PatchAppender;
import io.jellybridge.log.PatchLog;
import io.jellybridge.options.OptionValues;
import io.jellybridge.spark.ChangeColumn;
import io.jellybridge.spark.RdfTableProvider;
import io.jellybridge.spark.staging.BatchFailedException;
import io.jellybridge.spark.staging.StagedBatch;
import io.jellybridge.spark.staging.StagedWrite;
import io.jellybridge.spark.staging.StagedWrite.BatchStep;
import io.jellybridge.spark.staging.StagingOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The format {@code rdf-patch-log}: reads and appends the change rows of a patch log, in batch and streaming. Options: {@link
 * PatchLogOptions}.
 */
public final class PatchLogTableProvider extends RdfTableProvider {
    /** The name in {@code format(…)}. */
    public static final String SHORT_NAME = "rdf-patch-log";
    /** An internal option: the log must still have the ending version, which a plan has resolved. */
    public static final String EXACT = "__exact";

    private static final Logger LOGGER = LoggerFactory.getLogger(PatchLogTableProvider.class);
    private static final Set<TableCapability> CAPABILITIES = Set.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ,
            TableCapability.BATCH_WRITE, TableCapability.STREAMING_WRITE, TableCapability.ACCEPT_ANY_SCHEMA);

    /** Creates the provider. */
    public PatchLogTableProvider() {
        super(SHORT_NAME, ChangeColumn.SCHEMA, CAPABILITIES);
    }

    @Override
    protected Table tableOf(StructType schema, Map<String, String> options) {
        PatchLogOptions given = PatchLogOptions.of(options);
        StagedWrite.check(schema);
        return new PatchLogTable(schema, given);
    }

    /** A patch log as a table of change rows. On reading, {@code patch} is the version; on writing, it only orders the patches. */
    private static final class PatchLogTable extends RdfTableProvider.StoreTable implements SupportsWrite {
        private final PatchLogOptions options;
        private final boolean isRead;

        /**
         * @param schema the schema to write; {@link ChangeColumn#SCHEMA} for a read
         */
        PatchLogTable(StructType schema, PatchLogOptions options) {
            super(PatchLogTableProvider.SHORT_NAME + " " + options.address(), schema, PatchLogTableProvider.CAPABILITIES);
            this.options = options;
            this.isRead = schema.equals(ChangeColumn.SCHEMA);
        }

        /**
         * @throws IllegalArgumentException the read has a schema with other columns
         */
        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
            if (!isRead) {
                throw ownColumnsError();
            }
            return new PatchLogScan(options);
        }

        @Override
        public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
            return builderOf(() -> {
                OptionValues given = PatchLogOptions.TABLE.parseValues(info.options());
                StagingOptions staging = StagingOptions.of(given);
                String writer = staging.txnAppId() == null ? info.queryId() : staging.txnAppId();
                return new StagedWrite(name(), info.queryId(), info.schema(), staging,
                        new LogStep(given, writer, staging.txnVersion(), false), epoch -> new LogStep(given, writer, epoch, true));
            });
        }

        /**
         * A batch step that appends the patches of a batch to a log. A patch without an id gets one that is derived from the writer,
         * the number of the batch and the number of the patch. A log skips a known id, so a repeated batch continues where it stopped.
         *
         * @param log    the options with the log's address
         * @param writer the id of a query, or a replacement for it
         * @param batch  the number of the batch
         * @param isEpoch true if the batch is an epoch of a streaming query, which Spark repeats with the same rows
         */
        private record LogStep(OptionValues log, String writer, long batch, boolean isEpoch) implements BatchStep {

            /**
             * @throws BatchFailedException  a patch does not follow the log's head, or another patch has its id
             * @throws IllegalStateException the log has a later batch of the query, and not all of this one
             */
            @Override
            public void take(StagedBatch staged) throws IOException {
                if (staged.rows() == 0) {
                    return;
                }
                try (PatchLog opened = PatchLogOptions.openLog(log)) {
                    if (isEpoch) {
                        requireLatest(opened, staged);
                    }
                    LogHead lost = null;
                    while (true) {
                        try {
                            appendBatch(opened, staged);
                            return;
                        } catch (LogConflictException e) {
                            if (isRepeated(e, opened, staged)) {
                                LOGGER.warn("{}: batch {} of '{}' is version {} already, with other rows; nothing is appended",
                                        opened.name(), batch, writer, e.found().version());
                                return;
                            }
                            // If another process appended first, the patch is tried again after that one. If the patch names the patch
                            // that it follows, that can't help: the next conflict finds the same head.
                            if (e.isTaken() || e.found().equals(lost)) {
                                throw new BatchFailedException(e);
                            }
                            lost = e.found();
                        }
                    }
                }
            }

            /** Checks that the query's checkpoint is not an older copy. Batches that are cut anew give known patches new ids. */
            private void requireLatest(PatchLog opened, StagedBatch staged) throws IOException {
                LogStep next = new LogStep(log, writer, batch + 1, isEpoch);
                boolean hasMore = has(opened, idOf(staged.count()));
                if (hasMore || has(opened, next.idOf(0)) && !has(opened, idOf(staged.count() - 1))) {
                    throw new IllegalStateException("this is batch " + batch + " of the query " + writer + ", and " + opened.name()
                            + (hasMore ? " has it with more patches" : " has batch " + next.batch)
                            + " already: the checkpoint is older than the log, or the query was changed; take the "
                            + "checkpoint and the query that belong to it, or start with a new checkpoint, which begins where the "
                            + "source does");
                }
            }

            private static boolean has(PatchLog opened, UUID id) throws IOException {
                return opened.versionWith(id.toString()) > 0;
            }

            /**
             * Returns whether a batch of one patch was appended before under this number, with other rows. A difference to the head has
             * other rows when it is made again, for example. A batch of several patches may be there in part, so its rows must be the same.
             */
            private boolean isRepeated(LogConflictException conflict, PatchLog opened, StagedBatch staged) throws IOException {
                return conflict.isTaken() && log.has(StagingOptions.TXN_APP_ID) && conflict.found().id().equals(idOf(0).toString())
                        && staged.count() == 1 && !has(opened, idOf(1));
            }

            private void appendBatch(PatchLog opened, StagedBatch staged) throws IOException {
                try (PatchSource<byte[]> patches = staged.open(new Utf8Terms()); PatchAppender.Batch batch = opened.batch()) {
                    long number = 0;
                    while (batch.appendAs(idOf(number), patches) != null) {
                        number++;
                    }
                    batch.put();
                }
            }

            private UUID idOf(long number) {
                return UUID.nameUUIDFromBytes((writer + '/' + batch + '/' + number).getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
