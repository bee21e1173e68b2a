package io.jellybridge.spark.staging;

import java.io.Serializable;

/**
 * A task's report to the driver about its staged file.
 *
 * @param file    the complete file with the task's rows
 * @param rows    the number of rows
 * @param patches the number of patches; the first and the last of them may continue in other tasks' files
 * @param first   the place of the first row; null without rows
 * @param last    the place of the last row; null without rows
 */
record StagedPatch(String file, long rows, long patches, RowPlace first, RowPlace last) implements Serializable {
}
