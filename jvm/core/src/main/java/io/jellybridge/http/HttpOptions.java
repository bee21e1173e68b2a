package io.jellybridge.http;

import static io.jellybridge.options.Option.ofFlag;
import static io.jellybridge.options.Option.ofNumber;
import static io.jellybridge.options.Option.ofSeconds;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.InterruptedIOException;
import java.io.Serializable;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The address of a server, and the settings for requests to it.
 *
 * @param base           the URL, without user information and without a slash at its end
 * @param credentials    the credentials to send
 * @param tls            the certificates
 * @param connectTimeout the time limit for a connection
 * @param timeout        the time limit for a whole response; a large patch takes its time
 * @param attempts       the largest number of attempts of a request
 * @param ticker         the clock for pauses between attempts
 */
public record HttpOptions(URI base, Credentials credentials, Tls tls, Duration connectTimeout, Duration timeout,
        int attempts, Ticker ticker) implements Serializable {
    private static final Option<Duration> CONNECT_TIMEOUT =
            ofSeconds("connectTimeout", 10, "how long to wait for a connection");
    private static final Option<Duration> TIMEOUT =
            ofSeconds("timeout", 600, "how long to wait for a whole answer; a large patch takes its time");
    private static final Option<Integer> ATTEMPTS = ofNumber("attempts", 5, 1, "how often a request is sent at most; between"
            + " two of them there is a pause of 0.2 s, then twice as long each, up to 10 s");

    private static final Option<Boolean> INSECURE = ofFlag("insecure", false, "send a password or a token to another machine"
            + " also without TLS, where everybody on the way can read it");
    private static final String HOST_WITH_UNDERSCORE = "(.*@)?[^:@]*_[^:@]*(:[0-9]*)?";
    private static final String THIS_MACHINE = "(?i)localhost|127(\\.[0-9]+){3}|\\[::1]";

    /** The accepted options, with those of {@link Credentials} and {@link Tls}. */
    public static final List<Option<?>> OPTIONS =
            OptionTable.join(Credentials.OPTIONS, Tls.OPTIONS, List.of(INSECURE, CONNECT_TIMEOUT, TIMEOUT, ATTEMPTS));

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException a value is invalid; the message names it
     */
    public HttpOptions {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts=" + attempts + ": must be at least 1");
        }
        checkPositive(CONNECT_TIMEOUT.name(), connectTimeout);
        checkPositive(TIMEOUT.name(), timeout);
    }

    private static void checkPositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(name + "=" + duration.toMillis() / 1000.0 + ": must be more than 0 seconds");
        }
    }

    /** Checks whether a location is an HTTP URL. */
    public static boolean isUrl(String location) {
        return location.regionMatches(true, 0, "http://", 0, 7) || location.regionMatches(true, 0, "https://", 0, 8);
    }

    /** Checks whether a location is a gRPC URL. */
    public static boolean isGrpc(String location) {
        return location.regionMatches(true, 0, "grpc://", 0, 7) || location.regionMatches(true, 0, "grpcs://", 0, 8);
    }

    /**
     * Checks that a URL has no credentials, since other programs would show it.
     *
     * @param option the option with that URL
     * @throws IllegalArgumentException it has some; the message does not show them
     */
    public static void checkWithoutUser(String url, String option) {
        if (!url.equals(Redaction.redactAddress(url))) {
            throw new IllegalArgumentException("the option '" + option + "' is '" + Redaction.redactAddress(url)
                    + "' with a user or a password, which Spark would show in its plans and logs; give them by the options "
                    + "user and password, or passwordFile");
        }
    }

    /**
     * Creates the options of a server.
     *
     * @param url   http or https; {@code user:password@} before the host is for basic authentication
     * @param given the options that the user gave, by the names of {@link #OPTIONS}
     * @param what  the expected kind of URL, for the message
     * @throws IllegalArgumentException the URL is invalid, an option is unknown or invalid, or a password or token would go
     *                                  over the network unencrypted; no message shows credentials
     */
    public static HttpOptions of(String url, Map<String, String> given, String what) {
        return of(url, given, what, System.getenv());
    }

    static HttpOptions of(String url, Map<String, String> given, String what, Map<String, String> environment) {
        return of(parseAddress(url, isUrl(url), what, "http://host:3030/name"), given, environment);
    }

    /**
     * Requires that a place on this machine is given no options.
     *
     * @throws IllegalArgumentException there are some
     */
    public static void requireNone(String place, Map<String, String> given) {
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(Redaction.redactAddress(place) + " asks for no login, and has no options: leave out "
                    + "user (--user) and the others, which are of servers");
        }
    }

    /**
     * Creates the options of a gRPC server.
     *
     * @param url {@code grpc://host:port/NAME}, or {@code grpcs:} for one with TLS
     */
    public static HttpOptions ofGrpc(String url, Map<String, String> given, String what) {
        String example = "grpc://host:7878/NAME";
        URI uri = parseAddress(url, isGrpc(url), what, example);
        if (uri.getPort() < 0 || !uri.getRawPath().matches("/[^/]+")) {
            throw noUrlError(url, what, example);
        }
        return of(uri, given, System.getenv());
    }

    private static HttpOptions of(URI uri, Map<String, String> given, Map<String, String> environment) {
        OptionValues values = new OptionTable("a server", OPTIONS, List.of()).parseValues(given);
        Credentials credentials = Credentials.of(uri, values.of(OptionTable.names(Credentials.OPTIONS)), environment);
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        if (credentials.authorization() != null && !scheme.endsWith("s") && !uri.getHost().matches(THIS_MACHINE)
                && !values.get(INSECURE)) {
            throw new IllegalArgumentException(withoutUser(uri) + " has no TLS: who asks would go over the network for everybody "
                    + "to read; write " + scheme + "s://, or allow it by the option insecure");
        }
        return new HttpOptions(withoutUser(uri), credentials, Tls.of(values), values.get(CONNECT_TIMEOUT),
                values.get(TIMEOUT), values.get(ATTEMPTS), Ticker.System.TIME);
    }

    private static URI parseAddress(String url, boolean hasScheme, String what, String example) {
        try {
            URI uri = new URI(url);
            // An @ in the path comes from a password with a slash in it. It would go to a wrong server, and be shown.
            if (hasScheme && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawFragment() == null
                    && !uri.getRawPath().contains("@")) {
                return uri;
            }
            String authority = uri.getRawAuthority();
            if (hasScheme && uri.getHost() == null && authority != null && authority.matches(HOST_WITH_UNDERSCORE)) {
                throw new IllegalArgumentException("'" + Redaction.redactAddress(url) + "' is no " + what + ": the name of a host has "
                        + "no '_'; give the server another name, such as a network alias in Docker Compose");
            }
        } catch (URISyntaxException e) {
            // Rejected below, like a URL without a host. The message of this exception would show the URL.
        }
        throw noUrlError(url, what, example);
    }

    private static IllegalArgumentException noUrlError(String url, String what, String example) {
        String shown = Redaction.redactWithQuery(url).replaceFirst("(?s).*@", ""); // a password, where no scheme is
        return new IllegalArgumentException("'" + shown + "'" + (shown.equals(url) ? "" : " (shown without who asks)")
                + " is no " + what + "; write " + example + ", and in names and passwords %40 for @, %2F for /, "
                + "%3A for :");
    }

    private static URI withoutUser(URI uri) {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return URI.create(uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath().replaceFirst("/\\z", ""));
    }

    /** Returns the same options for another URL of the same server, with the same credentials. */
    public HttpOptions withBase(URI other) {
        if (!isSameServer(other)) {
            throw new IllegalArgumentException(other + " is on another server than " + base);
        }
        return new HttpOptions(other, credentials, tls, connectTimeout, timeout, attempts, ticker);
    }

    /** Checks whether a URL belongs to the server of the base URL. */
    public boolean isSameServer(URI other) {
        return other.getScheme().equals(base.getScheme()) && other.getRawAuthority().equals(base.getRawAuthority());
    }

    public HttpOptions withTimeout(Duration longest) {
        return new HttpOptions(base, credentials, tls, connectTimeout, longest, attempts, ticker);
    }

    public HttpOptions withAttempts(int most) {
        return new HttpOptions(base, credentials, tls, connectTimeout, timeout, most, ticker);
    }

    public HttpOptions withTicker(Ticker other) {
        return new HttpOptions(base, credentials, tls, connectTimeout, timeout, attempts, other);
    }

    /** The clock of retries and leases. Tests use one that does not wait. */
    public interface Ticker extends Serializable {

        /** Returns the nanoseconds since a fixed moment. */
        long nanos();

        /** Waits for the given milliseconds. */
        void sleep(long millis) throws InterruptedIOException;

        /** The clock of the machine. */
        enum System implements Ticker {
            TIME;

            @Override
            public long nanos() {
                return java.lang.System.nanoTime();
            }

            @Override
            public void sleep(long millis) throws InterruptedIOException {
                try {
                    Thread.sleep(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted while waiting");
                }
            }
        }
    }
}
