package io.jellybridge.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.checkpoint.Pruning;
import io.jellybridge.http.UnreachableException;
import io.jellybridge.jena.apply.ProgressListener;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTimesTest {
    private static final Instant START = Instant.parse("2024-05-01T12:00:00Z");
    private static final String FAR = "2099-01-01T00:00:00Z";

    @TempDir
    Path folder;
    private int logs;

    private static Instant hour(int hour) {
        return START.plus(Duration.ofHours(hour));
    }

    /** Reads the times of a log whose patches have times: hours, or texts; null for none. */
    private LogTimes times(Object... said) throws IOException {
        try (PatchLog log = PatchLogs.create(folder.resolve("log" + ++logs).toString())) {
            for (int version = 1; version <= said.length; version++) {
                Object time = said[version - 1];
                Object text = time instanceof Integer hour ? hour(hour) : time;
                String header = "H time \"" + (text == null ? "none" : text) + "\"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n";
                LogPatches.append(log, header + LogPatches.patch(null, null, LogPatches.add(version)));
            }
            return LogTimes.of(log);
        }
    }

    private static List<Instant> all(LogTimes times, int versions) {
        List<Instant> all = new ArrayList<>();
        for (int version = 1; version <= versions; version++) {
            all.add(times.of(version));
        }
        return all;
    }

    private static List<Instant> hours(Integer... hours) {
        return Arrays.stream(hours).map(hour -> hour == null ? null : hour(hour)).toList();
    }

    @Test
    void aClockThatWasFarAheadOnceChangesNoOtherTime() throws IOException {
        LogTimes times = times(1, 2, FAR, 4, 5);
        assertEquals(hours(1, 2, 2, 4, 5), all(times, 5));
        assertEquals(3, times.at(hour(3)));
        assertEquals(4, times.at(hour(4)));
        assertEquals(5, times.at(Instant.now()));
        assertEquals(4, times.firstToKeep(hour(3)));
        assertEquals(6, times.firstToKeep(Instant.now()));
        assertEquals(4, times.after(hour(3), true));
        assertTrue(times.wrongClocks().contains("1 patch was wrong, first of version 3: its time is 2099"), times.wrongClocks());
        assertTrue(times.wrongClocks().contains("ahead of this machine's clock"), times.wrongClocks());
    }

    @Test
    void aClockThatIsFarAheadAtTheHeadOrTheBeginningHidesNothing() throws IOException {
        LogTimes head = times(1, 2, FAR);
        assertEquals(hours(1, 2, 2), all(head, 3));
        assertEquals(3, head.at(Instant.now()));
        LogTimes beginning = times(FAR, 2, 3);
        assertEquals(hours(null, 2, 3), all(beginning, 3));
        assertEquals(2, beginning.at(hour(2)));
        assertEquals(List.of(0L, 2L), List.of(beginning.atOrBeforeFirst(hour(1)), beginning.atOrBeforeFirst(hour(2))));
        assertEquals(3, beginning.firstToKeep(hour(3)));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> times(FAR, FAR).at(hour(1))).getMessage()
                .contains("up to this machine's clock"));
    }

    /** One that seems possible, since this machine's clock is later. */
    @Test
    void aClockThatWasAWeekAheadOnceChangesNoOtherTime() throws IOException {
        LogTimes times = times(1, 2, 200, 4, 5);
        assertEquals(hours(1, 2, 2, 4, 5), all(times, 5));
        assertTrue(times.wrongClocks().contains("the times around it say otherwise"), times.wrongClocks());
        // Its patch says that it is newer, so it is kept.
        assertEquals(3, times.firstToKeep(hour(5)));
        assertEquals(6, times.firstToKeep(hour(201)));
    }

    @Test
    void aClockThatGoesBackHasTheTimeOfThePatchBefore() throws IOException {
        LogTimes times = times(1, 2, "1970-01-01T00:00:00Z", null, 3, 2, 4);
        assertEquals(hours(1, 2, 2, 2, 3, 3, 4), all(times, 7));
        assertEquals(4, times.at(hour(2)));
        assertTrue(times.wrongClocks().contains("2 patches was wrong, first of version 3"), times.wrongClocks());
        assertNull(times(1, null, 2, 2).wrongClocks());
        assertNull(times().wrongClocks());
    }

    /** Python has no other years, and an index no time so far from 1970. */
    @Test
    void aTimeOfNoYearFrom1To9999CountsAsNone() throws IOException {
        LogTimes times = times("0000-12-31T23:59:59.999Z", "+12024-05-01T00:00:00Z", "-999999999-01-01T00:00:00Z", 1);
        assertEquals(hours(null, null, null, 1), all(times, 4));
        assertNull(times.wrongClocks());
        Instant first = Instant.parse("0001-01-01T00:00:00Z");
        assertEquals(List.of(first), all(times(first), 1));
    }

    @Test
    void patchesThatSayALaterTimeAreKeptThoughMostClocksWereAtTheEpoch() throws IOException {
        LogTimes times = times(1, 2, "1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", "1970-01-01T00:00:02Z");
        assertEquals(2, times.firstToKeep(hour(2)));
        assertEquals(1, times.firstToKeep(hour(1)));
    }

    @Test
    void aServerOfACheckpointThatCannotBeReachedIsAnError() throws IOException {
        try (StoreLog log = StoreLog.create(folder.resolve("served"))) {
            LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(1)));
            LogPatches.append(log, LogPatches.patch(null, null, LogPatches.add(2)));
            CheckpointFiles.make(log, 1, ProgressListener.NONE);
            Pruning.before(log, 2);
            LogStore down = (LogStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {LogStore.class},
                    (proxy, call, arguments) -> {
                        if (call.getName().equals("open") && arguments[0].toString().endsWith(Checkpoint.DESCRIPTION)) {
                            throw new UnreachableException(URI.create("http://host"), 503, "answered 503", null);
                        }
                        return call.invoke(log.store(), arguments);
                    });
            assertThrows(UnreachableException.class, () -> LogTimes.of(StoreLog.open(down)));
        }
    }

    /** Against all sequences of a few times. */
    @Test
    void asManyTimesAsPossibleAreRightAndNoneGoesBack() {
        Random random = new Random(34);
        for (int round = 0; round < 1000; round++) {
            int[] said = random.ints(1 + random.nextInt(7), 0, 5).toArray();
            NavigableMap<Long, Instant> patches = new TreeMap<>();
            for (int version = 0; version < said.length; version++) {
                patches.put(version + 1L, hour(said[version]));
            }
            List<Instant> times = all(new LogTimes("log", 1, said.length, patches), said.length);
            int right = 0;
            int longest = 0;
            for (int version = 0; version < said.length; version++) {
                right += hour(said[version]).equals(times.get(version)) ? 1 : 0;
                assertTrue(version == 0 || times.get(version - 1) == null || !times.get(version).isBefore(times.get(version - 1)));
            }
            for (int some = 0; some < 1 << said.length; some++) {
                int last = -1;
                int length = 0;
                for (int version = 0; version < said.length && length >= 0; version++) {
                    if ((some >> version & 1) == 1) {
                        length = said[version] < last ? Integer.MIN_VALUE : length + 1;
                        last = said[version];
                    }
                }
                longest = Math.max(longest, length);
            }
            assertTrue(right >= longest, Arrays.toString(said) + ": " + times);
        }
    }
}
