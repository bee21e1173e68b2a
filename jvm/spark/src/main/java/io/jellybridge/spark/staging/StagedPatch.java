package io.jellybridge.spark.staging;

import java.io.Serializable;

/**
 * A file that a task staged, as it tells the driver.
 *
 * @param file    with its rows, complete
 * @param rows    how many
 * @param patches in how many patches; the first and the last of them may go on in other tasks' files
 * @param first   where the first row stands; null without rows
 * @param last    likewise, the last one
 */
record StagedPatch(String file, long rows, long patches, RowPlace first, RowPlace last) implements Serializable {
}
