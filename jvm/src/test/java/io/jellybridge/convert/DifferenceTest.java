package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.text.EventLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Two snapshots that are read beside each other: what one does has to be right for both. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DifferenceTest {
    private static final byte[] PREDICATE = "<urn:p>".getBytes(UTF_8);

    /** What a snapshot does when it is read. */
    private interface Reading {
        void read(RdfHandler<byte[]> handler) throws IOException;
    }

    private static Snapshot snapshot(Reading reading) {
        return new Snapshot() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public void read(RdfHandler<byte[]> handler) throws IOException {
                reading.read(handler);
            }
        };
    }

    private static void statement(RdfHandler<byte[]> handler, long number) {
        handler.statement((number % 2 == 0 ? "_:b" + number : "<urn:s" + number + ">").getBytes(UTF_8), PREDICATE,
                ("\"" + number + "\"").getBytes(UTF_8), null);
    }

    private static Snapshot of(int from, int to) {
        return snapshot(handler -> {
            for (int i = from; i < to; i++) {
                statement(handler, i);
            }
        });
    }

    /** Never ends by itself. */
    private static Snapshot endless(AtomicBoolean ended) {
        return snapshot(handler -> {
            try {
                for (long i = 0;; i++) {
                    statement(handler, i % 1000);
                }
            } finally {
                ended.set(true);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(BlankNodes.class)
    void whatIsInOneAloneIsFound(BlankNodes blankNodes) throws IOException {
        try (Difference difference = Difference.of(of(0, 30_000), of(10_000, 50_000), blankNodes, new ProgressMeter())) {
            assertEquals(List.of(30_000L, 10_000L, 20_000L),
                    List.of(difference.before(), difference.deleted(), difference.added()));
        }
    }

    @ParameterizedTest
    @EnumSource(BlankNodes.class)
    void thePatchIsOneTransactionInOrderAsOftenAsItIsRead(BlankNodes blankNodes) throws IOException {
        Snapshot next = snapshot(handler -> {
            statement(handler, 3);
            handler.statement("<urn:a>".getBytes(UTF_8), PREDICATE, "\"1\"".getBytes(UTF_8), "<urn:g>".getBytes(UTF_8));
            handler.statement("<urn:a>".getBytes(UTF_8), PREDICATE, "\"1\"".getBytes(UTF_8),
                    "<urn:jellybridge:sync>".getBytes(UTF_8));
        });
        try (Difference difference = Difference.of(of(1, 3), next, blankNodes, new ProgressMeter())) {
            for (int time = 0; time < 2; time++) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                difference.read(EventLines.ofPatches(out, new Utf8Terms(), () -> true));
                assertEquals("""
                        TX
                        D <urn:s1> <urn:p> "1" DEFAULT
                        D _:b2 <urn:p> "2" DEFAULT
                        A <urn:s3> <urn:p> "3" DEFAULT
                        A <urn:a> <urn:p> "1" <urn:g>
                        TC
                        ---
                        """, out.toString(UTF_8));
            }
        }
    }

    /** Also where no row of the patch has it, as what is equal may. */
    @ParameterizedTest
    @CsvSource({"<urn:a>,false", "_:a,false", "<,false", "<<,true", "<< <urn:s> <urn:p> <urn:o> >>,true"})
    void aTripleTermInASnapshotIsSeen(String term, boolean isOne) throws IOException {
        Snapshot with = snapshot(handler ->
                handler.statement("<urn:s>".getBytes(UTF_8), PREDICATE, term.getBytes(UTF_8), null));
        for (Snapshot other : List.of(with, of(0, 0))) {
            try (Difference difference = Difference.of(other, with, BlankNodes.LABEL, new ProgressMeter())) {
                assertEquals(isOne, difference.holdsTripleTerms());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(BlankNodes.class)
    void theErrorOfTheNewSnapshotEndsTheReadingOfTheOldOne(BlankNodes blankNodes) {
        AtomicBoolean ended = new AtomicBoolean();
        IllegalStateException error = new IllegalStateException("the new one is damaged");
        assertSame(error, assertThrows(IllegalStateException.class, () -> Difference.of(endless(ended),
                snapshot(handler -> {
                    statement(handler, 1);
                    throw error;
                }), blankNodes, new ProgressMeter())));
        assertTrue(ended.get());
    }

    @ParameterizedTest
    @EnumSource(BlankNodes.class)
    void theErrorOfTheOldSnapshotEndsTheReadingOfTheNewOne(BlankNodes blankNodes) {
        AtomicBoolean ended = new AtomicBoolean();
        IOException error = new IOException("the old one is gone");
        assertSame(error, assertThrows(IOException.class, () -> Difference.of(snapshot(handler -> {
            statement(handler, 1);
            throw error;
        }), endless(ended), blankNodes, new ProgressMeter())));
        assertTrue(ended.get());
    }

    /** As one who reads a pipe into which nobody writes. */
    @Full("waits 5 s for a thread that does not end")
    @ParameterizedTest
    @EnumSource(BlankNodes.class)
    void whoDoesNotHearThatTheOtherFailedIsNotWaitedForForLong(BlankNodes blankNodes) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        IOException error = new IOException("the old one is gone");
        assertSame(error, assertThrows(IOException.class, () -> Difference.of(snapshot(handler -> {
            throw error;
        }), snapshot(handler -> {
            boolean interrupted = true;
            while (interrupted) {
                try {
                    never.await();
                    interrupted = false;
                } catch (InterruptedException e) {
                    // does not hear it
                }
            }
            statement(handler, 1); // to one who is gone: nothing may come of it
        }), blankNodes, new ProgressMeter())));
        never.countDown();
        TimeUnit.MILLISECONDS.sleep(50);
    }

    @ParameterizedTest
    @EnumSource(BlankNodes.class)
    void cancellingEndsBoth(BlankNodes blankNodes) {
        AtomicBoolean one = new AtomicBoolean();
        AtomicBoolean other = new AtomicBoolean();
        ProgressMeter[] meter = new ProgressMeter[1];
        meter[0] = new ProgressMeter(rows -> {
            if (rows > 10_000) {
                meter[0].cancel();
            }
        });
        assertThrows(InterruptedIOException.class, () -> Difference.of(endless(one), endless(other), blankNodes, meter[0]));
        assertTrue(one.get() && other.get());
    }

    /** Also while only the new one is still read. */
    @ParameterizedTest
    @EnumSource(BlankNodes.class)
    void whatTheListenerThrowsEndsBothAndItHearsInOneThreadAlone(BlankNodes blankNodes) {
        AtomicBoolean ended = new AtomicBoolean();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        ProgressMeter meter = new ProgressMeter(rows -> {
            threads.add(Thread.currentThread());
            if (rows > 100_000) {
                throw new IllegalArgumentException("the user has enough");
            }
        });
        assertThrows(IllegalArgumentException.class, () -> Difference.of(of(0, 10), endless(ended), blankNodes, meter));
        assertTrue(ended.get());
        assertEquals(Set.of(Thread.currentThread()), threads);
        assertFalse(meter.rows() < 100_000);
    }
}
