/** Works on the files of TDB2: its folder, its journal, and the bulk load into an empty database. */
package io.jellybridge.jena.tdb;
