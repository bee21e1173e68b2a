/**
 * From one format to another, and what the command line does with files: streams of patches and of statements, in
 * memory that does not grow with them. Terms are UTF-8 all the way; they become Jena's only on the way into and out of
 * Thrift, and in what RIOT reads. Knows {@code codec}, {@code text} and {@code jena}; nothing of Spark.
 */
package io.jellybridge.convert;
