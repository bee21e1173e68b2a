package io.jellybridge.options;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on how many of some things there may be: a number of them, or a share of all.
 *
 * @param percent from 0 to 100
 * @param count   as a number; {@link Long#MAX_VALUE} where a share is meant
 */
public record ShareLimit(BigDecimal percent, long count) implements Serializable {
    /** All of them. */
    public static final ShareLimit NONE = new ShareLimit(BigDecimal.valueOf(100), Long.MAX_VALUE);

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})|([0-9]{1,3}(?:\\.[0-9]{1,9})?)%");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** Reads a limit: a number, or a share such as {@code 0.1%}. Returns null where the text is neither. */
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

    /** Whether so many of all are more than the limit allows. */
    public boolean isExceeded(long some, long all) {
        // Not by doubles: 29 of 100 would be more than 29 %.
        return some > count || HUNDRED.multiply(BigDecimal.valueOf(some)).compareTo(percent.multiply(BigDecimal.valueOf(all))) > 0;
    }

    /** Returns it as a user writes it. */
    @Override
    public String toString() {
        return count < Long.MAX_VALUE ? Long.toString(count) : percent.toPlainString() + "%";
    }
}
