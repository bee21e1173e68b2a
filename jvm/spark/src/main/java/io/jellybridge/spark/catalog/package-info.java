/** The catalog of what SQL finds by name: logs as tables, in any of their versions, and our functions. */
package io.jellybridge.spark.catalog;
