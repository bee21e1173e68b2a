/**
 * Fuzz targets of the three readers of untrusted bytes, and the test that replays their corpus. {@code make fuzz} runs the
 * targets with Jazzer, guided by coverage.
 */
package io.jellybridge.fuzz;
