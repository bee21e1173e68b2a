package io.jellybridge.http;

/** What a server says in the body of an answer that is an error, as a line for a message. */
final class AnswerText {
    private static final int SHOWN = 400;

    private AnswerText() {
    }

    /**
     * The text on one line, cut after {@value #SHOWN} characters. A page of HTML is shown without its tags; in anything else
     * {@code <…>} is no tag, but an IRI.
     *
     * @param mediaType see {@link MediaType#type}
     */
    static String of(String mediaType, String body) {
        String line = (mediaType.equals("text/html") ? withoutTags(body) : body).replaceAll("\\s+", " ").trim();
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
    }

    private static String withoutTags(String page) {
        return page.replaceAll("(?is)<!--.*?-->|<(script|style)\\b.*?</\\1\\s*>|<[^>]*>", " ")
                .replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'")
                .replace("&#39;", "'").replace("&nbsp;", " ")
                .replace("&amp;", "&"); // the last, so that nothing is decoded twice
    }
}
