/**
 * Our functions in Spark SQL. {@link io.jellybridge.spark.functions.JellyFunctions} lists them. {@link
 * io.jellybridge.spark.functions.JellyExtensions} registers them in a session, without any setting. In Spark Connect, where a
 * session may be older than the jar, {@link io.jellybridge.spark.catalog.JellyCatalog} provides them.
 */
package io.jellybridge.spark.functions;
