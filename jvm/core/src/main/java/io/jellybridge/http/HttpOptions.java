package io.jellybridge.http;

import static io.jellybridge.options.Option.flag;
import static io.jellybridge.options.Option.number;
import static io.jellybridge.options.Option.seconds;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.io.Serializable;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where a server is, and how it is spoken to.
 *
 * @param base           the URL, without user information and a slash at its end
 * @param credentials    who asks
 * @param tls            who vouches for the server
 * @param connectTimeout how long to wait for a connection
 * @param timeout        how long to wait for an answer, all of it; a large patch takes its time
 * @param attempts       how often a request is sent at most
 * @param ticker         the time that pauses between attempts take
 */
public record HttpOptions(URI base, Credentials credentials, Tls tls, Duration connectTimeout, Duration timeout,
        int attempts, Ticker ticker) implements Serializable {
    private static final Option<Duration> CONNECT_TIMEOUT =
            seconds("connectTimeout", 10, "how long to wait for a connection");
    private static final Option<Duration> TIMEOUT =
            seconds("timeout", 600, "how long to wait for a whole answer; a large patch takes its time");
    private static final Option<Integer> ATTEMPTS = number("attempts", 5, 1, "how often a request is sent at most; between"
            + " two of them there is a pause of 0.2 s, then twice as long each, up to 10 s");

    private static final Option<Boolean> INSECURE = flag("insecure", false, "send a password or a token to another machine"
            + " also without TLS, where everybody on the way can read it");
    private static final String THIS_MACHINE = "(?i)localhost|127(\\.[0-9]+){3}|\\[::1]";

    /** What {@link #of} takes, {@link Credentials}' and {@link Tls}' among them. */
    public static final List<Option<?>> OPTIONS =
            OptionTable.join(Credentials.OPTIONS, Tls.OPTIONS, List.of(INSECURE, CONNECT_TIMEOUT, TIMEOUT, ATTEMPTS));

    /** @throws IllegalArgumentException a value that can't be; the message names it */
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

    /** Whether a location is one of a server. */
    public static boolean isUrl(String location) {
        return location.regionMatches(true, 0, "http://", 0, 7) || location.regionMatches(true, 0, "https://", 0, 8);
    }

    /** Whether a location is one of a server of gRPC. */
    public static boolean isGrpc(String location) {
        return location.regionMatches(true, 0, "grpc://", 0, 7) || location.regionMatches(true, 0, "grpcs://", 0, 8);
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
     * The options of a server.
     *
     * @param url   http or https; {@code user:password@} before the host is for basic authentication
     * @param given by the names of {@link #OPTIONS}
     * @param what  what the URL is to be, for the message
     * @throws IllegalArgumentException the URL is none, or an option is not known or can't be, or a password or token would go
     *                                  over the network for everybody to read; no message shows credentials
     */
    public static HttpOptions of(String url, Map<String, String> given, String what) {
        return of(url, given, what, System.getenv());
    }

    static HttpOptions of(String url, Map<String, String> given, String what, Map<String, String> environment) {
        return of(parse(url, isUrl(url), what, "http://host:3030/name"), given, environment);
    }

    /**
     * Likewise of a server of gRPC.
     *
     * @param url {@code grpc://host:port/NAME}, or {@code grpcs:} for one with TLS
     */
    public static HttpOptions ofGrpc(String url, Map<String, String> given, String what) {
        String example = "grpc://host:7878/NAME";
        URI uri = parse(url, isGrpc(url), what, example);
        if (uri.getPort() < 0 || !uri.getRawPath().matches("/[^/]+")) {
            throw noUrl(url, what, example);
        }
        return of(uri, given, System.getenv());
    }

    private static HttpOptions of(URI uri, Map<String, String> given, Map<String, String> environment) {
        OptionValues values = new OptionTable("a server", OPTIONS, List.of()).values(given);
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

    private static URI parse(String url, boolean hasScheme, String what, String example) {
        try {
            URI uri = new URI(url);
            // An @ in the path is one of a password with a slash in it, which would go to a wrong server, and be shown.
            if (hasScheme && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawFragment() == null
                    && !uri.getRawPath().contains("@")) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Refused below, as what lacks a part is; its message would show the URL.
        }
        throw noUrl(url, what, example);
    }

    private static IllegalArgumentException noUrl(String url, String what, String example) {
        String shown = Redaction.address(url);
        return new IllegalArgumentException("'" + shown + "'" + (shown.equals(url) ? "" : " (shown without who asks)")
                + " is no " + what + "; write " + example + ", and in names and passwords %40 for @, %2F for /, "
                + "%3A for :");
    }

    private static URI withoutUser(URI uri) {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return URI.create(uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath().replaceFirst("/\\z", ""));
    }

    /** The same at another place of the same server: the credentials go along. */
    public HttpOptions withBase(URI other) {
        if (!isSameServer(other)) {
            throw new IllegalArgumentException(other + " is on another server than " + base);
        }
        return new HttpOptions(other, credentials, tls, connectTimeout, timeout, attempts, ticker);
    }

    /** Whether a place is of the server of the base. */
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
}
