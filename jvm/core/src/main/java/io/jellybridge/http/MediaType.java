package io.jellybridge.http;

import java.net.http.HttpHeaders;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code Content-Type} of a response.
 *
 * @param type    the type without parameters, in lower case; empty if the response has none
 * @param charset in lower case; null if the response has none
 */
public record MediaType(String type, String charset) {
    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*=\\s*[\"']?([^\"';\\s]+)");

    public static MediaType of(HttpHeaders headers) {
        return of(headers.firstValue("Content-Type").orElse(""));
    }

    public static MediaType of(String header) {
        Matcher charset = CHARSET.matcher(header);
        return new MediaType(header.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT),
                charset.find() ? charset.group(1).toLowerCase(Locale.ROOT) : null);
    }

    /** Returns whether text of this type is UTF-8: the response has no charset, or UTF-8, or ASCII. */
    public boolean isUtf8() {
        return charset == null || charset.matches("utf-?8|(us-)?ascii");
    }
}
