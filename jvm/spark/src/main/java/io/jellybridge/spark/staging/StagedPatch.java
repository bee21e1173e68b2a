package io.jellybridge.spark.staging;

import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task tells the driver.
 *
 * @param file with its rows, complete
 * @param rows how many
 */
record StagedPatch(String file, long rows) implements WriterCommitMessage {
}
