package io.jellybridge.sync;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much may be deleted.
 *
 * @param percent of what is there, from 0 to 100
 * @param quads   as a number
 * @param all     whether all that is there may be deleted, and nothing come for it
 */
public record DeletionLimit(BigDecimal percent, long quads, boolean all) {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})|([0-9]{1,3}(?:\\.[0-9]{1,9})?)%");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /**
     * Reads a limit.
     *
     * @param text a number of quads, or a share such as {@code 20%}; null: anything but all that is there
     * @throws IllegalArgumentException it is neither
     */
    public static DeletionLimit of(String text) {
        if (text == null) {
            return new DeletionLimit(HUNDRED, Long.MAX_VALUE, false);
        }
        Matcher matcher = TEXT.matcher(text);
        boolean isOne = matcher.matches();
        BigDecimal percent = isOne && matcher.group(2) != null ? new BigDecimal(matcher.group(2)) : HUNDRED;
        if (!isOne || percent.compareTo(HUNDRED) > 0) {
            throw new IllegalArgumentException(
                    "max_delete is " + text + "; it must be a number of quads, or a share of them from 0% to 100%");
        }
        return new DeletionLimit(percent, matcher.group(1) == null ? Long.MAX_VALUE : Long.parseLong(matcher.group(1)), true);
    }

    /**
     * Refuses what deletes more.
     *
     * @param before how many quads there are
     * @throws IllegalStateException more of them would be deleted
     */
    void check(long before, long deleted, long after) {
        if (!all && after == 0 && before > 0) {
            throw new IllegalStateException("the snapshot is empty, and would delete all " + before
                    + " quads; nothing of it was applied; if that is meant, allow it by max_delete (--max-delete) 100%");
        }
        // Not by doubles: 29 of 100 would be more than 29 %.
        boolean isMore = HUNDRED.multiply(BigDecimal.valueOf(deleted)).compareTo(percent.multiply(BigDecimal.valueOf(before))) > 0;
        if (deleted > quads || isMore) {
            throw new IllegalStateException(String.format(Locale.ROOT, "the snapshot would delete %d of %d quads, and max_delete "
                    + "(--max-delete) allows %s; nothing of it was applied; see what by a dry run, or allow more",
                    deleted, before, quads < Long.MAX_VALUE ? quads : percent.toPlainString() + "%"));
        }
    }
}
