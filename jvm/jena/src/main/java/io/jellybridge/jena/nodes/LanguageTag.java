package io.jellybridge.jena.nodes;

import org.apache.jena.graph.TextDirection;

/**
 * The parts of a language tag in Jelly's form.
 *
 * @param language  the language tag alone; never empty
 * @param direction the base direction; null if it has none
 */
public record LanguageTag(String language, TextDirection direction) {
    /** The separator between a language and a base direction. */
    static final String DIRECTION_MARK = "--";

    /**
     * Parses a language tag.
     *
     * @throws IllegalTermException it has no language, or a direction other than ltr and rtl
     */
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
