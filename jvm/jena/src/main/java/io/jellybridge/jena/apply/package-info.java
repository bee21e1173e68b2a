/**
 * Applies patches to a dataset, each exactly once and in one transaction. This package uses {@code patch}, {@code data} and
 * Jena.
 */
package io.jellybridge.jena.apply;
