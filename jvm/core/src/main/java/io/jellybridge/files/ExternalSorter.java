package io.jellybridge.files;

import io.jellybridge.codec.Io;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts more items than fit into memory. Of equal items, only the last one added stays. Items beyond the memory limit go to
 * temporary files. These are deleted from their folder as soon as they are open. Not thread-safe.
 *
 * <p>It is not Jena's {@code SortedDataBag}, since this module has no Jena.
 *
 * @param <T> the type of an item
 */
public final class ExternalSorter<T> implements Closeable {
    private static final int MAX_RUNS = 64;
    private static final int BUFFER_BYTES = 1 << 16;

    /** A sequence of items. */
    @FunctionalInterface
    public interface Items<T> {
        /** Returns the next item, or null after the last. */
        T next() throws IOException;

        /** Passes the items that are left to a consumer. */
        default void forEach(Io.Consumer<T> consumer) throws IOException {
            for (T item = next(); item != null; item = next()) {
                consumer.accept(item);
            }
        }
    }

    /** A serializer for items. */
    public interface Form<T> {

        /** Estimates the memory of an item, in bytes. */
        long sizeOf(T item);

        void write(T item, DataOutput out) throws IOException;

        /**
         * Reads an item.
         *
         * @throws EOFException there are no more items
         */
        T read(DataInput in) throws IOException;
    }

    /** A file of items, in the order in which they were added. */
    public static final class Run<T> implements Closeable {
        private final Form<T> form;
        private final FileChannel channel;
        private final DataOutputStream out;

        public Run(Form<T> form) throws IOException {
            this.form = form;
            Path file = Files.createTempFile("jellybridge-", ".run");
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES));
        }

        public void write(T item) throws IOException {
            try {
                form.write(item, out);
            } catch (IOException e) {
                throw unwritableError(e);
            }
        }

        private static IOException unwritableError(IOException e) {
            return new IOException("a temporary file in " + System.getProperty("java.io.tmpdir") + " can't be written: "
                    + e.getMessage() + "; make room there, or name another folder by TMPDIR", e);
        }

        /** Reads all items from the start. Nothing may be written after this call. */
        public Items<T> read() throws IOException {
            try {
                out.flush();
            } catch (IOException e) {
                throw unwritableError(e);
            }
            channel.position(0);
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES));
            return () -> {
                try {
                    return form.read(in);
                } catch (EOFException e) {
                    return null; // a run ends only between two items
                }
            };
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** The serializer of byte strings. */
    public static final Form<byte[]> BYTES = new Form<>() {
        private static final int OVERHEAD = 24;

        @Override
        public long sizeOf(byte[] item) {
            return OVERHEAD + item.length;
        }

        @Override
        public void write(byte[] item, DataOutput out) throws IOException {
            out.writeInt(item.length);
            out.write(item);
        }

        @Override
        public byte[] read(DataInput in) throws IOException {
            byte[] item = new byte[in.readInt()];
            in.readFully(item);
            return item;
        }
    };

    private final Form<T> form;
    private final Comparator<? super T> order;
    private final long memoryBytes;
    private final List<T> items = new ArrayList<>();
    private long bytes;
    /** The sorted runs, oldest first. The items of a run were added before those of the next run. */
    private final List<Run<T>> runs = new ArrayList<>();

    /**
     * Creates a sorter.
     *
     * @param memoryBytes the approximate memory limit for items
     */
    public ExternalSorter(Form<T> form, Comparator<? super T> order, long memoryBytes) {
        this.form = form;
        this.order = order;
        this.memoryBytes = memoryBytes;
    }

    public void add(T item) throws IOException {
        items.add(item);
        bytes += form.sizeOf(item);
        if (bytes > memoryBytes) {
            spill();
        }
    }

    private void spill() throws IOException {
        if (runs.size() == MAX_RUNS) {
            joinRuns();
        }
        runs.add(writeRun(inMemory()));
        items.clear();
        bytes = 0;
    }

    /** Merges all runs into one, so that there are never too many open files. */
    private void joinRuns() throws IOException {
        Run<T> joined = writeRun(mergeRuns(partsOfRuns()));
        close();
        runs.add(joined);
    }

    private Run<T> writeRun(Items<T> sorted) throws IOException {
        return Io.closeOnFailure(new Run<>(form), run -> {
            sorted.forEach(run::write);
            return run;
        });
    }

    private List<Items<T>> partsOfRuns() throws IOException {
        List<Items<T>> parts = new ArrayList<>();
        for (Run<T> run : runs) {
            parts.add(run.read());
        }
        return parts;
    }

    /** Returns the items in memory, sorted. Of equal items it returns the last one. */
    private Items<T> inMemory() {
        items.sort(order); // a stable sort: equal items keep their order
        int[] at = {0};
        return () -> {
            while (at[0] + 1 < items.size() && order.compare(items.get(at[0]), items.get(at[0] + 1)) == 0) {
                at[0]++;
            }
            return at[0] < items.size() ? items.get(at[0]++) : null;
        };
    }

    /** Returns all items, sorted. Nothing may be added after this call. */
    public Items<T> sorted() throws IOException {
        List<Items<T>> parts = partsOfRuns();
        parts.add(inMemory());
        return mergeRuns(parts);
    }

    /** A sorted part and its current item. */
    private static final class Head<T> {
        private final Items<T> part;
        private final int age;
        private T item;

        Head(Items<T> part, int age) throws IOException {
            this.part = part;
            this.age = age;
            this.item = part.next();
        }
    }

    /**
     * Merges sorted parts.
     *
     * @param parts oldest first, each without equal items
     */
    private Items<T> mergeRuns(List<Items<T>> parts) throws IOException {
        Comparator<Head<T>> byItem = (one, other) -> order.compare(one.item, other.item);
        PriorityQueue<Head<T>> heads =
                new PriorityQueue<>(byItem.thenComparing(head -> head.age, Comparator.reverseOrder()));
        for (Items<T> part : parts) {
            Head<T> head = new Head<>(part, heads.size());
            if (head.item != null) {
                heads.add(head);
            }
        }
        return () -> {
            Head<T> newest = heads.peek();
            if (newest == null) {
                return null;
            }
            T item = newest.item;
            // Skip equal items of older parts.
            for (Head<T> head = newest; head != null && order.compare(head.item, item) == 0; head = heads.peek()) {
                heads.remove();
                head.item = head.part.next();
                if (head.item != null) {
                    heads.add(head);
                }
            }
            return item;
        };
    }

    @Override
    public void close() throws IOException {
        for (Run<T> run : runs) {
            run.close();
        }
        runs.clear();
    }
}
