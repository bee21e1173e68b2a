package io.jellybridge.http;

/** What a server says in the body of an answer that is an error, as a line for a message. */
final class AnswerText {
    private static final int SHOWN = 400;
    private static final String HTML = "text/html";

    private AnswerText() {
    }

    /**
     * The text on one line, cut after {@value #SHOWN} characters. A page of HTML is shown without its tags; in anything else
     * {@code <…>} is no tag, but an IRI.
     *
     * @param contentType the header {@code Content-Type}; empty: there is none
     */
    static String of(String contentType, String body) {
        boolean html = contentType.strip().regionMatches(true, 0, HTML, 0, HTML.length());
        String line = (html ? withoutTags(body) : body).replaceAll("\\s+", " ").trim();
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
    }

    private static String withoutTags(String page) {
        return page.replaceAll("(?is)<!--.*?-->|<(script|style)\\b.*?</\\1\\s*>|<[^>]*>", " ")
                .replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'")
                .replace("&#39;", "'").replace("&nbsp;", " ")
                .replace("&amp;", "&"); // the last, so that nothing is decoded twice
    }
}
