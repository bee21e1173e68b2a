package io.jellybridge.jena.nodes;

import org.apache.jena.graph.TextDirection;

/**
 * A language tag as Jelly writes it, taken apart.
 *
 * @param language  the tag itself; never empty
 * @param direction the base direction; null when it has none
 */
public record LanguageTag(String language, TextDirection direction) {
    /** What stands between a language and a base direction. */
    static final String DIRECTION_MARK = "--";

    /** @throws IllegalTermException it names no language, or a direction that is neither ltr nor rtl */
    public static LanguageTag of(String tag) {
        int mark = tag.indexOf(DIRECTION_MARK);
        String language = mark < 0 ? tag : tag.substring(0, mark);
        if (language.isEmpty()) {
            throw new IllegalTermException("the language tag '" + tag + "', which names no language");
        }
        return new LanguageTag(language,
                mark < 0 ? null : direction(tag, tag.substring(mark + DIRECTION_MARK.length())));
    }

    private static TextDirection direction(String tag, String name) {
        return switch (name) {
            case "ltr" -> TextDirection.LTR;
            case "rtl" -> TextDirection.RTL;
            default -> throw new IllegalTermException(
                    "the language tag '" + tag + "', whose base direction is neither ltr nor rtl");
        };
    }
}
