package io.jellybridge.codec;

/** Checks the sizes of a stream's lookups, which have the same limits in both formats. */
final class TableSizes {

    private TableSizes() {
    }

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException a size is out of its range; the message names the option and the rules
     */
    static void check(int names, int prefixes, int datatypes) {
        check("maxNameTableSize", names, PatchOptions.MIN_NAME_TABLE_SIZE, "P-48, R-25");
        check("maxPrefixTableSize", prefixes, 0, "P-51, R-26");
        check("maxDatatypeTableSize", datatypes, 0, "P-54, R-26");
    }

    private static void check(String option, int size, int min, String rules) {
        if (size < min) {
            throw new IllegalArgumentException(option + "=" + size + ": must be at least " + min + " (" + rules + ")");
        }
    }
}
