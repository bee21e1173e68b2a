package io.jellybridge.options;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * An option that a user may give.
 *
 * @param name      in camelCase; any case is taken
 * @param takes     which values it can have, for messages and documents
 * @param parser    makes the value of a text; null, or {@link NumberFormatException}, where it can't have that value
 * @param otherwise the value where the user gives none; null where there is none
 * @param meaning   for documents: what it means, in small letters, without a full stop
 * @param <T>       what its values are
 */
public record Option<T>(String name, String takes, Function<String, T> parser, T otherwise, String meaning) {

    public static Option<Boolean> flag(String name, boolean otherwise, String meaning) {
        return new Option<>(name, "true or false", text -> {
            String word = text.trim();
            return word.equalsIgnoreCase("true") ? Boolean.TRUE : word.equalsIgnoreCase("false") ? Boolean.FALSE : null;
        }, otherwise, meaning);
    }

    /** A whole number; {@code otherwise} may be null. */
    public static Option<Integer> number(String name, Integer otherwise, int min, String meaning) {
        return new Option<>(name, atLeast(min), text -> {
            int number = Integer.parseInt(text.trim());
            return number < min ? null : Integer.valueOf(number);
        }, otherwise, meaning);
    }

    /** Likewise, one that may be large. */
    public static Option<Long> large(String name, Long otherwise, long min, String meaning) {
        return new Option<>(name, atLeast(min), text -> {
            long number = Long.parseLong(text.trim());
            return number < min ? null : Long.valueOf(number);
        }, otherwise, meaning);
    }

    private static String atLeast(long min) {
        // Not by +, whose first use takes Java longer than all the rest of a table, at the start of each command.
        return "a whole number of at least ".concat(Long.toString(min));
    }

    /** A number of seconds, with a point in it or not. */
    public static Option<Duration> seconds(String name, long otherwise, String meaning) {
        return new Option<>(name, "a number of seconds", text -> {
            double seconds = Double.parseDouble(text);
            return Double.isFinite(seconds) ? Duration.ofMillis((long) (seconds * 1000)) : null;
        }, Duration.ofSeconds(otherwise), meaning);
    }

    /**
     * One of the constants of an enum, by name in any case, also with {@code -} for {@code _}; documents show what {@link
     * Enum#toString} says. {@code otherwise} may be null.
     */
    public static <E extends Enum<E>> Option<E> choice(String name, Class<E> type, E otherwise, String meaning) {
        return choice(name, List.of(type.getEnumConstants()), otherwise, meaning);
    }

    /** Likewise, of some of its constants. */
    public static <E extends Enum<E>> Option<E> choice(String name, List<E> constants, E otherwise, String meaning) {
        return new Option<>(name, "one of ".concat(constants.toString()),
                text -> {
                    String word = text.trim().replace('-', '_');
                    return constants.stream().filter(each -> each.name().equalsIgnoreCase(word)).findFirst().orElse(null);
                },
                otherwise, meaning);
    }

    /** A text, which is not looked into. */
    public static Option<String> text(String name, String takes, String otherwise, String meaning) {
        return new Option<>(name, takes, text -> text, otherwise, meaning);
    }

    /**
     * @param of what has the option, for the message
     * @throws IllegalArgumentException it can't have this value; the message names it
     */
    public T parse(String text, String of) {
        T value = valueOf(text);
        if (value == null) {
            throw refused(text, of);
        }
        return value;
    }

    /** The value that a text is; null where the option can't have it. */
    T valueOf(String text) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The error of a value that the option can't have. */
    public IllegalArgumentException refused(String text, String of) {
        return new IllegalArgumentException("option '" + name + "' of " + of + " is '" + text + "'; it takes " + takes);
    }
}
