/** Text formats of RDF and of RDF changes, read and written as bytes. */
package io.jellybridge.text;
