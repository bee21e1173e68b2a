package io.jellybridge.codec;

import io.jellybridge.codec.PatchOptions.TableSizes;
import java.io.Serializable;
import java.util.Objects;

/**
 * The options row of a Jelly-RDF stream: {@code RdfStreamOptions} of rdf.proto (checklist R-C).
 *
 * @param streamName            any name; may be empty
 * @param physicalType          the physical type
 * @param logicalType           the number of the logical type in RDF-STaX, 0 = unspecified; its base type is the number modulo
 *                              10: 1 triples, 2 quads, 3 graphs, 4 datasets
 * @param generalizedStatements true if generalized statements may occur
 * @param rdfStar               true if quoted triples may occur
 * @param maxNameTableSize      entries of the name lookup, at least 8
 * @param maxPrefixTableSize    entries of the prefix lookup; 0 = not used
 * @param maxDatatypeTableSize  entries of the datatype lookup; 0 = not used, so no typed literals
 * @param version               1, or 2 if namespace declarations may occur
 */
public record RdfOptions(
        String streamName,
        PhysicalType physicalType,
        int logicalType,
        boolean generalizedStatements,
        boolean rdfStar,
        int maxNameTableSize,
        int maxPrefixTableSize,
        int maxDatatypeTableSize,
        int version) implements Serializable {

    /** The version tag of streams without namespace declarations. */
    public static final int VERSION_1 = 1;
    /** The newest version tag, of streams that may have namespace declarations. */
    public static final int VERSION_2 = 2;

    /** The default: quads, flat, plain RDF, tables of 4000, 150 and 32 entries, no namespace declarations. */
    public static final RdfOptions DEFAULT =
            new RdfOptions("", PhysicalType.QUADS, 2, false, false, 4000, 150, 32, VERSION_1);

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException a number is out of its range; the message names the option and the rule
     */
    public RdfOptions {
        Objects.requireNonNull(streamName, "streamName");
        Objects.requireNonNull(physicalType, "physicalType");
        TableSizes.check(maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize);
        if (version < VERSION_1 || version > VERSION_2) {
            throw new IllegalArgumentException("version=" + version + ": must be 1 or 2 (R-28)");
        }
        if (logicalType < 0) {
            throw new IllegalArgumentException("logicalType=" + logicalType + ": must not be negative (R-14)");
        }
    }

    /**
     * Returns true if each frame is one element of the stream, a graph or a dataset. Otherwise frames have no meaning.
     */
    public boolean grouped() {
        int base = logicalType % 10;
        return base == 3 || base == 4;
    }

    /** Returns true if namespace declarations may occur. */
    public boolean namespaceDeclarations() {
        return version >= VERSION_2;
    }

    public RdfOptions withTypes(PhysicalType physical, int logical) {
        return new RdfOptions(streamName, physical, logical, generalizedStatements, rdfStar,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, version);
    }

    public RdfOptions withGeneralizedStatements(boolean allowed) {
        return new RdfOptions(streamName, physicalType, logicalType, allowed, rdfStar,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, version);
    }

    public RdfOptions withRdfStar(boolean allowed) {
        return new RdfOptions(streamName, physicalType, logicalType, generalizedStatements, allowed,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, version);
    }

    public RdfOptions withNamespaceDeclarations(boolean allowed) {
        return new RdfOptions(streamName, physicalType, logicalType, generalizedStatements, rdfStar,
                maxNameTableSize, maxPrefixTableSize, maxDatatypeTableSize, allowed ? VERSION_2 : VERSION_1);
    }

    public RdfOptions withTableSizes(int names, int prefixes, int datatypes) {
        return new RdfOptions(streamName, physicalType, logicalType, generalizedStatements, rdfStar,
                names, prefixes, datatypes, version);
    }
}
