/**
 * Bytes in files: a file that appears whole or not at all, compressed data whose cut is never taken for an end, text that is
 * UTF-8. Knows {@code codec} and {@code wire}.
 */
package io.jellybridge.files;
