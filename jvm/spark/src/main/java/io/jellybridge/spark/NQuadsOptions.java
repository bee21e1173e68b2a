package io.jellybridge.spark;

import java.io.Serializable;
import java.util.Map;
import java.util.Set;

/**
 * The options of the format {@code nquads}. A table's options serve its reads and its writes, so each takes the
 * other's.
 *
 * @param rdfStar     whether triple terms may be subjects too, and be written {@code << s p o >>}
 * @param mendTags    whether {@code _} in language tags is read as {@code -}
 * @param compression how files are compressed that are written
 */
record NQuadsOptions(boolean rdfStar, boolean mendTags, Compression compression) implements Serializable {
    /** What to do with lines that are not N-Quads: FAILFAST, the default and the only one for files. */
    static final String MODE = "mode";
    /** Take triple terms as subjects too, and read {@code << s p o >>} as one; default false. */
    static final String RDF_STAR = "rdfStar";

    /** Read {@code _} in language tags as {@code -}, as old data has it; default false. */
    static final String MEND_TAGS = "mendTags";

    private static final Set<String> NAMES = Set.of(MODE, RDF_STAR, MEND_TAGS, Compression.OPTION);

    /** @throws IllegalArgumentException an option is unknown or has a value that it can't have; the message names it */
    static NQuadsOptions of(Map<String, String> options) {
        FileOptions given = new FileOptions(options, NQuadsFileFormat.SHORT_NAME, NAMES);
        given.requireFailFast(MODE);
        return new NQuadsOptions(given.bool(RDF_STAR, false), given.bool(MEND_TAGS, false), Compression.of(given));
    }
}
