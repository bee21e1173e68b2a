/** Reads the quads of a dataset as a DataFrame. */
package io.jellybridge.spark.source;
