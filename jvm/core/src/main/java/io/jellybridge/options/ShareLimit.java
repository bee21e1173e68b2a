package io.jellybridge.options;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit for a number of items: an absolute number, or a percentage of all items.
 *
 * @param percent from 0 to 100
 * @param count   the absolute number; {@link Long#MAX_VALUE} if the limit is a percentage
 */
public record ShareLimit(BigDecimal percent, long count) implements Serializable {
    /** No limit: all items are allowed. */
    public static final ShareLimit NONE = new ShareLimit(BigDecimal.valueOf(100), Long.MAX_VALUE);

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})|([0-9]{1,3}(?:\\.[0-9]{1,9})?)%");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** Reads a limit: a number, or a percentage such as {@code 0.1%}. Returns null if the text is neither. */
    public static ShareLimit parse(String text) {
        Matcher matcher = TEXT.matcher(text.trim());
        if (!matcher.matches()) {
            return null;
        }
        if (matcher.group(1) != null) {
            return new ShareLimit(HUNDRED, Long.parseLong(matcher.group(1)));
        }
        BigDecimal percent = new BigDecimal(matcher.group(2));
        return percent.compareTo(HUNDRED) > 0 ? null : new ShareLimit(percent, Long.MAX_VALUE);
    }

    /** Checks whether {@code some} of {@code all} items exceed the limit. */
    public boolean isExceeded(long some, long all) {
        // Doubles are not exact enough: 29 of 100 would be more than 29 %.
        return some > count || HUNDRED.multiply(BigDecimal.valueOf(some)).compareTo(percent.multiply(BigDecimal.valueOf(all))) > 0;
    }

    /** Returns the limit as a user writes it. */
    @Override
    public String toString() {
        return count < Long.MAX_VALUE ? Long.toString(count) : percent.toPlainString() + "%";
    }
}
