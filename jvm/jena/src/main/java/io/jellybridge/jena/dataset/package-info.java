/** A dataset that is open: what can be asked of it and done to it. Knows the other rooms. */
package io.jellybridge.jena.dataset;
