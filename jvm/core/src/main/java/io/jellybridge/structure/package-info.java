/**
 * Blank nodes by structure: which blank node of one snapshot is which of another, whatever they are called. Statements go in
 * as canonical text, a matching comes out; it is one to one, so whatever it is, changes made by it are right, and how good
 * it is decides only how few they are. May know {@code codec} only.
 */
package io.jellybridge.structure;
