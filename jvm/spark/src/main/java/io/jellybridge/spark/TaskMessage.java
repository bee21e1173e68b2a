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
 * A task's result for the driver, as bytes in Spark's own message of a file that was written. The driver reads messages by
 * the serializer that the session has set, and without the jars that a client of Spark Connect added: Kryo can't read
 * records, and classes of ours may be unknown there.
 */
public final class TaskMessage {

    private TaskMessage() {
    }

    /** Returns the message that brings a value. */
    public static WriterCommitMessage of(Serializable value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new WriteTaskResult(new TaskCommitMessage(bytes.toByteArray()), null);
    }

    /** Returns the value that a message brought. */
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

    /** Finds classes as this class does, whatever the thread's class loader knows. */
    private static final class OurObjects extends ObjectInputStream {

        OurObjects(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, TaskMessage.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described); // primitive types have no name that is found
            }
        }
    }
}
