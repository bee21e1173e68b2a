/** An open dataset and its operations. This package uses the other packages of {@code jena}. */
package io.jellybridge.jena.dataset;
