/**
 * What a dataset holds, without what is ours in it: views, rows, answers of queries, the position that it stands at. Knows
 * {@code nodes} and Jena.
 */
package io.jellybridge.jena.data;
