/**
 * A module of Apache Jena Fuseki: the patch endpoints of its datasets take Jelly-Patch, check where the dataset stands, and
 * answer with the truth. Loaded by Fuseki itself, from our jar beside its own; nothing else of ours uses this package.
 */
package io.jellybridge.fuseki;
