/**
 * The Java classes that Python calls: {@link io.jellybridge.Bridge}, {@link io.jellybridge.SparkBridge} in a Spark driver, and
 * the handles that they return. Python calls no other Java code, except public methods of {@link
 * io.jellybridge.jena.dataset.DatasetStore} and {@link io.jellybridge.jena.capture.Capture} with plain types.
 *
 * <p>No row crosses alone. Rows cross by the thousand as columns ({@code ColumnarRows}), or stay in the JVM.
 */
package io.jellybridge;

