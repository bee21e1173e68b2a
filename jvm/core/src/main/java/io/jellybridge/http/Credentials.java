package io.jellybridge.http;

import static io.jellybridge.options.Option.ofText;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The credentials for a server: a user with a password (basic authentication), a token (bearer), or none. They come from the
 * options, the URL or the environment. Only the first of these that has any counts. Credentials of the environment go only to
 * the hosts in {@value #HOSTS}, since a process may speak to several servers.
 */
public final class Credentials implements Serializable {
    private static final long serialVersionUID = 1L;

    static final String USER = "user";
    static final String PASSWORD = "password";
    /** The path of a file that holds only the password. A line break at its end is ignored. */
    static final String PASSWORD_FILE = "passwordFile";
    static final String TOKEN = "token";
    /** The path of a file that holds only the token. A line break at its end is ignored. */
    static final String TOKEN_FILE = "tokenFile";
    static final List<Option<?>> OPTIONS = List.of(
            ofText(USER, "a name", null, "who asks, by basic authentication"),
            ofText(PASSWORD, "a text", null, "that user's password"),
            ofText(PASSWORD_FILE, "a file", null, "a file of the password alone"),
            ofText(TOKEN, "a text", null, "who asks, by bearer authentication"),
            ofText(TOKEN_FILE, "a file", null, "a file of the token alone"));
    private static final Set<String> NAMES = OptionTable.names(OPTIONS);

    /** The hosts for the environment's credentials: {@code HOST} or {@code HOST:PORT}, separated by commas. */
    static final String HOSTS = "JELLYBRIDGE_HOSTS";
    private static final Map<String, String> VARIABLES = Map.of(USER, "JELLYBRIDGE_USER", PASSWORD, "JELLYBRIDGE_PASSWORD",
            PASSWORD_FILE, "JELLYBRIDGE_PASSWORD_FILE", TOKEN, "JELLYBRIDGE_TOKEN", TOKEN_FILE, "JELLYBRIDGE_TOKEN_FILE");

    private static final Pattern LEGAL_TOKEN = Pattern.compile("[!-~]+");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final long LONGEST_FILE = 1 << 16;

    private final String authorization;
    private final List<String> secrets;
    private final String hint;

    private Credentials(String authorization, List<String> secrets, String hint) {
        this.authorization = authorization;
        this.secrets = secrets;
        this.hint = hint;
    }

    /**
     * Finds the credentials for a server.
     *
     * @throws IllegalArgumentException they are contradictory or invalid; the message shows none of their values
     */
    static Credentials of(URI url, Map<String, String> options, Map<String, String> environment) {
        if (namesVariable(options::get)) {
            if (url.getRawUserInfo() != null && (options.containsKey(TOKEN) || options.containsKey(TOKEN_FILE))) {
                throw new IllegalArgumentException(
                        "there is a token, and the URL names a user: give one of the two, not both");
            }
            return of(options::get, name -> "the option '" + name + "'");
        }
        if (url.getRawUserInfo() != null) {
            String[] parts = url.getRawUserInfo().split(":", 2);
            return basic(decodeText(parts[0]), parts.length > 1 ? decodeText(parts[1]) : "", "the URL");
        }
        UnaryOperator<String> variable = name -> environment.get(VARIABLES.get(name));
        if (!namesVariable(variable)) {
            return new Credentials(null, List.of(), "");
        }
        return isNamed(url, environment.getOrDefault(HOSTS, ""))
                ? of(variable, name -> "the environment variable " + VARIABLES.get(name))
                : new Credentials(null, List.of(), "; those of the environment are for the hosts in " + HOSTS
                        + ", where " + url.getHost() + " is not");
    }

    private static boolean namesVariable(UnaryOperator<String> value) {
        return NAMES.stream().anyMatch(name -> value.apply(name) != null);
    }

    private static boolean isNamed(URI url, String hosts) {
        int otherwise = url.getScheme().equalsIgnoreCase("https") ? 443 : 80;
        String host = url.getHost().toLowerCase(Locale.ROOT);
        String withPort = host + ":" + (url.getPort() < 0 ? otherwise : url.getPort());
        return Arrays.stream(hosts.toLowerCase(Locale.ROOT).split(",")).map(String::strip)
                .anyMatch(named -> named.equals(host) || named.equals(withPort));
    }

    private static Credentials of(UnaryOperator<String> value, UnaryOperator<String> called) {
        String token = oneOf(TOKEN, TOKEN_FILE, value, called);
        String password = oneOf(PASSWORD, PASSWORD_FILE, value, called);
        String user = value.apply(USER);
        if (token != null && (user != null || password != null)) {
            throw new IllegalArgumentException(called.apply(TOKEN) + " is given, and so is "
                    + called.apply(user != null ? USER : PASSWORD) + ": give one of the two, not both");
        }
        if (token != null) {
            return bearer(token, called.apply(value.apply(TOKEN) != null ? TOKEN : TOKEN_FILE));
        }
        if (user == null) {
            throw new IllegalArgumentException(
                    called.apply(PASSWORD) + " goes with " + called.apply(USER) + "; give both");
        }
        return basic(user, password == null ? "" : password, called.apply(USER));
    }

    /** Returns a secret that is given directly or in a file, or null. */
    private static String oneOf(String name, String fileName, UnaryOperator<String> value, UnaryOperator<String> called) {
        String file = value.apply(fileName);
        if (file == null) {
            return value.apply(name);
        }
        if (value.apply(name) != null) {
            throw new IllegalArgumentException(
                    called.apply(name) + " is given, and so is " + called.apply(fileName)
                    + ": give one of the two, not both");
        }
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LONGEST_FILE) {
                throw new IllegalArgumentException(called.apply(fileName) + " names " + file
                        + ", which is too large for a secret; name a file that holds nothing else");
            }
            return Files.readString(path, UTF_8).replaceFirst("\\r?\\n\\z", "");
        } catch (IOException | InvalidPathException e) {
            // No cause: if the option was misused, the cause's message may contain the secret.
            throw new IllegalArgumentException(called.apply(fileName)
                    + " names no file that can be read as text (" + e.getClass().getSimpleName()
                    + "); name one by its path");
        }
    }

    private static Credentials bearer(String token, String place) {
        if (!LEGAL_TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException(place + " gives no token: it is empty, or holds a space, a line break or "
                    + "another character that no token has; give the token alone");
        }
        return new Credentials("Bearer " + token, List.of(token), "");
    }

    private static Credentials basic(String user, String password, String place) {
        if (user.contains(":") || CONTROL.matcher(user + password).find()) {
            throw new IllegalArgumentException(place + " gives no user with a password: a colon in the user's name, and a "
                    + "line break or another control character in either, can't be sent; give the two alone");
        }
        String encoded = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        String quoted = URLEncoder.encode(password, UTF_8);
        return new Credentials("Basic " + encoded,
                password.isEmpty() ? List.of(encoded) : List.of(encoded, password, quoted, quoted.replace("+", "%20")), "");
    }

    private static String decodeText(String raw) {
        return URLDecoder.decode(raw.replace("+", "%2B"), UTF_8);
    }

    /** Returns the value of the header {@code Authorization}, or null. */
    public String authorization() {
        return authorization;
    }

    /**
     * Returns advice for a server that demands credentials: the reason why none were sent. It is empty if the reason is clear.
     */
    public String hint() {
        return hint;
    }

    /** Removes the secrets from the text of a response. */
    public String hide(String answer) {
        String shown = answer;
        for (String secret : secrets) {
            shown = shown.replace(secret, "***");
        }
        return shown;
    }

    /** Returns only whether there are credentials. */
    @Override
    public String toString() {
        return authorization == null ? "no credentials" : "with credentials";
    }
}
