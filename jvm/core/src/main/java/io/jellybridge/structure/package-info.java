/**
 * Matches blank nodes of two snapshots by structure, whatever their labels are. The input is statements as canonical text, and
 * the output is a one-to-one matching. Changes that follow from any such matching are correct; a good matching makes them few.
 */
package io.jellybridge.structure;
