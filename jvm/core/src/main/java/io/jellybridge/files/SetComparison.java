package io.jellybridge.files;

import io.jellybridge.files.ExternalSorter.Form;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.ExternalSorter.Run;
import io.jellybridge.wire.Hashes;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compares two sets of byte strings that may be larger than memory. It finds the items of the old set only, of the new set
 * only, and of both. Items can be added in any order and repeatedly.
 *
 * <p>The items are in one hash table. If it grows too large, they are partitioned by hash into temporary files, as are all
 * later items. Each file is then compared on its own, so nothing is sorted. Not thread-safe.
 */
public final class SetComparison implements Closeable {
    /** The bit of the old set. The new set has another bit, and an item of both sets has the sum. */
    public static final int OLD = 1;
    public static final int NEW = 2;

    private static final int PARTS = 64;
    private static final int MAX_DEPTH = 8;
    private static final int MIN_CHUNK_BYTES = 1 << 10;
    /** A megabyte with the head of the array: G1 gives larger arrays whole regions, the last of which would be nearly empty. */
    private static final int MAX_CHUNK_BYTES = (1 << 20) - 16;
    private static final int CHUNKS = 64;
    private static final int MAX_SLOTS = 1 << 30;
    /** An address is the number of a chunk and a position in it. The remaining bits of a slot hold bits of the hash. */
    private static final int PLACE_BITS = 20;
    private static final int ADDRESS_BITS = 34;
    private static final long ADDRESS_MASK = (1L << ADDRESS_BITS) - 1;
    private static final int MAX_CHUNKS = 1 << ADDRESS_BITS - PLACE_BITS;
    /** The head of an item: its length, and the bits of its sets. */
    private static final int SETS_AT = Integer.BYTES;
    private static final int HEAD_BYTES = SETS_AT + 1;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Receives each item once. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Receives an item, whose bytes must not be changed.
         *
         * @param sets the sum of {@link #OLD} and {@link #NEW} for the sets that contain it
         */
        void visitItem(byte[] bytes, int offset, int length, int sets) throws IOException;
    }

    /** An item in a partition. Its bytes may be a part of an array. */
    private record PartitionedItem(long hash, int sets, byte[] bytes, int offset, int length) {
        static final Form<PartitionedItem> FORM = new Form<>() {

            @Override
            public long sizeOf(PartitionedItem item) {
                return HEAD_BYTES + item.length;
            }

            @Override
            public void write(PartitionedItem item, DataOutput out) throws IOException {
                out.writeLong(item.hash);
                out.writeByte(item.sets);
                out.writeInt(item.length);
                out.write(item.bytes, item.offset, item.length);
            }

            @Override
            public PartitionedItem read(DataInput in) throws IOException {
                long hash = in.readLong();
                int sets = in.readByte();
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                return new PartitionedItem(hash, sets, bytes, 0, bytes.length);
            }
        };
    }

    private final long memoryBytes;
    private final int newChunkBytes;
    private final int depth;

    /** The items in sequence, each after its head. */
    private final List<byte[]> chunks = new ArrayList<>();
    private byte[] chunk = {};
    private int chunkEnd;
    private long chunkBytes;
    /**
     * The hash table. A slot holds the address of an item plus one, and the upper bits of its hash; 0 if empty. The first of these bits
     * are the place in the table, so that a table grows without a look at its items.
     */
    private long[] slots = new long[1 << 6];
    private int items;
    /** A value of all bytes that were fetched, so that the compiler does not leave the reads out. */
    private int fetched;

    /** The partitions; null while all items are in memory. */
    private List<Run<PartitionedItem>> parts;

    /**
     * Creates a comparison of empty sets.
     *
     * @param memoryBytes the approximate memory limit
     */
    public SetComparison(long memoryBytes) {
        this(memoryBytes, 0);
    }

