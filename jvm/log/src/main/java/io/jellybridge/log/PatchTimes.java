package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.PatchHandler;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header {@code time} of patches: an {@code xsd:dateTime} in UTC. */
public final class PatchTimes {
    /** The format with milliseconds, even if they are 0, so that times sort like their text. */
    public static final DateTimeFormatter MILLISECONDS = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    /** The first millisecond of the years 1 to 9999, which Python and Spark can represent. */
    public static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    /** The last millisecond of these years. */
    public static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private static final byte[] KEY = "time".getBytes(US_ASCII);
    private static final String DATATYPE = "^^<http://www.w3.org/2001/XMLSchema#dateTime>";
    private static final Pattern TERM = Pattern.compile("\"([^\"]*)\"(?:" + Pattern.quote(DATATYPE) + ")?");

    private PatchTimes() {
    }

    /** Returns true if the key is that of the time. */
    public static boolean isTime(byte[] key) {
        return Arrays.equals(key, KEY);
    }

    /** Sends the header to a handler. */
    public static <T> void write(PatchHandler<T> to, T time) {
        to.header(KEY, time);
    }

    /** Returns a time as a term. */
    public static byte[] toTerm(Instant time) {
        return ('"' + MILLISECONDS.format(time) + '"' + DATATYPE).getBytes(US_ASCII);
    }

    /** Parses a term; null if it is not a time in UTC of the years 1 to 9999. */
    public static Instant of(byte[] term) {
        Matcher matcher = TERM.matcher(new String(term, UTF_8));
        return matcher.matches() ? parseTime(matcher.group(1)) : null;
    }

    /** Parses a text; null if it is not a time in UTC of the years 1 to 9999. */
    static Instant parseTime(String text) {
        try {
            return inRange(Instant.parse(text).truncatedTo(ChronoUnit.MILLIS));
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Returns the time of these milliseconds since 1970; null if it is of no year from 1 to 9999. */
    static Instant ofMillis(long millis) {
        return inRange(Instant.ofEpochMilli(millis));
    }

    private static Instant inRange(Instant time) {
        return time.isBefore(FIRST) || time.isAfter(LAST) ? null : time;
    }
}
