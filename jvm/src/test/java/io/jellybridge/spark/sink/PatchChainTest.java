package io.jellybridge.spark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.jena.data.StoredPosition;
import io.jellybridge.spark.sink.ExactlyOnceStep.BatchPosition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatchChainTest {

    /** What a dataset gives back after a batch. */
    private static PatchChain restarted(PatchChain chain) {
        String term = new BatchPosition(7, chain).term();
        assertEquals(term, StoredPosition.toCanonical(StoredPosition.parse(term)));
        BatchPosition position = BatchPosition.parsePosition(term, "urn:key");
        assertEquals(7, position.number());
        assertEquals(chain.state(), position.chain().state());
        return position.chain();
    }

    private static String id(int number) {
        return number == 0 ? null : "<urn:id:" + number + ">";
    }

    @Test
    void onlyTheRightOrderOfAChainIsTakenWhole() {
        Random random = new Random(1);
        for (int run = 0; run < 2000; run++) {
            List<Integer> order = new ArrayList<>();
            int from = 1 + random.nextInt(3);
            for (int number = from; number < from + 2 + random.nextInt(6); number++) {
                order.add(number);
            }
            List<Integer> sorted = List.copyOf(order);
            Collections.shuffle(order, random);
            PatchChain chain = new PatchChain();
            boolean taken = true;
            for (int number : order) {
                chain = restarted(chain);
                try {
                    chain.follow(id(number), id(number - 1));
                } catch (IllegalStateException e) {
                    assertTrue(e.getMessage().startsWith("the patch " + id(number)), e.getMessage());
                    taken = false;
                    break;
                }
            }
            assertEquals(sorted.equals(order), taken, order.toString());
        }
    }

    @Test
    void logsThatAreJoinedKeepTheirOwnOrder() {
        Random random = new Random(2);
        int[] lasts = new int[8];
        PatchChain chain = new PatchChain();
        for (int run = 0; run < 1000; run++) {
            int log = random.nextInt(lasts.length);
            int last = lasts[log]++;
            chain.follow(id(1000 * log + last + 1), last == 0 ? null : id(1000 * log + last));
            chain = restarted(chain);
        }
        PatchChain end = chain;
        assertThrows(IllegalStateException.class, () -> end.follow(id(lasts[0] + 2), id(lasts[0] + 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<urn:x>", "\"a b\"", "\"say \\\"%20\\\" \\\\ \\n\"@en--ltr", "\"%25\"", "\"\"", "\"-\"",
        "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>", "_:b", "<urn:é%20>"})
    void aPositionGivesBackAnyId(String id) {
        PatchChain chain = new PatchChain();
        chain.follow("\"first\"", id);
        chain = restarted(chain);
        chain.follow("<urn:last>", "\"first\"");
        assertEquals(List.of(id, "\"first\"", "<urn:last>"), restarted(chain).state());
    }

    @ParameterizedTest
    @ValueSource(strings = {"<urn:x>", "\"x\"", "\"1\"", "\"1 \"", "\"-1\"^^<http://www.w3.org/2001/XMLSchema#long>",
        "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>", "\"1 a\""})
    void whatIsNoPositionOfABatchIsRefused(String term) {
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> BatchPosition.parsePosition(term, "urn:key"));
        assertTrue(e.getMessage().contains(term) && e.getMessage().contains("<urn:key>"), e.getMessage());
    }
}
