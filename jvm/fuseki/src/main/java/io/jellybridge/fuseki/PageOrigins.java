package io.jellybridge.fuseki;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sites whose pages in browsers may use the patch logs of a server, beside its own. A browser sends what a page asks for in
 * its user's name: from inside of a network, with a login that it remembers. So the pages of other sites are refused, also where
 * the server's own filter for them (CORS) lets them in, as that of Fuseki's command does.
 *
 * @param allowed such as {@code https://editor.example.org}; {@code *}: all
 */
record PageOrigins(Set<String> allowed) {

    /** @param origins with commas between them; null: none */
    static PageOrigins of(String origins) {
        return new PageOrigins(Arrays.stream((origins == null ? "" : origins).split(","))
                .map(origin -> origin.strip().toLowerCase(Locale.ROOT)).filter(origin -> !origin.isEmpty())
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** @throws RefusedException the request is of a page of another site */
    void check(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String site = request.getHeader("Sec-Fetch-Site");
        // A browser says the second of those that it trusts, and a page can't change it. "none" is the user.
        boolean isOther = site != null ? !site.equals("same-origin") && !site.equals("none")
                : origin != null && !isOwn(origin, request.getHeader("Host"));
        boolean isAllowed = allowed.contains("*") || origin != null && allowed.contains(origin.toLowerCase(Locale.ROOT));
        if (isOther && !isAllowed) {
            throw new RefusedException(Answer.error(403, "access", "pages of " + (origin == null ? "other sites" : origin)
                    + " may not use the patch logs of this server; " + LogEndpoint.ORIGINS + " names those that may"));
        }
    }

    private static boolean isOwn(String origin, String host) {
        try {
            URI page = URI.create(origin);
            URI server = URI.create(page.getScheme() + "://" + host);
            return page.getHost() != null && page.getHost().equalsIgnoreCase(server.getHost()) && port(page) == port(server);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static int port(URI address) {
        return address.getPort() >= 0 ? address.getPort() : address.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }
}
