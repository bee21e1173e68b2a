/**
 * The user's data of a dataset, without our own graph: views, cursors, results of queries, and the stored position. This
 * package uses {@code nodes} and Jena.
 */
package io.jellybridge.jena.data;
