/** An open dataset and its operations. */
package io.jellybridge.jena.dataset;
