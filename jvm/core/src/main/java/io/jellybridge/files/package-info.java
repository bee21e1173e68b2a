/**
 * Bytes in files: files that appear whole or not at all, compressed data whose truncation is always detected, and validated
 * UTF-8 text.
 */
package io.jellybridge.files;
