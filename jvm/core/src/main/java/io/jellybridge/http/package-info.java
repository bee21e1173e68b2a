/**
 * The one way in which we speak to servers: attempts, timeouts, credentials, and errors that show no secret. Knows the JDK
 * alone, so that datasets and logs behind HTTP both stand on it.
 */
package io.jellybridge.http;
