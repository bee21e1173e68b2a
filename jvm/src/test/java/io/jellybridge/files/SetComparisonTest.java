package io.jellybridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.wire.Hashes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SetComparisonTest {

    private static Map<String, Integer> found(SetComparison comparison) throws IOException {
        Map<String, Integer> found = new HashMap<>();
        comparison.forEach((bytes, offset, length, sets) ->
                assertNull(found.put(new String(bytes, offset, length, UTF_8), sets), "an item is shown twice"));
        return found;
    }

    /** From all in memory to files that have to be dealt out again. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 30, 400_000, 100_000, 3_000})
    void eachItemIsInTheSetsThatItWasAddedToHoweverLittleMemoryThereIs(long memory) throws IOException {
        Random random = new Random(7);
        Map<String, Integer> expected = new HashMap<>();
        try (SetComparison comparison = new SetComparison(memory)) {
            for (int i = 0; i < 20_000; i++) {
                String item = "item " + random.nextInt(8_000) + ".".repeat(random.nextInt(4));
                int set = random.nextBoolean() ? SetComparison.OLD : SetComparison.NEW;
                comparison.add(set, item.getBytes(UTF_8));
                expected.merge(item, set, (one, other) -> one | other);
                if (i % 1_000 == 0) {
                    comparison.addAll(set, List.of());
                    comparison.addAll(set, batch(random, set, expected));
                }
            }
            assertEquals(expected, found(comparison));
            assertEquals(expected, found(comparison), "the second time");
        }
    }

    /** Makes items of which some are there twice, and more than one growth of the table takes. */
    private static List<byte[]> batch(Random random, int set, Map<String, Integer> expected) {
        List<byte[]> batch = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            String item = "item " + random.nextInt(8_000);
            batch.add(item.getBytes(UTF_8));
            expected.merge(item, set, (one, other) -> one | other);
        }
        return batch;
    }

    @Test
    void itemsMayBeEmptyAndLargerThanMemory() throws IOException {
        String large = "x".repeat(3_000_000);
        Map<String, Integer> expected = new HashMap<>();
        try (SetComparison comparison = new SetComparison(100_000)) {
            for (String item : new String[] {"", large, large + "y", "", "z"}) {
                comparison.add(SetComparison.OLD, item.getBytes(UTF_8));
                expected.put(item, SetComparison.OLD);
            }
            comparison.add(SetComparison.NEW, (large + "y").getBytes(UTF_8));
            expected.put(large + "y", SetComparison.OLD + SetComparison.NEW);
            assertEquals(expected, found(comparison));
        }
    }

    /** What a slot says of an item's hash, and where it would be, is not all of the hash. */
    @Test
    void itemsThatLookAlikeByWhatASlotSaysAreTwo() throws IOException {
        Map<Long, String> byLook = new HashMap<>();
        int pairs = 0;
        for (int i = 0; i < 200_000; i++) {
            String item = "item " + (100_000 + i);
            long hash = Hashes.of(0, item.getBytes(UTF_8));
            String other = byLook.put(hash >>> 40 << 6 | hash & 63, item);
            if (other == null) {
                continue;
            }
            pairs++;
            try (SetComparison comparison = new SetComparison(1 << 20)) {
                comparison.add(SetComparison.OLD, other.getBytes(UTF_8));
                comparison.add(SetComparison.NEW, item.getBytes(UTF_8));
                assertEquals(Map.of(other, SetComparison.OLD, item, SetComparison.NEW), found(comparison));
            }
        }
        assertTrue(pairs > 5, pairs + " pairs");
    }

    /** Items of two words of which all have one hash: the second word takes back what the first one does to it. */
    @ParameterizedTest
    @ValueSource(longs = {1 << 30, 100_000, 3_000})
    void itemsOfOneHashAreAsManyAsTheyAre(long memory) throws IOException {
        List<byte[]> items = new ArrayList<>();
        for (int bits = 0; bits < 1 << 10; bits++) {
            ByteBuffer item = ByteBuffer.allocate(160).order(ByteOrder.LITTLE_ENDIAN);
            for (int pair = 0; pair < 10; pair++) {
                boolean flips = (bits >> pair & 1) == 1;
                item.putLong(flips ? 1L << 63 : 0).putLong(flips ? 1L << 63 | 1L << 31 : 0);
            }
            items.add(item.array());
        }
        assertEquals(1, items.stream().map(item -> Hashes.of(0, item)).distinct().count());
        try (SetComparison comparison = new SetComparison(memory)) {
            comparison.addAll(SetComparison.OLD, items.subList(0, 700));
            comparison.addAll(SetComparison.NEW, items.subList(300, 1 << 10));
            int[] counts = new int[4];
            comparison.forEach((bytes, offset, length, sets) -> counts[sets]++);
            assertArrayEquals(new int[] {0, 300, 324, 400}, counts);
        }
    }

    @Test
    void twoEmptySetsHaveNothing() throws IOException {
        try (SetComparison comparison = new SetComparison(1)) {
            assertEquals(Map.of(), found(comparison));
        }
    }
}
