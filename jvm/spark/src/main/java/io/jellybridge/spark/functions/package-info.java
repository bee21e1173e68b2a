/**
 * The functions of ours in Spark SQL: {@link io.jellybridge.spark.functions.JellyFunctions} names them all. A session has
 * them by {@link io.jellybridge.spark.functions.JellyExtensions}, without any setting; a client of Spark Connect, whose
 * session was made before the jar came, by {@link io.jellybridge.spark.catalog.JellyCatalog}.
 */
package io.jellybridge.spark.functions;
