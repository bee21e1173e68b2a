/** TDB2's own files: its folder, its journal, the bulk load into an empty one. Knows {@code apply} and Jena's TDB2. */
package io.jellybridge.jena.tdb;
