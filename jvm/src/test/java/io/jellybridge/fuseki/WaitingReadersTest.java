package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests that wait for a version: how often the log is looked at for them, and what ends them. */
class WaitingReadersTest {
    private static final long MILLIS = 20;
    private static final int READERS = 200;

    private final WaitingReaders readers = new WaitingReaders();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean isNew;

    /** A request that counts down when it is dispatched, and then fails or not. */
    private static AsyncContext request(CountDownLatch dispatched, boolean isGone) {
        return (AsyncContext) Proxy.newProxyInstance(AsyncContext.class.getClassLoader(), new Class<?>[] {AsyncContext.class},
                (proxy, method, given) -> switch (method.getName()) {
                    case "dispatch" -> {
                        dispatched.countDown();
                        if (isGone) {
                            throw new IllegalStateException("gone");
                        }
                        yield null;
                    }
                    case "equals" -> proxy == given[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private long newest() {
        looks.incrementAndGet();
        return isNew ? 2 : 1;
    }

    private static boolean isOver(CountDownLatch dispatched) throws InterruptedException {
        return dispatched.await(20, TimeUnit.SECONDS);
    }

    @Test
    void manyReadersShareOneLook() throws InterruptedException {
        CountDownLatch dispatched = new CountDownLatch(READERS);
        for (int i = 0; i < READERS; i++) {
            readers.add("log", this::newest, MILLIS, request(dispatched, i == 0), 1, 100);
        }
        Thread.sleep(5 * MILLIS);
        isNew = true;
        assertTrue(isOver(dispatched));
        int shared = looks.get();
        assertTrue(shared < READERS / 2, () -> shared + " looks for " + READERS + " readers");
        CountDownLatch next = new CountDownLatch(1);
        readers.add("log", this::newest, MILLIS, request(next, false), 1, 100);
        assertTrue(isOver(next), "a reader after them is not answered");
        assertEquals(shared + 1, looks.get());
    }

    @Test
    void aReaderWithAnOlderVersionAndALaterOneOfAnotherLogAreAnsweredByThemselves() throws InterruptedException {
        CountDownLatch older = new CountDownLatch(1);
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch late = new CountDownLatch(1);
        readers.add("log", () -> 1L, MILLIS, request(late, false), 1, 1);
        readers.add("log", () -> 1L, MILLIS, request(older, false), 0, 100);
        readers.add("other", () -> 5L, MILLIS, request(other, false), 4, 100);
        assertTrue(isOver(older) && isOver(other));
        assertEquals(1, late.getCount());
        assertTrue(isOver(late), "the time is over");
    }

    @Test
    void aLogThatCanNotBeReadAnswersItsReaders() throws InterruptedException {
        CountDownLatch dispatched = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            readers.add("log", () -> {
                throw new IOException("a bad disk");
            }, MILLIS, request(dispatched, false), 1, 100);
        }
        assertTrue(isOver(dispatched));
    }
}
