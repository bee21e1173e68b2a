package io.jellybridge.codec;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** Functions that may throw an {@link IOException}, unlike those of {@code java.util.function}, and uses of what they open. */
public final class Io {
    private static final int COMPARED_BYTES = 1 << 16;

    private Io() {
    }

    /** Returns what is made of an open resource. If that fails, even by an {@link Error}, the resource is closed. */
    public static <C extends Closeable, R> R closeOnFailure(C opened, Function<? super C, R> making) throws IOException {
        try {
            return making.apply(opened);
        } catch (IOException | RuntimeException | Error e) {
            try {
                opened.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    /** Returns true if two streams have the same bytes up to their ends. */
    public static boolean haveSameBytes(InputStream one, InputStream other) throws IOException {
        byte[] bytes;
        do {
            bytes = one.readNBytes(COMPARED_BYTES);
            if (!Arrays.equals(bytes, other.readNBytes(COMPARED_BYTES))) {
                return false;
            }
        } while (bytes.length > 0);
        return true;
    }

    /** Does work where no {@link IOException} may be thrown; one becomes an {@link UncheckedIOException}. */
    public static void unchecked(Action work) {
        try {
            work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A function without an argument. */
    @FunctionalInterface
    public interface Supplier<T> {
        T get() throws IOException;
    }

    /** A function of one argument. */
    @FunctionalInterface
    public interface Function<A, R> {
        R apply(A argument) throws IOException;
    }

    /** An operation on one argument, without a result. */
    @FunctionalInterface
    public interface Consumer<A> {
        void accept(A argument) throws IOException;
    }

    /** An operation without an argument or a result. */
    @FunctionalInterface
    public interface Action {
        void run() throws IOException;
    }
}
