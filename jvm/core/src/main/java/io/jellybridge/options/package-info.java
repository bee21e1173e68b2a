/**
 * The options that a user can set by name: accepted values, defaults, descriptions. These tables drive the parser, the error
 * for an unknown option, and the option tables of the documents.
 *
 * <p>A table holds the texts that a user gives. The part that owns the options turns them into a record such as {@code
 * ReadOptions}.
 */
package io.jellybridge.options;
