/** The catalog for SQL names: logs as tables, in any of their versions, and our functions. */
package io.jellybridge.spark.catalog;
