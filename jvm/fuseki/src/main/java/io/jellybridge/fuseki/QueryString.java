package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The parameters in a URL alone: a servlet's own look into a body that claims to be a form. */
final class QueryString {

    private QueryString() {
    }

    /**
     * @param query as the request has it; may be null
     * @throws IllegalArgumentException it is no list of names and values, or names one twice
     */
    static Map<String, String> parse(String query) {
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

    /** @throws IllegalArgumentException there is a parameter that is not among the names */
    static void requireAmong(Map<String, String> parameters, Set<String> names) {
        for (String name : parameters.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("the parameter '" + name + "', which is none of " + new TreeSet<>(names));
            }
        }
    }
}
