/**
 * What a user may say to a part of jellybridge by name and value: which options there are, what values each takes, what it
 * is without, and what it means. From these tables come parsing, the refusal of what is unknown, and the tables of the
 * documents. Knows the JDK alone.
 *
 * <p>A table holds what a user gives, as text; what it is made into is a record of the part itself, such as {@code
 * ReadOptions}.
 */
package io.jellybridge.options;
