/**
 * What Python calls: {@link io.jellybridge.Bridge} and the handles that it gives out, and
 * {@link io.jellybridge.SparkBridge} for what needs a Spark driver. Nothing else of Java's is called from Python, but
 * the public methods of {@link io.jellybridge.jena.dataset.DatasetStore} and {@link io.jellybridge.jena.capture.Capture}
 * that take and give plain types.
 *
 * <p>Rows never cross one by one: they go as columns by the thousand ({@code ColumnarRows}), or stay in the JVM.
 */
package io.jellybridge;

