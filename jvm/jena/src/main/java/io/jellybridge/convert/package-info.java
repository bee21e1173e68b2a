/**
 * Converts files between formats, and implements the file commands of the command line. It works on streams of patches and of
 * statements, with memory that does not depend on their size. Terms are UTF-8 throughout. They are Jena's only in Thrift and in
 * RIOT's syntaxes.
 */
package io.jellybridge.convert;
