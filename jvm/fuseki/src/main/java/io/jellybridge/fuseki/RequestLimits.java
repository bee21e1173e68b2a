package io.jellybridge.fuseki;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Collections;

/**
 * The limits of a request. Each is a system property.
 *
 * @param bodyBytes     the largest body, as it is sent
 * @param unpackedBytes the largest decompressed body
 * @param headerBytes   the largest size of the address and the headers together
 * @param bodyTime      the longest time to receive a whole body; the server itself ends idle connections
 */
record RequestLimits(long bodyBytes, long unpackedBytes, long headerBytes, Duration bodyTime) {
    static final String BODY_BYTES = "jellybridge.max-body-bytes";
    static final String UNPACKED_BYTES = "jellybridge.max-unpacked-bytes";
    static final String HEADER_BYTES = "jellybridge.max-header-bytes";
    static final String BODY_SECONDS = "jellybridge.max-body-seconds";
    private static final long MOST_SECONDS = Integer.MAX_VALUE;

    /**
     * Reads the system properties.
     *
     * @throws IllegalArgumentException a property is not a whole number above 0, or too large
     */
    static RequestLimits ofProperties() {
        return new RequestLimits(readProperty(BODY_BYTES, 1L << 30, Long.MAX_VALUE),
                readProperty(UNPACKED_BYTES, 1L << 32, Long.MAX_VALUE), readProperty(HEADER_BYTES, 1L << 16, Long.MAX_VALUE),
                Duration.ofSeconds(readProperty(BODY_SECONDS, 3600, MOST_SECONDS)));
    }

    private static long readProperty(String name, long otherwise, long most) {
        String text = System.getProperty(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text.strip());
            if (value > 0 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Rejected below, like a number that is too small or too large.
        }
        throw new IllegalArgumentException("the property " + name + " is '" + text + "'; make it a whole number from 1 to " + most);
    }

    /**
     * Checks the size of the address and the headers.
     *
     * @throws RefusedException they are too large
     */
    void checkHead(HttpServletRequest request) {
        long bytes = request.getRequestURL().length();
        bytes += request.getQueryString() == null ? 0 : request.getQueryString().length();
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                bytes += name.length() + value.length();
            }
        }
        if (bytes > headerBytes) {
            throw new RefusedException(Answer.errorAnswer(431, "limit", "an address and headers of " + bytes + " bytes; this "
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
        return Answer.errorAnswer(413, "limit", what + "; send the patches in several requests, or raise the limit by the "
                + "server's property " + property);
    }
}
