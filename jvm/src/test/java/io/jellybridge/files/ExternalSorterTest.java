package io.jellybridge.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.files.ExternalSorter.Form;
import io.jellybridge.files.ExternalSorter.Items;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalSorterTest {

    /** Items with the same key compare as equal. */
    private record Item(int key, int number) {
        static final Comparator<Item> ORDER = Comparator.comparingInt(Item::key);
    }

    private static final Form<Item> FORM = new Form<>() {

        @Override
        public long sizeOf(Item item) {
            return 16;
        }

        @Override
        public void write(Item item, DataOutput out) throws IOException {
            out.writeInt(item.key);
            out.writeInt(item.number);
        }

        @Override
        public Item read(DataInput in) throws IOException {
            return new Item(in.readInt(), in.readInt());
        }
    };

    private static List<Item> read(Items<Item> items) throws IOException {
        List<Item> all = new ArrayList<>();
        for (Item item = items.next(); item != null; item = items.next()) {
            all.add(item);
        }
        return all;
    }

    /** From all in memory, over some runs, to more runs than are read at a time, which are joined more than once. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 30, 20_000, 1_000, 100, 1})
    void itemsComeInTheirOrderAndOfEqualOnesTheLastHoweverLittleMemoryThereIs(long memory) throws IOException {
        Random random = new Random(7);
        TreeMap<Integer, Item> expected = new TreeMap<>();
        try (ExternalSorter<Item> sorter = new ExternalSorter<>(FORM, Item.ORDER, memory)) {
            for (int number = 0; number < 3000; number++) {
                Item item = new Item(random.nextInt(700), number);
                expected.put(item.key, item);
                sorter.add(item);
            }
            assertEquals(List.copyOf(expected.values()), read(sorter.sorted()));
        }
    }

    @Test
    void nothingAddedIsNothingSorted() throws IOException {
        try (ExternalSorter<Item> sorter = new ExternalSorter<>(FORM, Item.ORDER, 1)) {
            assertNull(sorter.sorted().next());
        }
    }

    @Test
    void whereATemporaryFileCanNotBeWrittenItsFolderIsNamed() throws IOException {
        ExternalSorter.Run<Item> run = new ExternalSorter.Run<>(FORM);
        run.write(new Item(1, 1));
        run.close();
        String message = assertThrows(IOException.class, run::read).getMessage();
        assertTrue(message.contains(System.getProperty("java.io.tmpdir")) && message.contains("TMPDIR"), message);
    }
}
