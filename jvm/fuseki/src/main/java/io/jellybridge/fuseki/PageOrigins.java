package io.jellybridge.fuseki;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sites whose pages may use the patch logs of a server in a browser, in addition to its own. A browser sends the requests
 * of a page in its user's name: from inside a network, and with a stored login. So pages of other sites are rejected, even if
 * the server's own CORS filter lets them in, as that of Fuseki's command does.
 *
 * @param allowed origins such as {@code https://editor.example.org}; {@code *} for all
 */
record PageOrigins(Set<String> allowed) {

    /**
     * Parses origins.
     *
     * @param origins origins separated by commas; null for none
     */
    static PageOrigins of(String origins) {
        return new PageOrigins(Arrays.stream((origins == null ? "" : origins).split(","))
                .map(origin -> origin.strip().toLowerCase(Locale.ROOT)).filter(origin -> !origin.isEmpty())
                .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * Checks the origin of a request.
     *
     * @throws RefusedException the request comes from a page of another site
     */
    void checkOrigin(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String site = request.getHeader("Sec-Fetch-Site");
        // Browsers send Sec-Fetch-Site to trustworthy origins, and pages can't change it. "none" means the user, not a page.
        boolean isOther = site != null ? !site.equals("same-origin") && !site.equals("none")
                : origin != null && !isOwn(origin, request.getHeader("Host"));
        boolean isAllowed = allowed.contains("*") || origin != null && allowed.contains(origin.toLowerCase(Locale.ROOT));
        if (isOther && !isAllowed) {
            throw new RefusedException(Answer.errorAnswer(403, "access", "pages of " + (origin == null ? "other sites" : origin)
                    + " may not use the patch logs of this server; " + LogServlets.ORIGINS + " names those that may"));
        }
    }

    private static boolean isOwn(String origin, String host) {
        try {
            URI page = URI.create(origin);
            URI server = URI.create(page.getScheme() + "://" + host);
            return page.getHost() != null && page.getHost().equalsIgnoreCase(server.getHost()) && portOf(page) == portOf(server);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static int portOf(URI address) {
        return address.getPort() >= 0 ? address.getPort() : address.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }
}
