package io.jellybridge.http;

import java.io.Serializable;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a server is, and how it is spoken to.
 *
 * @param base           the URL, without user information and a slash at its end
 * @param credentials    who asks
 * @param connectTimeout how long to wait for a connection
 * @param timeout        how long to wait for an answer, all of it; a large patch takes its time
 * @param attempts       how often a request is sent at most
 * @param backoff        how long to wait before the second attempt; twice as long before each that follows, at most 10 s
 */
public record HttpOptions(URI base, Credentials credentials, Duration connectTimeout, Duration timeout, int attempts,
        Duration backoff) implements Serializable {
    private static final String CONNECT_TIMEOUT = "connectTimeout";
    private static final String TIMEOUT = "timeout";
    private static final String ATTEMPTS = "attempts";

    /** What {@link #of} takes: {@link Credentials}', and seconds, seconds and a number. */
    public static final Set<String> NAMES = names();

    /** @throws IllegalArgumentException a value that can't be; the message names it */
    public HttpOptions {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts=" + attempts + ": must be at least 1");
        }
        checkPositive(CONNECT_TIMEOUT, connectTimeout);
        checkPositive(TIMEOUT, timeout);
    }

    private static Set<String> names() {
        Set<String> names = new TreeSet<>(Credentials.NAMES);
        names.addAll(Set.of(CONNECT_TIMEOUT, TIMEOUT, ATTEMPTS));
        return Set.copyOf(names);
    }

    private static void checkPositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(name + "=" + duration.toMillis() / 1000.0 + ": must be more than 0 seconds");
        }
    }

    /**
     * Refuses an option that is not known: one that is misspelt would change nothing, unnoticed.
     *
     * @param of what has the options, for the message
     * @throws IllegalArgumentException there is one; the message names it
     */
    public static void checkNames(Set<String> given, Set<String> known, String of) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' is no option of " + of + "; these are: "
                        + String.join(", ", new TreeSet<>(known)));
            }
        }
    }

    /** Whether a location is one of a server. */
    public static boolean isUrl(String location) {
        return location.regionMatches(true, 0, "http://", 0, 7) || location.regionMatches(true, 0, "https://", 0, 8);
    }

    /**
     * Refuses a URL with credentials, for where an address is shown by others than us, who know nothing of them.
     *
     * @param option the option that the URL is the value of
     * @throws IllegalArgumentException there are some; the message does not show them
     */
    public static void checkWithoutUser(String url, String option) {
        if (!url.equals(Redaction.address(url))) {
            throw new IllegalArgumentException("the option '" + option + "' is '" + Redaction.address(url)
                    + "' with a user or a password, which Spark would show in its plans and logs; give them by the options "
                    + "user and password, or passwordFile");
        }
    }

    /**
     * The options of a server, with 10 s to connect, 10 minutes to answer, and 5 attempts.
     *
     * @param url      http or https; {@code user:password@} before the host is for basic authentication
     * @param settings see {@link #NAMES}; others do not matter
     * @param what     what the URL is to be, for the message
     * @throws IllegalArgumentException the URL is none, or a setting can't be; no message shows credentials
     */
    public static HttpOptions of(String url, Map<String, String> settings, String what) {
        return of(url, settings, what, System.getenv());
    }

    static HttpOptions of(String url, Map<String, String> settings, String what, Map<String, String> environment) {
        URI given = parse(url, what);
        return new HttpOptions(withoutUser(given), Credentials.of(given, settings, environment),
                seconds(settings, CONNECT_TIMEOUT, 10), seconds(settings, TIMEOUT, 600), attempts(settings),
                Duration.ofMillis(200));
    }

    private static URI parse(String url, String what) {
        try {
            URI uri = new URI(url);
            // An @ in the path is one of a password with a slash in it, which would go to a wrong server, and be shown.
            if (isUrl(url) && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawFragment() == null
                    && !uri.getRawPath().contains("@")) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Refused below, as what lacks a part is; its message would show the URL.
        }
        String shown = Redaction.address(url);
        throw new IllegalArgumentException("'" + shown + "'" + (shown.equals(url) ? "" : " (shown without who asks)")
                + " is no " + what + "; write http://host:3030/name, and in names and passwords %40 for @, %2F for /, "
                + "%3A for :");
    }

    private static URI withoutUser(URI uri) {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return URI.create(uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath().replaceFirst("/\\z", ""));
    }

    /**
     * A number of seconds.
     *
     * @param otherwise where there is no such setting
     * @throws IllegalArgumentException it is no number; the message names it
     */
    public static Duration seconds(Map<String, String> settings, String name, double otherwise) {
        String value = settings.get(name);
        double seconds = otherwise;
        try {
            seconds = value == null ? otherwise : Double.parseDouble(value);
        } catch (NumberFormatException e) {
            seconds = Double.NaN;
        }
        if (!Double.isFinite(seconds)) {
            throw new IllegalArgumentException(name + "=" + value + ": must be a number of seconds");
        }
        return Duration.ofMillis((long) (seconds * 1000));
    }

    private static int attempts(Map<String, String> settings) {
        try {
            return Integer.parseInt(settings.getOrDefault(ATTEMPTS, "5").strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(ATTEMPTS + "=" + settings.get(ATTEMPTS) + ": must be a number", e);
        }
    }

    /** The same at another place of the same server: the credentials go along. */
    public HttpOptions withBase(URI other) {
        if (!other.getScheme().equals(base.getScheme()) || !other.getRawAuthority().equals(base.getRawAuthority())) {
            throw new IllegalArgumentException(other + " is on another server than " + base);
        }
        return new HttpOptions(other, credentials, connectTimeout, timeout, attempts, backoff);
    }

    public HttpOptions withTimeout(Duration longest) {
        return new HttpOptions(base, credentials, connectTimeout, longest, attempts, backoff);
    }

    public HttpOptions withAttempts(int most) {
        return new HttpOptions(base, credentials, connectTimeout, timeout, most, backoff);
    }

    public HttpOptions withBackoff(Duration first) {
        return new HttpOptions(base, credentials, connectTimeout, timeout, attempts, first);
    }
}
