package io.jellybridge.http;

/** Formats the body of an error response as one line for a message. */
final class AnswerText {
    private static final int SHOWN = 400;

    private AnswerText() {
    }

    /**
     * Returns the text on one line, cut after {@value #SHOWN} characters. HTML loses its tags. In any other text {@code <…>} is
     * an IRI and stays.
     *
     * @param mediaType the type, see {@link MediaType#type}
     */
    static String of(String mediaType, String body) {
        String line = (mediaType.equals("text/html") ? withoutTags(body) : body).replaceAll("\\s+", " ").trim();
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
    }

    private static String withoutTags(String page) {
        return page.replaceAll("(?is)<!--.*?-->|<(script|style)\\b.*?</\\1\\s*>|<[^>]*>", " ")
                .replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'")
                .replace("&#39;", "'").replace("&nbsp;", " ")
                .replace("&amp;", "&"); // last, so that nothing is decoded twice
    }
}
