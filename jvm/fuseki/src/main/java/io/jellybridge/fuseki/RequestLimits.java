package io.jellybridge.fuseki;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Collections;

/**
 * How much a request may be. Each limit is a system property.
 *
 * @param bodyBytes     of a body, as it is sent
 * @param unpackedBytes of a body that is compressed, when it is unpacked
 * @param headerBytes   of the address and the headers together
 * @param bodyTime      how long a body may take as a whole. How long it may stall is a matter of the server, which ends idle
 *                      connections
 */
record RequestLimits(long bodyBytes, long unpackedBytes, long headerBytes, Duration bodyTime) {
    static final String BODY_BYTES = "jellybridge.max-body-bytes";
    static final String UNPACKED_BYTES = "jellybridge.max-unpacked-bytes";
    static final String HEADER_BYTES = "jellybridge.max-header-bytes";
    static final String BODY_SECONDS = "jellybridge.max-body-seconds";

    /** @throws IllegalArgumentException a property is no whole number above 0 */
    static RequestLimits ofProperties() {
        return new RequestLimits(property(BODY_BYTES, 1L << 30), property(UNPACKED_BYTES, 1L << 32),
                property(HEADER_BYTES, 1L << 16), Duration.ofSeconds(property(BODY_SECONDS, 3600)));
    }

    private static long property(String name, long otherwise) {
        String text = System.getProperty(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text.strip());
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Refused below, as what is too small is.
        }
        throw new IllegalArgumentException("the property " + name + " is '" + text + "'; make it a whole number above 0");
    }

    /** @throws RefusedException the address and the headers are too large */
    void checkHead(HttpServletRequest request) {
        long bytes = request.getRequestURL().length();
        bytes += request.getQueryString() == null ? 0 : request.getQueryString().length();
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                bytes += name.length() + value.length();
            }
        }
        if (bytes > headerBytes) {
            throw new RefusedException(Answer.error(431, "limit", "an address and headers of " + bytes + " bytes; this "
                    + "server takes up to " + headerBytes + " here, which its property " + HEADER_BYTES + " says"));
        }
    }

    Answer bodyTooLarge() {
        return tooLarge("a body of more than " + bodyBytes + " bytes", BODY_BYTES);
    }

    Answer unpackedTooLarge() {
        return tooLarge("a body of more than " + unpackedBytes + " bytes when it is unpacked", UNPACKED_BYTES);
    }

    private static Answer tooLarge(String what, String property) {
        return Answer.error(413, "limit", what + "; send the patches in several requests, or raise the limit by the "
                + "server's property " + property);
    }
}
