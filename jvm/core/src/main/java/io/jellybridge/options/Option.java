package io.jellybridge.options;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * An option that a user can set.
 *
 * @param name      in camelCase; its case does not matter
 * @param takes     the accepted values, for messages and documents
 * @param parser    converts a text to a value; it returns null or throws {@link NumberFormatException} for an invalid text
 * @param otherwise the default value; null if there is none
 * @param meaning   a description for documents, in small letters, without a full stop
 * @param <T>       the type of the value
 */
public record Option<T>(String name, String takes, Function<String, T> parser, T otherwise, String meaning) {

    public static Option<Boolean> ofFlag(String name, boolean otherwise, String meaning) {
        return new Option<>(name, "true or false", text -> {
            String word = text.trim();
            return word.equalsIgnoreCase("true") ? Boolean.TRUE : word.equalsIgnoreCase("false") ? Boolean.FALSE : null;
        }, otherwise, meaning);
    }

    /** Creates an option for a whole number of at least {@code min}. {@code otherwise} may be null. */
    public static Option<Integer> ofNumber(String name, Integer otherwise, int min, String meaning) {
        return new Option<>(name, atLeast(min), text -> {
            int number = Integer.parseInt(text.trim());
            return number < min ? null : Integer.valueOf(number);
        }, otherwise, meaning);
    }

    /** Creates an option for a whole number of 64 bits. */
    public static Option<Long> ofLarge(String name, Long otherwise, long min, String meaning) {
        return new Option<>(name, atLeast(min), text -> {
            long number = Long.parseLong(text.trim());
            return number < min ? null : Long.valueOf(number);
        }, otherwise, meaning);
    }

    private static String atLeast(long min) {
        // concat, not +: the first use of + in a JVM takes longer than the rest of a table, at the start of each command.
        return "a whole number of at least ".concat(Long.toString(min));
    }

    /** Creates an option for a number of seconds, with or without a decimal point. */
    public static Option<Duration> ofSeconds(String name, long otherwise, String meaning) {
        return new Option<>(name, "a number of seconds", text -> {
            double seconds = Double.parseDouble(text);
            return Double.isFinite(seconds) ? Duration.ofMillis((long) (seconds * 1000)) : null;
        }, Duration.ofSeconds(otherwise), meaning);
    }

    /**
     * Creates an option for the constants of an enum. The user gives a name in any case, with {@code _} or {@code -}. Documents
     * show {@link Enum#toString}. {@code otherwise} may be null.
     */
    public static <E extends Enum<E>> Option<E> ofChoice(String name, Class<E> type, E otherwise, String meaning) {
        return ofChoice(name, List.of(type.getEnumConstants()), otherwise, meaning);
    }

    /** Creates an option for some constants of an enum. */
    public static <E extends Enum<E>> Option<E> ofChoice(String name, List<E> constants, E otherwise, String meaning) {
        return new Option<>(name, "one of ".concat(constants.toString()),
                text -> {
                    String word = text.trim().replace('-', '_');
                    return constants.stream().filter(each -> each.name().equalsIgnoreCase(word)).findFirst().orElse(null);
                },
                otherwise, meaning);
    }

    /** Creates an option for any text. */
    public static Option<String> ofText(String name, String takes, String otherwise, String meaning) {
        return new Option<>(name, takes, text -> text, otherwise, meaning);
    }

    /** Creates an option for a folder. No text is no folder. */
    public static Option<String> ofFolder(String name, String meaning) {
        return new Option<>(name, "a folder", text -> text.isBlank() ? null : text, null, meaning);
    }

    /**
     * Parses a value.
     *
     * @param of the owner of the option, for the message
     * @throws IllegalArgumentException the value is invalid; the message names it
     */
    public T parse(String text, String of) {
        T value = valueOf(text);
        if (value == null) {
            throw refusalError(text, of);
        }
        return value;
    }

    /** Parses a value. Returns null if it is invalid. */
    T valueOf(String text) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Creates the exception for an invalid value. */
    public IllegalArgumentException refusalError(String text, String of) {
        return new IllegalArgumentException("option '" + name + "' of " + of + " is '" + text + "'; it takes " + takes);
    }
}
