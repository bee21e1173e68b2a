/** Applies patches to a dataset, each exactly once and in one transaction. */
package io.jellybridge.jena.apply;
