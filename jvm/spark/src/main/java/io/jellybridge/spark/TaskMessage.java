package io.jellybridge.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.execution.datasources.WriteTaskResult;

/**
 * A task's result for the driver, as bytes inside Spark's own message for a written file. The driver reads messages with the
 * session's serializer, and without jars that a Spark Connect client added. Kryo can't read records, and our classes may be
 * unknown there.
 */
public final class TaskMessage {

    private TaskMessage() {
    }

    /** Wraps a value in a message. */
    public static WriterCommitMessage of(Serializable value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new WriteTaskResult(new TaskCommitMessage(bytes.toByteArray()), null);
    }

    /** Returns the value in a message. */
    public static <T> T read(WriterCommitMessage message, Class<T> type) {
        byte[] bytes = (byte[]) ((WriteTaskResult) message).commitMsg().obj();
        try (ObjectInputStream in = new OurObjects(bytes)) {
            return type.cast(in.readObject());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A stream that resolves classes with our class loader, whatever the thread's class loader is. */
    private static final class OurObjects extends ObjectInputStream {

        OurObjects(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, TaskMessage.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described); // forName finds no primitive types
            }
        }
    }
}
