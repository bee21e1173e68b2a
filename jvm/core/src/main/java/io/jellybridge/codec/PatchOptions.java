package io.jellybridge.codec;

import java.io.Serializable;
import java.util.Objects;

/**
 * The options row of a patch stream: {@code RdfPatchOptions} of patch.proto (checklist P-D).
 *
 * @param streamType            the relation of frames and patches
 * @param statementType         triples or quads
 * @param generalizedStatements true if generalized statements may occur (P-44)
 * @param rdfStar               true if quoted triples may occur (P-46)
 * @param maxNameTableSize      entries of the name lookup, at least {@value #MIN_NAME_TABLE_SIZE} (P-48)
 * @param maxPrefixTableSize    entries of the prefix lookup; 0 = not used (P-50)
 * @param maxDatatypeTableSize  entries of the datatype lookup; 0 = not used, so no typed literals (P-53)
 */
public record PatchOptions(
        StreamType streamType,
        StatementType statementType,
        boolean generalizedStatements,
        boolean rdfStar,
        int maxNameTableSize,
        int maxPrefixTableSize,
        int maxDatatypeTableSize) implements Serializable {

    /** The version tag of Jelly-Patch 1.0.x (P-56). */
    public static final int VERSION = 1;
    /** The smallest name lookup that the format allows (P-48). */
    public static final int MIN_NAME_TABLE_SIZE = 8;

    /** The default: PUNCTUATED, QUADS, plain RDF, tables of 4000, 150 and 32 entries. */
    public static final PatchOptions DEFAULT =
            new PatchOptions(StreamType.PUNCTUATED, StatementType.QUADS, false, false, 4000, 150, 32);

    /**
     * Checks that a producer may write these options.
     *
     * @throws IllegalArgumentException a table size is out of its range; the message names the option and the rule
     */
    public PatchOptions {
        Objects.requireNonNull(streamType, "streamType");
        Objects.requireNonNull(statementType, "statementType");
        TableSizes.check(maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
    }

    public PatchOptions withStreamType(StreamType type) {
        return new PatchOptions(type, statementType, generalizedStatements, rdfStar,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
    }

    public PatchOptions withStatementType(StatementType type) {
        return new PatchOptions(streamType, type, generalizedStatements, rdfStar,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
    }

    public PatchOptions withGeneralizedStatements(boolean allowed) {
        return new PatchOptions(streamType, statementType, allowed, rdfStar,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
    }

    public PatchOptions withRdfStar(boolean allowed) {
        return new PatchOptions(streamType, statementType, generalizedStatements, allowed,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
    }

    public PatchOptions withTableSizes(int names, int prefixes, int datatypes) {
        return new PatchOptions(streamType, statementType, generalizedStatements, rdfStar, names, prefixes, datatypes);
    }

    /** Checks the sizes of a stream's lookups, which have the same limits in both formats. */
    static final class TableSizes {

        private TableSizes() {
        }

        /**
         * Checks the sizes.
         *
         * @throws IllegalArgumentException a size is out of its range; the message names the option and the rules
         */
        static void check(int names, int prefixes, int datatypes) {
            checkSize("maxNameTableSize", names, PatchOptions.MIN_NAME_TABLE_SIZE, "P-48, R-25");
            checkSize("maxPrefixTableSize", prefixes, 0, "P-51, R-26");
            checkSize("maxDatatypeTableSize", datatypes, 0, "P-54, R-26");
        }

        private static void checkSize(String option, int size, int min, String rules) {
            if (size < min) {
                throw new IllegalArgumentException(option + "=" + size + ": must be at least " + min + " (" + rules + ")");
            }
        }
    }
}
