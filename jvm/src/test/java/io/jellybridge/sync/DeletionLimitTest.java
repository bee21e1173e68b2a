package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeletionLimitTest {

    /** @param most how many may be deleted of how many there are */
    @ParameterizedTest
    @CsvSource({"7, 100, 7", "0, 100, 0", "20%, 100, 20", "0%, 100, 0", "100%, 100, 100", "2.5%, 1000, 25", "2.5%, 999, 24",
        "000000007, 100, 7", "0.000000001%, 100000000000, 1"})
    void soManyMayBeDeletedAndNotOneMore(String limit, long before, long most) {
        DeletionLimit.of(limit).checkDeletions(before, most);
        if (most < before) {
            assertThrows(IllegalStateException.class, () -> DeletionLimit.of(limit).checkDeletions(before, most + 1));
        }
    }

    @Test
    void eachWholePercentIsTakenByItsWord() {
        for (int percent = 0; percent < 100; percent++) {
            DeletionLimit limit = DeletionLimit.of(percent + "%");
            limit.checkDeletions(100, percent);
            int more = percent + 1;
            String refused = assertThrows(IllegalStateException.class, () -> limit.checkDeletions(100, more)).getMessage();
            assertTrue(refused.startsWith("the snapshot would delete %d of 100 quads, and max_delete (--max-delete) allows "
                    .formatted(more) + percent + "%; "), refused);
        }
    }

    @Test
    void aNumberIsNamedInTheError() {
        String refused = assertThrows(IllegalStateException.class, () -> DeletionLimit.of("7").checkDeletions(100, 8)).getMessage();
        assertTrue(refused.startsWith("the snapshot would delete 8 of 100 quads, and max_delete (--max-delete) allows 7; "), refused);
    }

    @Test
    void withoutALimitAnythingMayBeDeleted() {
        DeletionLimit.of(null).checkDeletions(100, 100);
        DeletionLimit.of(null).checkDeletions(0, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "a", "-1", "1.5", "101%", "100.000000001%", "1000%", "1e3", "20 %", "0x10", "1234567890123456789"})
    void whatIsNoLimitIsRefused(String text) {
        assertEquals("max_delete=" + text + ": must be a number of quads, or a share of them from 0% to 100%",
                assertThrows(IllegalArgumentException.class, () -> DeletionLimit.of(text)).getMessage());
    }
}
