package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Parses the parameters in a URL. A servlet's own parser would also read a body that claims to be a form. */
final class QueryString {

    private QueryString() {
    }

    /**
     * Parses a query string.
     *
     * @param query the query string of a request; may be null
     * @throws IllegalArgumentException it is not a list of names and values, or has a name twice
     */
    static Map<String, String> parseQuery(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("the parameter '" + pair + "' without a value");
            }
            String name = URLDecoder.decode(pair.substring(0, equals), UTF_8);
            if (parameters.put(name, URLDecoder.decode(pair.substring(equals + 1), UTF_8)) != null) {
                throw new IllegalArgumentException("the parameter '" + name + "' twice");
            }
        }
        return parameters;
    }

    /**
     * Checks that all parameters are known.
     *
     * @throws IllegalArgumentException a parameter is not among the names
     */
    static void requireAmong(Map<String, String> parameters, Set<String> names) {
        for (String name : parameters.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("the parameter '" + name + "', which is none of " + new TreeSet<>(names));
            }
        }
    }
}