    private SetComparison(long memoryBytes, int depth) {
        this.memoryBytes = memoryBytes;
        this.newChunkBytes = (int) Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, memoryBytes / CHUNKS));
        this.depth = depth;
    }

    /**
     * Adds a copy of an item to a set. Adding it again has no effect.
     *
     * @param set {@link #OLD} or {@link #NEW}
     */
    public void add(int set, byte[] item) throws IOException {
        addAll(set, List.of(item));
    }

    /** Adds copies of many items to a set, faster than {@link #add} one by one. */
    public void addAll(int set, List<byte[]> batch) throws IOException {
        PartitionedItem[] partitioned = new PartitionedItem[batch.size()];
        for (int i = 0; i < partitioned.length; i++) {
            byte[] item = batch.get(i);
            partitioned[i] = new PartitionedItem(Hashes.of(0, item), set, item, 0, item.length);
        }
        if (parts == null) {
            fetchItems(partitioned);
        }
        for (PartitionedItem item : partitioned) {
            addItem(item);
        }
    }

    /**
     * Reads the slots of items, and one byte of what is there. The table is larger than the processor's caches, and these reads do
     * not wait for each other.
     */
    private void fetchItems(PartitionedItem[] batch) {
        long[] found = new long[batch.length];
        for (int i = 0; i < batch.length; i++) {
            found[i] = slots[slotOf(batch[i].hash)];
        }
        for (long slot : found) {
            fetched ^= slot == 0 ? 0 : chunkOf(slot)[placeOf(slot) + SETS_AT];
        }
    }

    private void addItem(PartitionedItem item) throws IOException {
        if (parts != null) {
            partitionItem(item);
            return;
        }
        int slot = slotOf(item.hash);
        while (slots[slot] != 0) {
            if (((slots[slot] ^ item.hash) & ~ADDRESS_MASK) == 0 && isAt(slots[slot], item)) {
                chunkOf(slots[slot])[placeOf(slots[slot]) + SETS_AT] |= (byte) item.sets;
                return;
            }
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = item.hash & ~ADDRESS_MASK | 1 + appendItem(item);
        items++;
        boolean isFull = items > slots.length / 2;
        long wanted = chunkBytes + (isFull ? 2L : 1L) * slots.length * Long.BYTES;
        boolean isOver = isFull && slots.length == MAX_SLOTS || chunks.size() == MAX_CHUNKS;
        if (depth < MAX_DEPTH && wanted > memoryBytes || isOver) {
            partition();
        } else if (isFull) {
            grow();
        }
    }

    /** Returns the first slot of an item, by its hash or by a slot that holds it. */
    private int slotOf(long hash) {
        return (int) (hash >>> Long.numberOfLeadingZeros(slots.length) + 1);
    }

    private byte[] chunkOf(long slot) {
        return chunks.get((int) ((slot & ADDRESS_MASK) - 1 >>> PLACE_BITS));
    }

    private static int placeOf(long slot) {
        return (int) ((slot & ADDRESS_MASK) - 1) & (1 << PLACE_BITS) - 1;
    }

    private boolean isAt(long slot, PartitionedItem item) {
        byte[] known = chunkOf(slot);
        int place = placeOf(slot);
        int start = place + HEAD_BYTES;
        return lengthOf(known, place) == item.length && Arrays.equals(
                known, start, start + item.length, item.bytes, item.offset, item.offset + item.length);
    }

    /** Copies an item to the end and returns its address. */
    private long appendItem(PartitionedItem item) {
        int needed = HEAD_BYTES + item.length;
        if (chunk.length - chunkEnd < needed) {
            chunk = new byte[Math.max(newChunkBytes, needed)]; // a larger item has a chunk of its own
            chunks.add(chunk);
            chunkBytes += chunk.length;
            chunkEnd = 0;
        }
        int place = chunkEnd;
        INTS.set(chunk, place, item.length);
        chunk[place + SETS_AT] = (byte) item.sets;
        System.arraycopy(item.bytes, item.offset, chunk, place + HEAD_BYTES, item.length);
        chunkEnd = place + needed;
        return (long) chunks.size() - 1 << PLACE_BITS | place;
    }

    private static int lengthOf(byte[] chunk, int place) {
        return (int) INTS.get(chunk, place);
    }

    /** Visits the items of the table, in the order in which they were first added. */
    private void forEachInMemory(Place visitor) throws IOException {
        for (byte[] of : chunks) {
            // Every item is in a set. Zero bits therefore mark the end of the items.
            for (int place = 0; place + HEAD_BYTES <= of.length && of[place + SETS_AT] != 0;
                    place += HEAD_BYTES + lengthOf(of, place)) {
                visitor.visitItem(of, place);
            }
        }
    }

    /** Receives the position of an item. */
    private interface Place {
        void visitItem(byte[] chunk, int place) throws IOException;
    }

    private void grow() {
        long[] before = slots;
        slots = new long[2 * before.length];
        for (long item : before) {
            if (item != 0) {
                int slot = slotOf(item);
                while (slots[slot] != 0) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = item;
            }
        }
    }

    // --- more than memory can hold

    private void partition() throws IOException {
        parts = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            parts.add(new Run<>(PartitionedItem.FORM));
        }
        forEachInMemory((of, place) -> {
            int start = place + HEAD_BYTES;
            int length = lengthOf(of, place);
            partitionItem(new PartitionedItem(Hashes.of(0, of, start, length), of[place + SETS_AT], of, start, length));
        });
        forget();
    }

    /** Writes an item to its partition. Each depth uses other bits of the hash, and the hash table uses others again. */
    private void partitionItem(PartitionedItem item) throws IOException {
        parts.get((int) Hashes.thenHash(depth, item.hash) & PARTS - 1).write(item);
    }

    private void forget() {
        chunks.clear();
        chunk = new byte[0];
        chunkEnd = 0;
        slots = new long[0];
    }

    /** Visits each item. It can be called again, but nothing may be added after the first call. */
    public void forEach(Visitor visitor) throws IOException {
        if (parts == null) {
            forEachInMemory((of, place) ->
                    visitor.visitItem(of, place + HEAD_BYTES, lengthOf(of, place), of[place + SETS_AT]));
            return;
        }
        for (Run<PartitionedItem> part : parts) {
            try (SetComparison one = new SetComparison(memoryBytes, depth + 1)) {
                part.read().forEach(one::addItem);
                one.forEach(visitor);
            }
        }
    }

    /** Deletes the temporary files. */
    @Override
    public void close() throws IOException {
        forget();
        IOException failure = null;
        for (Run<PartitionedItem> part : parts == null ? List.<Run<PartitionedItem>>of() : parts) {
            try {
                part.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
