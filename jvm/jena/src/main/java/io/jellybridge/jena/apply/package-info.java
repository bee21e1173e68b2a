/** Patches into a dataset, each in one transaction, once. Knows {@code patch}, {@code data} and Jena. */
package io.jellybridge.jena.apply;
