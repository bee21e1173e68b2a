/**
 * The HTTP client of the project: retries, timeouts, credentials, and errors that show no secret. It uses the JDK, {@code
 * files} and {@code options} only, so that datasets and logs behind HTTP can share it.
 */
package io.jellybridge.http;
