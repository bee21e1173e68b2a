/**
 * Works on the files of TDB2: its folder, its journal, and the bulk load into an empty database. This package uses {@code
 * apply} and Jena's TDB2.
 */
package io.jellybridge.jena.tdb;
