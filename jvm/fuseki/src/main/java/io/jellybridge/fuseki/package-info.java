/**
 * A module of Apache Jena Fuseki. The patch endpoints of its datasets accept Jelly-Patch, check the dataset's position, and
 * report the true result. Fuseki itself loads the module from our jar beside its own. No other code of ours uses this package.
 */
package io.jellybridge.fuseki;
